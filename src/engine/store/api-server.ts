/**
 * The API server in small: decoding, defaulting, admission and validation (api/requests.ts), then storage with resource
 * versions, conflicts, finalizers, graceful pod deletion and sub-resources. Upstream: kube-apiserver v1.36,
 * registry/generic/registry/store.go. Not modelled: authorization, managedFields, apply patches.
 */
import { deepEqual, frozenCopyWith, withFields } from "../api/json.ts";
import {
  type ApiError,
  alreadyExists,
  conflict,
  type Draft,
  isNamespaced,
  type Kind,
  type KubeObject,
  type Names,
  namesOf,
  notFound,
  type Result,
} from "../api/meta.ts";
import { answerCreate, answerUpdate, type RequestContext } from "../api/requests.ts";
import type { PodStatus } from "../api/types.ts";
import { charge } from "../quota/admission.ts";
import { isChargedOnUpdate } from "../quota/usage.ts";
import type { DeleteOptions } from "../runtime/effects.ts";
import type { Random } from "../runtime/random.ts";
import { timestamp } from "../runtime/timestamp.ts";
import type { AdmissionPlugin, KubernetesVersion } from "../scenario.ts";
import type { Instant } from "../trace/trace.ts";
import { nominatesBeforeBinding } from "../version-differences.ts";
import { ObjectStore } from "./object-store.ts";

/** A committed change; `before` is absent at creation, `after` at removal. */
export interface Change {
  readonly verb: "create" | "update" | "delete";
  readonly subresource: "" | "status" | "binding";
  readonly names: Names;
  readonly before?: KubeObject;
  readonly after?: KubeObject;
}

export type Answer<K extends Kind = Kind> = Result<KubeObject<K>> & {
  readonly warnings?: readonly string[];
};

/** Kinds whose main endpoint ignores status and whose status endpoint ignores the rest. */
const withStatus: ReadonlySet<Kind> = new Set<Kind>([
  "PersistentVolume",
  "PersistentVolumeClaim",
  "Pod",
  "Node",
  "Namespace",
  "ResourceQuota",
  "ReplicationController",
  "Deployment",
  "ReplicaSet",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "CronJob",
  "PodDisruptionBudget",
  "VolumeAttachment",
  "VolumeSnapshot",
  "VolumeSnapshotContent",
  "Service",
]);

type Meta = KubeObject["metadata"];

export class ApiServer {
  readonly store: ObjectStore = new ObjectStore();
  readonly #version: KubernetesVersion;
  readonly #disabledAdmissionPlugins: readonly AdmissionPlugin[];
  readonly #random: Random;
  readonly #now: () => Instant;
  readonly #committed: (change: Change) => void;

  constructor(
    version: KubernetesVersion,
    random: Random,
    now: () => Instant,
    committed: (change: Change) => void,
    disabledAdmissionPlugins: readonly AdmissionPlugin[] = [],
  ) {
    this.#version = version;
    this.#disabledAdmissionPlugins = disabledAdmissionPlugins;
    this.#random = random;
    this.#now = now;
    this.#committed = committed;
  }

  /** The time that a write would be stamped with now. */
  get timestamp(): string {
    return timestamp(this.#now());
  }

  #context(): RequestContext {
    return {
      version: this.#version,
      cluster: this.store,
      now: timestamp(this.#now()),
      disabledAdmissionPlugins: this.#disabledAdmissionPlugins,
    };
  }

  /** Creates what a client sent, typed or not. */
  create<K extends Kind>(input: Draft<K> | Readonly<Record<string, unknown>>): Answer<K> {
    const uid = this.#random.uuid();
    const answer = answerCreate(input, {
      version: this.#version,
      cluster: this.store,
      now: timestamp(this.#now()),
      disabledAdmissionPlugins: this.#disabledAdmissionPlugins,
      uid,
      nameSuffix: this.#random.suffix(),
    });
    if (!answer.ok) return answer;
    const { object, warnings } = answer;
    const kind = object.kind as K;
    const name = object.metadata.name ?? "";
    const namespace = isNamespaced(kind) ? (object.metadata.namespace ?? "default") : undefined;
    const existing = this.store.get(kind, namespace, name);
    if (existing !== undefined) return { ok: false, error: alreadyExists(kind, name), warnings };
    const zoneLabels =
      object.kind === "Pod" && object.spec.nodeName !== undefined
        ? this.#topologyLabels(object.spec.nodeName)
        : undefined;
    const metadata = withFields(object.metadata, {
      ...(zoneLabels !== undefined && { labels: { ...object.metadata.labels, ...zoneLabels } }),
      name,
      ...(namespace !== undefined && { namespace }),
      uid,
      creationTimestamp: timestamp(this.#now()),
      generation: 1,
      resourceVersion: this.store.nextVersion(),
    });
    const offered = { ...object, metadata } as unknown as KubeObject<K>;
    const refused = this.#charge(offered as KubeObject, undefined);
    if (refused !== undefined) return { ok: false, error: refused, warnings };
    const { object: stored, names } = this.store.put(offered);
    this.#committed({ verb: "create", subresource: "", names, after: stored as KubeObject });
    return { ok: true, object: stored, warnings };
  }

  /** Puts an object as it stood in an earlier cluster, status and all; only its resourceVersion is new. */
  restore(object: KubeObject): KubeObject {
    const metadata = { ...object.metadata, resourceVersion: this.store.nextVersion() };
    const { object: stored, names } = this.store.put({ ...object, metadata } as KubeObject);
    this.#committed({ verb: "create", subresource: "", names, after: stored });
    return stored;
  }

  /** A client's replace or patch: everything is checked. `next` has the name of an existing object. */
  replace(current: KubeObject, next: unknown, subresource: "" | "status"): Answer {
    const answer = answerUpdate(current, next, this.#context(), subresource);
    if (!answer.ok) return answer;
    const { object, warnings } = answer;
    const written = this.#chargeAndWrite(current, object as unknown as KubeObject, subresource);
    return { ...written, warnings };
  }

  /** A component's update: trusted to be valid, but not to be current. */
  update(next: KubeObject, subresource: "" | "status"): Result<KubeObject> {
    const { kind } = next;
    const { namespace, name, resourceVersion, uid } = next.metadata;
    const current = this.store.get(kind, namespace, name);
    if (current === undefined) return { ok: false, error: notFound(kind, name) };
    if (uid !== current.metadata.uid || resourceVersion !== current.metadata.resourceVersion) {
      return { ok: false, error: conflict(kind, name) };
    }
    return this.#chargeAndWrite(current, next, subresource);
  }

  patch(
    kind: Kind,
    namespace: string,
    name: string,
    subresource: "" | "status",
    change: (current: KubeObject) => KubeObject,
  ): Result<KubeObject> {
    const current = this.store.get(kind, namespace, name);
    if (current === undefined) return { ok: false, error: notFound(kind, name) };
    return this.#chargeAndWrite(current, change(current), subresource);
  }

  /** Upstream: pkg/registry/core/pod/storage BindingREST.assignPod. */
  bind(namespace: string, name: string, uid: string, node: string): Result<KubeObject<"Pod">> {
    const pod = this.store.get("Pod", namespace, name);
    if (pod === undefined) return { ok: false, error: notFound("Pod", name) };
    const refuse = (message: string): Result<KubeObject<"Pod">> => ({
      ok: false,
      error: {
        code: 409,
        reason: "Conflict",
        message: `Operation cannot be fulfilled on pods/binding "${name}": ${message}`,
      },
    });
    if (pod.metadata.uid !== uid)
      return refuse(
        `uid mismatch: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid}`,
      );
    if (pod.metadata.deletionTimestamp !== undefined)
      return refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
    if (pod.spec.nodeName !== undefined)
      return refuse(`pod ${name} is already assigned to node "${pod.spec.nodeName}"`);
    const zoneLabels = this.#topologyLabels(node);
    const { status = {} } = pod;
    const next: KubeObject<"Pod"> = {
      ...pod,
      metadata: {
        ...pod.metadata,
        ...(zoneLabels !== undefined && { labels: { ...pod.metadata.labels, ...zoneLabels } }),
      },
      spec: { ...pod.spec, nodeName: node },
      status: withFields(nominatesBeforeBinding(this.#version) ? withoutNomination(pod) : status, {
        conditions: [
          ...(status.conditions ?? []).filter((c) => c.type !== "PodScheduled"),
          { type: "PodScheduled", status: "True", lastTransitionTime: timestamp(this.#now()) },
        ],
      }),
    };
    return { ok: true, object: this.#commit(pod, next, "binding") as KubeObject<"Pod"> };
  }

  /**
   * The PodTopologyLabels admission plugin: a pod gets the zone and region labels of its node when it is bound, or created
   * with a node (1.35 and newer). Undefined where there are none.
   */
  #topologyLabels(node: string): Record<string, string> | undefined {
    if (this.#version < "1.35") return undefined;
    const labels = this.store.get("Node", undefined, node)?.metadata.labels ?? {};
    const taken: Record<string, string> = {};
    for (const key of ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"]) {
      const value = labels[key];
      if (value !== undefined) taken[key] = value;
    }
    return Object.keys(taken).length > 0 ? taken : undefined;
  }

  /** Upstream: registry/generic/registry/store.go Delete with BeforeDelete and the pod strategy's CheckGracefulDelete. */
  delete(kind: Kind, namespace: string, name: string, options: DeleteOptions): Result<KubeObject> {
    const current = this.store.get(kind, namespace, name);
    if (current === undefined) return { ok: false, error: notFound(kind, name) };
    if (options.preconditionUid !== undefined && options.preconditionUid !== current.metadata.uid) {
      return {
        ok: false,
        error: preconditionFailed(kind, name, options.preconditionUid, current.metadata.uid),
      };
    }
    const finalizers = deletionFinalizers(current, options.propagationPolicy);
    const grace = current.kind === "Pod" ? podGraceSeconds(current, options.gracePeriodSeconds) : 0;
    const waits =
      finalizers.length > 0 ||
      grace > 0 ||
      (current.kind === "Namespace" && (current.spec.finalizers ?? []).length > 0);
    if (!waits) return { ok: true, object: this.#remove(current) };
    const before = current.metadata;
    const deadline = timestamp(this.#now() + grace * 1000);
    // A second delete may shorten the grace period, never lengthen it.
    const sooner =
      before.deletionTimestamp === undefined ||
      (current.kind === "Pod" && grace < (before.deletionGracePeriodSeconds ?? 0));
    const metadata: Meta = {
      ...before,
      ...(finalizers.length > 0 && { finalizers }),
      ...(sooner && {
        deletionTimestamp: deadline,
        deletionGracePeriodSeconds: grace,
        generation: (before.generation ?? 1) + 1,
      }),
    };
    const next = {
      ...current,
      metadata,
      ...(current.kind === "Namespace" && { status: { ...current.status, phase: "Terminating" } }),
    } as KubeObject;
    if (deepEqual(next, current)) return { ok: true, object: current };
    return { ok: true, object: this.#commit(current, next, "") };
  }

  /** An update that grows what is charged meets the quota like a create. */
  #chargeAndWrite(
    current: KubeObject,
    next: KubeObject,
    subresource: "" | "status",
  ): Result<KubeObject> {
    const isCharged = isChargedOnUpdate(current.kind, subresource, this.#version);
    const refused = isCharged ? this.#charge(next, current) : undefined;
    if (refused !== undefined) return { ok: false, error: refused };
    return { ok: true, object: this.#write(current, next, subresource) };
  }

  /** Why a quota forbids it; else its quotas are charged. Upstream: the ResourceQuota admission plugin, the last of all. */
  #charge(object: KubeObject, before: KubeObject | undefined): ApiError | undefined {
    const { namespace } = object.metadata;
    const quotas = namespace === undefined ? [] : this.store.list("ResourceQuota", namespace);
    if (quotas.length === 0) return undefined;
    const charged = charge(quotas, object, before);
    if (!charged.ok) return charged.error;
    for (const quota of charged.charged) {
      const current = this.store.get("ResourceQuota", namespace, quota.metadata.name);
      if (current !== undefined) this.#write(current, quota, "status");
    }
    return undefined;
  }

  /** Writes main or status part of `next` over `current`; what changes nothing is no write. */
  #write(current: KubeObject, next: KubeObject, subresource: "" | "status"): KubeObject {
    const merged =
      subresource === "status" ? this.#withNewStatus(current, next) : withNewMain(current, next);
    if (deepEqual(merged, current)) return current;
    if (isGone(merged)) return this.#remove(merged, current);
    return this.#commit(current, merged, subresource);
  }

  #withNewStatus(current: KubeObject, next: KubeObject): KubeObject {
    const { status } = next as { status?: unknown };
    if (status === undefined || status === (current as { status?: unknown }).status) return current;
    const merged = { ...current, status } as KubeObject;
    if (merged.kind !== "PersistentVolume") return merged;
    const before = (current as KubeObject<"PersistentVolume">).status?.phase;
    if (before === merged.status?.phase) return merged;
    // Upstream: pkg/registry/core/persistentvolume/strategy.go PrepareForUpdate of the status.
    const lastPhaseTransitionTime = timestamp(this.#now());
    return { ...merged, status: { ...merged.status, lastPhaseTransitionTime } };
  }

  #commit(
    before: KubeObject,
    next: KubeObject,
    subresource: "" | "status" | "binding",
  ): KubeObject {
    const version = this.store.nextVersion();
    const metadata = frozenCopyWith(next.metadata, "resourceVersion", version);
    const { object: after, names } = this.store.put(frozenCopyWith(next, "metadata", metadata));
    this.#committed({ verb: "update", subresource, names, before, after });
    return after;
  }

  #remove(last: KubeObject, before: KubeObject = last): KubeObject {
    const final = {
      ...last,
      metadata: { ...last.metadata, resourceVersion: this.store.nextVersion() },
    } as KubeObject;
    const names = this.store.delete(before) ?? namesOf(before);
    this.#committed({ verb: "delete", subresource: "", names, before: final });
    return final;
  }
}

/** `next` with the status that only its own sub-resource may change, and a new generation where its spec is new. */
function withNewMain(current: KubeObject, next: KubeObject): KubeObject {
  const { status } = current as { status?: unknown };
  let merged = next;
  if (withStatus.has(current.kind) && (next as { status?: unknown }).status !== status) {
    const { status: _, ...rest } = next as unknown as Record<string, unknown>;
    merged = { ...rest, ...(status !== undefined && { status }) } as unknown as KubeObject;
  }
  const { resourceVersion, generation } = current.metadata;
  const isNewSpec = !deepEqual(
    (merged as { spec?: unknown }).spec,
    (current as { spec?: unknown }).spec,
  );
  const hasNoFinalizers = merged.metadata.finalizers?.length === 0;
  if (!isNewSpec && !hasNoFinalizers && merged.metadata.resourceVersion === resourceVersion)
    return merged;
  const { finalizers: _, ...withoutFinalizers } = merged.metadata;
  const metadata = withFields(
    hasNoFinalizers ? withoutFinalizers : merged.metadata,
    isNewSpec ? { generation: (generation ?? 1) + 1, resourceVersion } : { resourceVersion },
  );
  return { ...merged, metadata } as KubeObject;
}

/** An object that is being deleted goes when its last finalizer does; a pod in addition only with no grace left. */
function isGone(object: KubeObject): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp === undefined || (finalizers ?? []).length > 0) return false;
  if (object.kind === "Namespace") return (object.spec.finalizers ?? []).length === 0;
  return object.kind !== "Pod" || (deletionGracePeriodSeconds ?? 0) === 0;
}

/** Upstream: pod strategy CheckGracefulDelete. Pods that no kubelet runs, or that ended, go at once. */
function podGraceSeconds(pod: KubeObject<"Pod">, asked: number | undefined): number {
  const grace = asked ?? pod.spec.terminationGracePeriodSeconds ?? 30;
  if (pod.spec.nodeName === undefined) return 0;
  if (pod.status?.phase === "Failed" || pod.status?.phase === "Succeeded") return 0;
  if (pod.metadata.deletionTimestamp !== undefined)
    return Math.min(grace, pod.metadata.deletionGracePeriodSeconds ?? grace);
  return Math.max(0, grace);
}

/** Upstream: deletionFinalizersForGarbageCollection. */
function deletionFinalizers(
  object: KubeObject,
  policy: DeleteOptions["propagationPolicy"],
): readonly string[] {
  const others = (object.metadata.finalizers ?? []).filter(
    (f) => f !== "orphan" && f !== "foregroundDeletion",
  );
  if (policy === "Foreground") return [...others, "foregroundDeletion"];
  if (policy === "Orphan") return [...others, "orphan"];
  return policy === "Background" ? others : (object.metadata.finalizers ?? []);
}

function preconditionFailed(kind: Kind, name: string, wanted: string, found: string): ApiError {
  const base = conflict(kind, name).message.split(": ")[0];
  return {
    code: 409,
    reason: "Conflict",
    message: `${base}: Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`,
  };
}

/** A bound pod needs no promised node any more (gate ClearingNominatedNodeNameAfterBinding). */
function withoutNomination({ status }: KubeObject<"Pod">): PodStatus {
  const { nominatedNodeName: _, ...rest } = status ?? {};
  return rest;
}
