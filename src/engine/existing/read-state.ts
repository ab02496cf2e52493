/**
 * Reads the objects of a cluster that was running before the simulation, as its API server returned them. Dates are shifted so
 * that ages stay: the newest instant in any object becomes the last one before the run. Upstream has no such step.
 */
import { untyped } from "../api/json.ts";
import { asKubeObject, type KubeObject, type Ref, refOf, specAndStatus } from "../api/meta.ts";
import { storedObject } from "../api/stored-object.ts";
import { instantOf, timestamp } from "../api/timestamp.ts";
import type { ClusterProfile, Manifest } from "../scenario.ts";
import { type CompleteState, completeState } from "./complete-state.ts";

/** Returns the usable objects, the first of each name; a partial state loses those whose companions are missing. */
export function readState({ state: manifests = [], isStatePartial = false }: State): CompleteState {
  const known = states.get(manifests);
  if (known?.isStatePartial === isStatePartial) return known;
  const read = new Map<Ref, KubeObject>();
  for (const manifest of manifests) {
    const answer = storedObject(manifest);
    if (!answer.ok) continue;
    const ref = refOf(answer.object);
    if (!read.has(ref)) read.set(ref, answer.object);
  }
  const { objects, leftOut } = completeState([...read.values()], isStatePartial);
  const newest = objects.reduce((latest, o) => Math.max(latest, newestIn(o)), never);
  const byMs = newest === never ? 0 : newest - beforeRun;
  const made = { objects: objects.map((object) => aged(object, byMs)), leftOut, isStatePartial };
  states.set(manifests, made);
  return made;
}

type State = Pick<ClusterProfile, "state" | "isStatePartial">;

/** A cache: the choice of nodes and the start of the run read the same state. */
const states = new WeakMap<
  readonly Manifest[],
  CompleteState & { readonly isStatePartial: boolean }
>();

const beforeRun = -1_000;
const never = Number.NEGATIVE_INFINITY;

const datedKeys: readonly string[] = ["creationTimestamp", "deletionTimestamp"];
const date = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

interface DatedParts {
  readonly dates: Readonly<Record<string, unknown>>;
  readonly status: unknown;
  readonly taints: unknown;
}

/** The parts in which the API server and components write instants: metadata, status, and the taints of nodes. */
function datedParts(object: KubeObject): DatedParts {
  const metadata = untyped(object.metadata);
  const dates = Object.fromEntries(datedKeys.map((key) => [key, metadata[key]]));
  const { status } = specAndStatus(object);
  const taints = object.kind === "Node" ? object.spec?.taints : undefined;
  return { dates, status, taints };
}

function newestIn(object: KubeObject): number {
  let newest = never;
  const look = (value: unknown): void => {
    if (typeof value === "string") {
      if (date.test(value)) newest = Math.max(newest, instantOf(value));
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(look);
  };
  // Deletion timestamps are skipped: they may lie in the future.
  const { dates, status, taints } = datedParts(object);
  look(dates["creationTimestamp"]);
  look(status);
  look(taints);
  return newest;
}

function aged(object: KubeObject, byMs: number): KubeObject {
  const age = (value: unknown): unknown => {
    if (typeof value === "string")
      return date.test(value) ? timestamp(instantOf(value) - byMs) : value;
    if (Array.isArray(value)) return value.map(age);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, age(part)]));
  };
  const { dates, status, taints } = datedParts(object);
  const { spec } = specAndStatus(object);
  const own = Object.entries(dates).filter(([, date]) => date !== undefined);
  return asKubeObject({
    ...object,
    metadata: {
      ...object.metadata,
      ...Object.fromEntries(own.map(([key, date]) => [key, age(date)])),
    },
    ...(status !== undefined && { status: age(status) }),
    ...(taints !== undefined && { spec: { ...(spec as object), taints: age(taints) } }),
  });
}
