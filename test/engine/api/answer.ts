/** Sends requests to the engine's API server and returns its answers in readable form. */
import { parse } from "yaml";
import { mergePatch } from "../../../src/engine/api/json.ts";
import type { Kind, KubeObject } from "../../../src/engine/api/meta.ts";
import type {
  ClusterView,
  Patch,
  RequestContext,
} from "../../../src/engine/api/request-context.ts";
import {
  answerCreate,
  answerUpdate,
  type RequestAnswer,
} from "../../../src/engine/api/requests.ts";
import { storedObject } from "../../../src/engine/api/stored-object.ts";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";

const now = "2026-01-01T00:00:00Z";

/** A cluster that holds the objects of a YAML list. */
export function clusterOf(yaml = "[]"): ClusterView {
  const objects = (parse(yaml) as Record<string, unknown>[]).map((object) => stored(object));
  return {
    get: <K extends Kind>(kind: K, namespace: string | undefined, name: string) =>
      objects.find(
        (o) => o.kind === kind && o.metadata.name === name && o.metadata.namespace === namespace,
      ) as KubeObject<K> | undefined,
    list: <K extends Kind>(kind: K, namespace?: string) =>
      objects.filter(
        (o) => o.kind === kind && (namespace === undefined || o.metadata.namespace === namespace),
      ) as unknown as readonly KubeObject<K>[],
  };
}

function stored(object: Record<string, unknown>): KubeObject {
  const metadata = object["metadata"] as object;
  const stamped = { uid: "u", resourceVersion: "1", creationTimestamp: now, ...metadata };
  return { ...object, metadata: stamped } as unknown as KubeObject;
}

function context(cluster: ClusterView, version: KubernetesVersion = "1.36"): RequestContext {
  return { version, cluster, now };
}

export function create(
  yaml: string,
  cluster: ClusterView = clusterOf(),
  version: KubernetesVersion = "1.36",
): RequestAnswer {
  return answerCreate(parse(yaml), context(cluster, version));
}

export const asMergePatch: Patch = { left: undefined, fieldValidation: "Strict" };

/** Creates an object and patches it. */
export function patch(before: string, change: string): RequestAnswer {
  const cluster = clusterOf();
  const made = create(before, cluster);
  if (!made.ok) throw new Error(`the object is refused: ${made.error.message}`);
  const current = stored(made.object as unknown as Record<string, unknown>);
  const patched = mergePatch(current, parse(change));
  return answerUpdate(current, patched, { ...context(cluster), patch: asMergePatch }, "");
}

/** Creates an object and updates its status, as a controller does, optionally with changes to its metadata. */
export function report(before: string, status: string, metadata = "{}"): RequestAnswer {
  const made = create(before);
  if (!made.ok) throw new Error(`the object is refused: ${made.error.message}`);
  const current = stored(made.object as unknown as Record<string, unknown>);
  const changed = { ...current.metadata, ...parse(metadata) };
  const next = { ...current, metadata: changed, status: parse(status) };
  return answerUpdate(current, next, context(clusterOf()), "status");
}

/** Updates the status of an object that is stored with one. */
export function reportAgain(
  before: string,
  status: string,
  version: KubernetesVersion = "1.36",
): RequestAnswer {
  const read = storedObject(parse(before) as Record<string, unknown>);
  if (!read.ok) throw new Error(read.error);
  const current = stored(read.object as unknown as Record<string, unknown>);
  const next = { ...current, status: parse(status) };
  return answerUpdate(current, next, context(clusterOf(), version), "status");
}

/** Patches an object that another server has stored, whatever its rules. */
export function patchStored(
  before: string,
  change: string,
  version: KubernetesVersion = "1.36",
): RequestAnswer {
  const read = storedObject(parse(before) as Record<string, unknown>);
  if (!read.ok) throw new Error(read.error);
  const current = stored(read.object as unknown as Record<string, unknown>);
  const patched = mergePatch(current, parse(change));
  const asked = { ...context(clusterOf(), version), patch: asMergePatch };
  return answerUpdate(current, patched, asked, "");
}

/** A cluster that has changed between two requests. */
interface ChangedCluster {
  readonly before: ClusterView;
  readonly after: ClusterView;
}

/** Creates the first object and replaces it with the second; `status` is what controllers have reported in between. */
export function replace(
  before: string,
  after: string,
  status?: unknown,
  cluster: ClusterView | ChangedCluster = clusterOf(),
  version: KubernetesVersion = "1.36",
): RequestAnswer {
  const clusters = "before" in cluster ? cluster : { before: cluster, after: cluster };
  const made = create(before, clusters.before, version);
  if (!made.ok) throw new Error(`the first object is refused: ${made.error.message}`);
  const object = made.object as unknown as Record<string, unknown>;
  const current = stored({ ...object, ...(status !== undefined && { status }) });
  return answerUpdate(current, parse(after), context(clusters.after, version), "");
}

/** The causes of the refusal, one per line, or `accepted`. */
export function refusal(answer: RequestAnswer): string {
  if (answer.ok) return "accepted";
  const { causes, message } = answer.error;
  return causes === undefined ? message : causes.map((c) => `${c.field}: ${c.message}`).join("\n");
}

/** A field of the accepted object, by its path. */
export function field(answer: RequestAnswer, path: string): unknown {
  if (!answer.ok) throw new Error(answer.error.message);
  let value: unknown = answer.object;
  for (const part of path.split("."))
    value = (value as Record<string, unknown> | undefined)?.[part];
  return value;
}
