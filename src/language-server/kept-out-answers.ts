/**
 * What objects that are kept out of the cluster would be there and would use. Their own findings say why they are not there;
 * that others miss them, or that nobody uses others, would tell it again. Only what is told counts: where a setting or a
 * comment hides the one, the other stands.
 */
import type { Ref } from "../engine/api/meta.ts";
import { isAnsweredBy, questionsAnsweredBy } from "./diagnostics/facts/kept-out-object.ts";
import { isAbout, isKeptOut } from "./diagnostics/kept-out.ts";
import { isAcceptedByProject } from "./diagnostics/project-suppression.ts";
import type { Diagnostic } from "./diagnostics/rule.ts";
import { isSuppressed } from "./diagnostics/rules/suppression.ts";
import { sameItems } from "./same-items.ts";
import type { ServiceState } from "./service-state.ts";
import type { Environment } from "./workspace/environment.ts";
import type { Fields } from "./workspace/manifest-fields.ts";
import type { Question } from "./workspace/unreadable-documents.ts";
import { objectsOfFile, type WorkspaceFile } from "./workspace/workspace-object.ts";
import { pathAt } from "./yaml/locate.ts";
import { isRecord, valueAt } from "./yaml/manifest.ts";
import { documentAt } from "./yaml/manifest-file.ts";

export function keptOutAnswers(
  state: ServiceState,
  environment: Environment,
): (question: Question) => boolean {
  return (question) => {
    // Another of the name may be there.
    const [, ref] = /^kept out (.*)$/.exec(question) ?? [];
    if (ref !== undefined && (environment.byRef.get(ref as Ref)?.length ?? 0) > 1) return false;
    return isAnsweredBy(answeredBy(state, environment), question);
  };
}

/** By all files, put together once for each state of the environment. */
function answeredBy(state: ServiceState, environment: Environment): ReadonlySet<Question> {
  const basis = basisOf(state, environment);
  const known = ofEnvironments.get(environment);
  if (known !== undefined && sameItems(known.basis, basis)) return known.answered;
  const answered = new Set<Question>();
  for (const file of environment.files)
    for (const question of answeredIn(state, environment, file)) answered.add(question);
  ofEnvironments.set(environment, { basis, answered });
  return answered;
}

/** All that hides findings or brings them about, besides the file itself. */
function basisOf(state: ServiceState, environment: Environment): readonly unknown[] {
  const { project, kustomized } = environment;
  return [project, kustomized, state.settings, state.analysis(environment).version];
}

interface Known {
  readonly basis: readonly unknown[];
  readonly answered: ReadonlySet<Question>;
}

const ofEnvironments = new WeakMap<Environment, Known>();
const ofFiles = new WeakMap<WorkspaceFile, Known>();

/** Looks at all files ahead of whoever asks. Yields often. */
export function* readKeptOut(state: ServiceState, environment: Environment): Generator<void> {
  for (const file of environment.files) {
    answeredIn(state, environment, file);
    yield;
  }
}

function answeredIn(
  state: ServiceState,
  environment: Environment,
  file: WorkspaceFile,
): ReadonlySet<Question> {
  const basis = basisOf(state, environment);
  const known = ofFiles.get(file);
  if (known !== undefined && sameItems(known.basis, basis)) return known.answered;
  const found = state
    .ownDiagnostics(file, environment)
    .filter((one) => isKeptOut(one) && !isAcceptedByProject(one, environment))
    .filter((one) => !isSuppressed(file, one));
  const objects = new Set(found.flatMap((one) => keptOutObjects(environment, file, one)));
  const answered = new Set([...objects].flatMap(questionsAnsweredBy));
  ofFiles.set(file, { basis, answered });
  return answered;
}

/** As written, and as kustomizations have made them. */
function keptOutObjects(
  { kustomized }: Environment,
  file: WorkspaceFile,
  found: Diagnostic,
): readonly Fields[] {
  const patched = kustomized
    .patchedIn(file.uri)
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
