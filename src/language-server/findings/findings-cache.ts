/**
 * A file's findings are needed several times after each edit: for sending, for comparing with what was sent, for quick fixes.
 * They are only recomputed if something that they depend on has changed.
 */

import type { Answers, Question } from "../diagnostics/question.ts";
import type { CodedReport, Diagnostic } from "../diagnostics/rule.ts";
import { sameItems } from "../same-items.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";

export interface Ingredients {
  readonly file: WorkspaceFile;
  /** The reports of all islands that have findings in the file. */
  readonly reports: readonly (readonly CodedReport[])[];
  /** Everything else, each the same object or value as before if it has not changed. */
  readonly others: readonly unknown[];
}

export interface Findings {
  readonly told: readonly Diagnostic[];
  /** Findings that the project file accepts. */
  readonly accepted: readonly Diagnostic[];
}

interface Known extends Ingredients {
  readonly findings: Findings;
  /** Files that findings point to: edits there move those places. */
  readonly related: readonly WorkspaceFile[];
}

export class FindingsCache {
  readonly #known = new Map<string, Known>();
  /** By file: the questions of its findings, and the answers. */
  readonly #asked = new Map<string, ReadonlyMap<Question, boolean>>();

  /** The same lists as before if nothing has changed. */
  get(
    ingredients: Ingredients,
    findFile: (uri: string) => WorkspaceFile | undefined,
    answers: Answers,
    make: (answers: Answers) => Findings,
  ): Findings {
    const { uri } = ingredients.file;
    const known = this.#known.get(uri);
    if (known !== undefined && isSame(known, ingredients, findFile) && this.#holds(uri, answers))
      return known.findings;
    const findings = this.#noteAsked(uri, answers, make);
    const uris = new Set(findings.told.flatMap(({ related = [] }) => related.map((at) => at.uri)));
    uris.delete(uri);
    const related = [...uris].flatMap((at) => findFile(at) ?? []);
    this.#known.set(uri, { ...ingredients, findings, related });
    return findings;
  }

  /** Drops what is known about files that no longer exist. */
  forget(isGone: (uri: string) => boolean): void {
    for (const known of [this.#known, this.#asked])
      for (const uri of known.keys()) if (isGone(uri)) known.delete(uri);
  }

  /** Computes a file's findings and records the answers to their questions. */
  #noteAsked(uri: string, answers: Answers, make: (answers: Answers) => Findings): Findings {
    const asked = new Map<Question, boolean>();
    const findings = make((question) => {
      const answer = answers(question);
      asked.set(question, answer);
      return answer;
    });
    if (asked.size > 0) this.#asked.set(uri, asked);
    else this.#asked.delete(uri);
    return findings;
  }

  /** Files with findings whose questions are now answered differently. */
  askedOtherwise(isIn: (uri: string) => boolean, answers: Answers): readonly string[] {
    return [...this.#asked.keys()].filter((uri) => isIn(uri) && !this.#holds(uri, answers));
  }

  #holds(uri: string, answers: Answers): boolean {
    for (const [question, answer] of this.#asked.get(uri) ?? [])
      if (answers(question) !== answer) return false;
    return true;
  }
}

function isSame(
  known: Known,
  { file, reports, others }: Ingredients,
  findFile: (uri: string) => WorkspaceFile | undefined,
): boolean {
  return (
    known.file === file &&
    sameItems(known.reports, reports) &&
    sameItems(known.others, others) &&
    known.related.every((at) => findFile(at.uri) === at)
  );
}
