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
    if (!isAnsweredBy(answeredBy(state, environment), question)) return false;
    // Another of the name may be there.
    const [, ref] = /^kept out (.*)$/.exec(question) ?? [];
    return ref === undefined || (environment.byRef.get(ref as Ref)?.length ?? 0) <= 1;
  };
}

/** By all files, put together once for each state of the environment, and anew only where one of them answers otherwise. */
function answeredBy(state: ServiceState, environment: Environment): ReadonlySet<Question> {
  const basis = basisOf(state, environment);
  const known = ofEnvironments.get(environment);
  if (known?.basis === basis) return known.answered;
  const sets = environment.files
    .map((file) => answeredIn(state, environment, file, basis))
    .filter(({ size }) => size > 0);
  const last = lastUnions.get(basis);
  const union =
    last !== undefined && sameItems(last.sets, sets)
      ? last
      : { sets, answered: new Set(sets.flatMap((set) => [...set])) };
  lastUnions.set(basis, union);
  ofEnvironments.set(environment, { basis, answered: union.answered });
  return union.answered;
}

interface Union {
  readonly sets: readonly ReadonlySet<Question>[];
  readonly answered: ReadonlySet<Question>;
}

/** All that hides findings or brings them about, besides the file itself. */
type Basis = readonly unknown[];

/** The same list for as long as it says the same. */
function basisOf(state: ServiceState, environment: Environment): Basis {
  const { id, project, kustomized } = environment;
  const basis = [project, kustomized, state.settings, state.analysis(environment).version];
  const bases = basesOf.get(state) ?? new Map<string, Basis>();
  basesOf.set(state, bases);
  const known = bases.get(id);
  if (known !== undefined && sameItems(known, basis)) return known;
  bases.set(id, basis);
  return basis;
}

const basesOf = new WeakMap<ServiceState, Map<string, Basis>>();

interface Known {
  readonly basis: Basis;
  readonly answered: ReadonlySet<Question>;
}

const ofEnvironments = new WeakMap<Environment, Known>();
const lastUnions = new WeakMap<Basis, Union>();
const ofFiles = new WeakMap<WorkspaceFile, Known>();

/** Looks at all files ahead of whoever asks. Yields often. */
export function* readKeptOut(state: ServiceState, environment: Environment): Generator<void> {
  const basis = basisOf(state, environment);
  for (const file of environment.files) {
    answeredIn(state, environment, file, basis);
    yield;
  }
}

function answeredIn(
  state: ServiceState,
  environment: Environment,
  file: WorkspaceFile,
  basis: Basis,
): ReadonlySet<Question> {
  const known = ofFiles.get(file);
  if (known?.basis === basis) return known.answered;
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
