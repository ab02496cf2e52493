/**
 * What objects that are kept out of the cluster would be and use there. Their own findings say why they are not there; findings
 * that others miss them, or that what they use is unused, would repeat that. This only holds if the first finding is shown: if
 * a setting or a comment hides it, the others stay.
 */
import type { Ref } from "../../engine/api/meta.ts";
import type { Analysis } from "../analysis.ts";
import type { Answers, Question } from "../diagnostics/question.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { isSuppressed } from "../diagnostics/rules/suppression.ts";
import { sameItems } from "../same-items.ts";
import { type Environment, objectsByRef } from "../workspace/environment.ts";
import type { Fields } from "../workspace/manifest-fields.ts";
import {
  objectsOfFile,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace-object.ts";
import { pathAt } from "../yaml/locate.ts";
import { isRecord, valueAt } from "../yaml/manifest.ts";
import { documentAt } from "../yaml/manifest-file.ts";
import { isAbout, isKeptOut } from "./kept-out.ts";
import { isAnsweredBy, questionsAnsweredBy } from "./kept-out-object.ts";
import { isAcceptedByProject } from "./project-suppression.ts";

type OwnFindings = (file: WorkspaceFile, environment: Environment) => readonly Diagnostic[];

/** What is known about an environment until something other than its files changes. */
interface Known {
  /** Everything besides the file itself that affects its findings or hides them. */
  readonly basis: readonly unknown[];
  readonly ofFiles: WeakMap<WorkspaceFile, ReadonlySet<Question>>;
  /** Over all files; only rebuilt if one of them has other answers. */
  union: {
    readonly files: Environment["files"];
    readonly sets: readonly ReadonlySet<Question>[];
    readonly answered: ReadonlySet<Question>;
  };
}

export class KeptOutAnswers {
  readonly #ownFindings: OwnFindings;
  /** By environment. */
  readonly #known = new Map<string, Known>();

  /** `ownFindings` returns the findings that follow from a file alone. */
  constructor(ownFindings: OwnFindings) {
    this.#ownFindings = ownFindings;
  }

  answers(analysis: Analysis): Answers {
    const { environment } = analysis;
    let answered: ReadonlySet<Question> | undefined;
    return (question) => {
      answered ??= this.#answeredBy(analysis);
      if (!isAnsweredBy(answered, question)) return false;
      const [, ref] = /^kept out (.*)$/.exec(question) ?? [];
      return ref === undefined || isAlone(ref, environment.objects);
    };
  }

  /** Drops an environment that no longer exists. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  /** Reads all files in advance. Yields often. */
  *read(analysis: Analysis): Generator<void> {
    const known = this.#knownOf(analysis);
    for (const file of analysis.environment.files) {
      this.#answeredIn(file, analysis, known);
      yield;
    }
  }

  #knownOf({ environment, settings, version }: Analysis): Known {
    const { id, project, kustomized, charts } = environment;
    const basis = [project, kustomized, charts, settings, version];
    const before = this.#known.get(id);
    if (before !== undefined && sameItems(before.basis, basis)) return before;
    const union = { files: [], sets: [], answered: new Set<Question>() };
    const known: Known = { basis, ofFiles: new WeakMap(), union };
    this.#known.set(id, known);
    return known;
  }

  #answeredBy(analysis: Analysis): ReadonlySet<Question> {
    const { files } = analysis.environment;
    const known = this.#knownOf(analysis);
    const { union } = known;
    if (union.files === files) return union.answered;
    const sets = files
      .map((file) => this.#answeredIn(file, analysis, known))
      .filter(({ size }) => size > 0);
    const answered = sameItems(union.sets, sets)
      ? union.answered
      : new Set(sets.flatMap((set) => [...set]));
    known.union = { files, sets, answered };
    return answered;
  }

  #answeredIn(
    file: WorkspaceFile,
    { environment }: Analysis,
    { ofFiles }: Known,
  ): ReadonlySet<Question> {
    const known = ofFiles.get(file);
    if (known !== undefined) return known;
    const found = this.#ownFindings(file, environment)
      .filter((one) => isKeptOut(one) && !isAcceptedByProject(one, environment))
      .filter((one) => !isSuppressed(file, one));
    const objects = new Set(found.flatMap((one) => keptOutObjects(environment, file, one)));
    const answered = new Set([...objects].flatMap(questionsAnsweredBy));
    ofFiles.set(file, answered);
    return answered;
  }
}

/** The objects that a finding keeps out, as written and as kustomizations and charts have built them. */
function keptOutObjects(
  { kustomized, charts }: Environment,
  file: WorkspaceFile,
  found: Diagnostic,
): readonly Fields[] {
  const patched = [...kustomized.patchedIn(file.uri), ...charts.renderedIn(file.uri)]
    .filter((entry) => isAbout(found, entry))
    .map(({ object }) => object.value);
  const at = documentAt(file.manifest, found.start);
  if (at === undefined) return patched;
  const { path } = pathAt(at.document.yaml, found.start - at.start);
  const item = path[0] === "items" ? path.slice(0, 2) : [];
  const whole = valueAt(at.document.yaml.value, item);
  const built = objectsOfFile(file)
    .filter(
      ({ documentIndex, object }) => documentIndex === at.index && sameItem(object.path, item),
    )
    .flatMap((entry) => kustomized.built(entry))
    .map(({ object }) => object.value);
  return [...patched, ...built, ...(isRecord(whole) ? [whole] : [])];
}

function sameItem(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a[1] === b[1];
}

/** True if no other object has the name. An index of all names would cost more: it would be rebuilt after each edit. */
function isAlone(ref: string, objects: readonly WorkspaceObject[]): boolean {
  const namesakes = objects.filter(({ object }) => object.ref === ref);
  return (objectsByRef(namesakes).get(ref as Ref)?.length ?? 0) <= 1;
}
