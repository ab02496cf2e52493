/**
 * What objects that are kept out of the cluster would be there and would use. Their own findings say why they are not there;
 * that others miss them, or that nobody uses others, would tell it again. Only what is told counts: where a setting or a
 * comment hides the one, the other stands.
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

/** What is known of an environment for as long as nothing but its files changes. */
interface Known {
  /** All that hides findings or brings them about, besides the file itself. */
  readonly basis: readonly unknown[];
  readonly ofFiles: WeakMap<WorkspaceFile, ReadonlySet<Question>>;
  /** By all its files, put together anew only where one of them answers otherwise. */
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

  /** `ownFindings` are those of a file by itself. */
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

  /** Of an environment that is no more. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  /** Looks at all files ahead of whoever asks. Yields often. */
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

/** As written, and as kustomizations have made them. */
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

/** Whether no other object has the name. All names would be filed for one that is asked, anew after each edit. */
function isAlone(ref: string, objects: readonly WorkspaceObject[]): boolean {
  const namesakes = objects.filter(({ object }) => object.ref === ref);
  return (objectsByRef(namesakes).get(ref as Ref)?.length ?? 0) <= 1;
}
