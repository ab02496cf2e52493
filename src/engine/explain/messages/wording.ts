/**
 * Matches a wording with placeholders against a message. A regular expression would do the same, but takes exponential time on
 * a message crafted for it, as it tries every way to divide the text.
 */

export interface Wording {
  /** The names of the placeholders. */
  readonly names: readonly string[];
  /** The fixed text around them. */
  readonly pieces: readonly string[];
  /** The values of the placeholders; undefined if the message does not match. */
  readonly valuesIn: (message: string) => readonly string[] | undefined;
}

/** The text has to be the "whole" message, or may occur "anywhere" in it, ignoring case. */
export function wording(text: string, stands: "whole" | "anywhere"): Wording {
  const parts = text.split(/\{(\w+)\}/);
  const names = parts.filter((_, i) => i % 2 === 1);
  const pieces = parts.filter((_, i) => i % 2 === 0);
  const forms = names.map(formOf);
  if (stands === "whole")
    return {
      names,
      pieces,
      valuesIn: (message) =>
        message.startsWith(pieces[0] ?? "")
          ? new Division(message, message, forms, pieces).values()
          : undefined,
    };
  const takesRest = forms.at(-1) === "text" && pieces.at(-1) === "";
  const allForms: readonly Form[] = ["text", ...forms, ...(takesRest ? [] : (["text"] as const))];
  const allPieces = ["", ...pieces.map(inSmallLetters), ...(takesRest ? [] : [""])];
  return {
    names,
    pieces,
    valuesIn: (message) =>
      new Division(message, inSmallLetters(message), allForms, allPieces)
        .values()
        ?.slice(1, names.length + 1),
  };
}

/** Lowers ASCII letters only, so that the length stays the same. */
function inSmallLetters(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** What a placeholder takes: names have no blanks and no quotes, paths no blanks and no colons. */
type Form = "text" | "number" | "name" | "path";

function formOf(name: string): Form {
  if (numbers.has(name)) return "number";
  if (name === "fieldPath") return "path";
  return objectNames.has(name) ? "name" : "text";
}

const endOfForm: Readonly<Record<Exclude<Form, "text">, RegExp>> = {
  number: /\D|$/g,
  name: /[\s"']|$/g,
  path: /[\s:]|$/g,
};

/** Divides a message into pieces and values. Values are as short as possible, except numbers; the last one takes the rest. */
class Division {
  readonly #message: string;
  /** The message as the pieces are searched in it: in lower case for "anywhere". */
  readonly #text: string;
  readonly #forms: readonly Form[];
  readonly #pieces: readonly string[];
  /**
   * For each value, the range in which it cannot begin: after a failed try, one that begins later within the same run of
   * letters has no other places to end.
   */
  readonly #vain: ({ readonly from: number; readonly to: number } | undefined)[] = [];

  constructor(message: string, text: string, forms: readonly Form[], pieces: readonly string[]) {
    this.#message = message;
    this.#text = text;
    this.#forms = forms;
    this.#pieces = pieces;
  }

  values(): readonly string[] | undefined {
    return this.#valuesFrom(0, this.#pieces[0]?.length ?? 0);
  }

  #valuesFrom(index: number, start: number): readonly string[] | undefined {
    const form = this.#forms[index];
    if (form === undefined) return start === this.#message.length ? [] : undefined;
    const vain = this.#vain[index];
    if (vain !== undefined && vain.from <= start && start < vain.to) return undefined;
    const piece = this.#pieces[index + 1] ?? "";
    // kubectl puts a star before each of several paths.
    const isListed = form === "path" && this.#text.startsWith("* ", start);
    for (const from of isListed ? [start + 2, start] : [start])
      for (const end of this.#ends(index, form, from)) {
        const others = this.#valuesFrom(index + 1, end + piece.length);
        if (others !== undefined) return [this.#message.slice(start, end), ...others];
      }
    if (form !== "path") this.#vain[index] = { from: start, to: this.#endOf(form, start) };
    return undefined;
  }

  /** The places where a value that begins at `start` can end: where the next piece follows. */
  *#ends(index: number, form: Form, start: number): Generator<number> {
    const last = this.#endOf(form, start);
    const piece = this.#pieces[index + 1] ?? "";
    const isFollowed = (at: number): boolean => this.#text.startsWith(piece, at);
    if (form === "text") {
      yield* this.#endsOfText(index, start);
    } else if (form === "number") {
      for (let at = last; at > start; at--) if (isFollowed(at)) yield at;
    } else {
      for (let at = start + 1; at <= last; at++) if (isFollowed(at)) yield at;
    }
  }

  *#endsOfText(index: number, start: number): Generator<number> {
    const text = this.#text;
    const piece = this.#pieces[index + 1] ?? "";
    if (piece === "" && index === this.#forms.length - 1) {
      yield text.length;
      return;
    }
    for (let at = text.indexOf(piece, start); at >= 0; at = text.indexOf(piece, at + 1)) {
      yield at;
      if (at === text.length) return;
    }
  }

  /** The end of the letters that a value of this form can have. */
  #endOf(form: Form, start: number): number {
    if (form === "text") return this.#message.length;
    const end = endOfForm[form];
    end.lastIndex = start;
    return end.exec(this.#message)?.index ?? this.#message.length;
  }
}

const numbers: ReadonlySet<string> = new Set(["available", "total", "count", "times", "exitCode"]);

/** Placeholders for names of objects and of their kinds. */
const objectNames: ReadonlySet<string> = new Set([
  "volume",
  "claim",
  "class",
  "pod",
  "node",
  "driver",
  "snapshot",
  "content",
  "snapshotClass",
  "attributesClass",
  "priorityClass",
  "secret",
  "configMap",
  // Names in the API: `persistentvolumeclaims`, `nvidia.com/gpu`.
  "resource",
  "kind",
  "name",
]);
