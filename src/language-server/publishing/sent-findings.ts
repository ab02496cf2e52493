/** Remembers what was last sent about each file, so that unchanged findings are not sent again. */
import type { Diagnostic } from "../diagnostics/rule.ts";

export class SentFindings {
  readonly #byUri = new Map<string, readonly Diagnostic[]>();

  /** The files that have findings. */
  uris(): Iterable<string> {
    return this.#byUri.keys();
  }

  /** Sets a file's findings; returns false if they are the same as before. */
  replace(uri: string, diagnostics: readonly Diagnostic[]): boolean {
    const isKnown = sayTheSame(this.#byUri.get(uri) ?? [], diagnostics);
    if (diagnostics.length === 0) this.#byUri.delete(uri);
    else this.#byUri.set(uri, diagnostics);
    return !isKnown;
  }
}

function sayTheSame(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((one, index) => saysTheSame(one, b[index]));
}

/** Compares the place first: most findings differ in that, and few have more than a message. */
function saysTheSame(a: Diagnostic, b: Diagnostic | undefined): boolean {
  if (a.start !== b?.start || a.end !== b.end || a.message !== b.message) return false;
  if (a.code !== b.code || a.severity !== b.severity) return false;
  return sameText(a.related, b.related) && sameText(a.fix, b.fix);
}

function sameText(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
