/**
 * The API server in small: decoding, defaulting, admission and validation (api/requests.ts), then storage with resource
 * versions, conflicts, finalizers, graceful pod deletion and sub-resources. Upstream: kube-apiserver v1.36,
 * registry/generic/registry/store.go. Not modelled: authorization, managedFields, apply patches.
 */
import { checkLimits } from "../api/admission/limit-ranger.ts";
import { checkNamespaceDeletion } from "../api/admission/namespace-lifecycle.ts";
import { deepEqual, frozenCopy, withFields } from "../api/json.ts";
import {
  type ApiError,
  alreadyExists,
  conflict,
  type Draft,
  isNamespaced,
  type Kind,
  type KubeObject,
  notFound,
  type Result,
} from "../api/meta.ts";
import type { Mutable } from "../api/mutable.ts";
import type { RequestContext } from "../api/request-context.ts";
import { answerCreate, answerUpdate } from "../api/requests.ts";
import { conflictWith } from "../api/strategy/update.ts";
import type { PersistentVolumeStatus, PodStatus } from "../api/types.ts";
import { charge } from "../quota/admission.ts";
import { isChargedOnUpdate } from "../quota/usage.ts";
import type { DeleteOptions } from "../runtime/effects.ts";
import type { Random } from "../runtime/random.ts";
import { timestamp } from "../runtime/timestamp.ts";
import type { AdmissionPlugin, KubernetesVersion } from "../scenario.ts";
import type { Instant } from "../trace/instant.ts";
import { nominatesBeforeBinding } from "../version-differences.ts";
import { ObjectStore, type Slot } from "./object-store.ts";
import { copyOfMetadata, frozenVersion, isSameVersion } from "./version.ts";

/** A committed change of what the slot holds; `before` is absent at creation, `after` at removal. */
export interface Change {
  readonly verb: "create" | "update" | "delete";
  readonly subresource: "" | "status" | "binding";
  readonly slot: Slot;
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
    const metadata = copyOfMetadata(object.metadata);
    if (zoneLabels !== undefined) metadata.labels = { ...metadata.labels, ...zoneLabels };
    metadata.name = name;
    if (namespace !== undefined) metadata.namespace = namespace;
    metadata.uid = uid;
    metadata.creationTimestamp = timestamp(this.#now());
    metadata.generation = 1;
    metadata.resourceVersion = this.store.nextVersion();
    const { status } = object as { status?: unknown };
    const offered = frozenVersion(
      undefined,
      object as unknown as KubeObject,
      metadata as Mutable<Meta>,
      status,
    );
    const refused = this.#charge(offered, undefined, "");
    if (refused !== undefined) return { ok: false, error: refused, warnings };
    this.#committed({
      verb: "create",
      subresource: "",
      slot: this.store.add(offered),
      after: offered,
    });
    return { ok: true, object: offered as KubeObject<K>, warnings };
  }

  /** Puts an object as it stood in an earlier cluster, status and all; only its resourceVersion is new. */
  restore(object: KubeObject): KubeObject {
    const metadata = { ...object.metadata, resourceVersion: this.store.nextVersion() };
    const stored = frozenCopy({ ...object, metadata } as KubeObject);
    this.#committed({
      verb: "create",
      subresource: "",
      slot: this.store.put(stored),
      after: stored,
    });
    return stored;
  }

  /** What a client's patch makes of an existing object, everything checked. */
  replace(current: KubeObject, next: unknown, subresource: "" | "status"): Answer {
    const context = { ...this.#context(), isPatch: true };
    const answer = answerUpdate(current, next, context, subresource);
    if (!answer.ok) return answer;
    const { object, warnings } = answer;
    const { namespace, name } = current.metadata;
    const slot = this.store.slot(current.kind, namespace, name);
    if (slot === undefined) return { ok: false, error: notFound(current.kind, name), warnings };
    const merged = object as unknown as KubeObject;
    const written = this.#chargeAndWrite(slot, current, merged, subresource);
    return { ...written, warnings };
  }

  /**
   * A component's update: trusted to be valid, but not to be current. Only a pod's spec is checked: StatefulSets ask for other
   * volumes when they adopt a pod, and are refused.
   */
  update(next: KubeObject, subresource: "" | "status"): Result<KubeObject> {
    const { kind } = next;
    const { namespace, name } = next.metadata;
    const slot = this.store.slot(kind, namespace, name);
    if (slot === undefined) return { ok: false, error: notFound(kind, name) };
    const current = slot.stored;
    const lost = conflictWith(current, next.metadata, false);
    if (lost !== undefined) return { ok: false, error: lost };
    const isPod = next.kind === "Pod" && current.kind === "Pod";
    if (isPod && subresource === "" && next.spec !== current.spec) {
      const answer = answerUpdate(current, next, this.#context(), "");
      if (!answer.ok) return answer;
    }
    return this.#chargeAndWrite(slot, current, next, subresource);
  }

  patch(
    kind: Kind,
    namespace: string,
    name: string,
    subresource: "" | "status",
    change: (current: KubeObject) => KubeObject,
  ): Result<KubeObject> {
    const slot = this.store.slot(kind, namespace, name);
    if (slot === undefined) return { ok: false, error: notFound(kind, name) };
    const current = slot.stored;
    return this.#chargeAndWrite(slot, current, change(current), subresource);
  }

  /** Upstream: pkg/registry/core/pod/storage BindingREST.assignPod. */
  bind(namespace: string, name: string, uid: string, node: string): Result<KubeObject<"Pod">> {
    const slot = this.store.slot("Pod", namespace, name);
    if (slot === undefined) return { ok: false, error: notFound("Pod", name) };
    const pod = slot.stored as KubeObject<"Pod">;
    const lost = conflictWith(pod, { uid }, false);
    if (lost !== undefined) return { ok: false, error: lost };
    const refuse = (message: string): Result<KubeObject<"Pod">> => ({
      ok: false,
      error: {
        code: 409,
        reason: "Conflict",
        message: `Operation cannot be fulfilled on pods/binding "${name}": ${message}`,
      },
    });
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
    return { ok: true, object: this.#commit(slot, pod, next, "binding") as KubeObject<"Pod"> };
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
    const refused = checkNamespaceDeletion(kind, name);
    if (refused !== undefined) return { ok: false, error: refused };
    const slot = this.store.slot(kind, namespace, name);
    if (slot === undefined) return { ok: false, error: notFound(kind, name) };
    const current = slot.stored;
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
    if (!waits) {
      const metadata = copyOfMetadata(current.metadata);
      metadata.resourceVersion = this.store.nextVersion();
      const { status } = current as { status?: unknown };
      const last = frozenVersion(current, current, metadata, status);
      return { ok: true, object: this.#remove(slot, last) };
    }
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
    return { ok: true, object: this.#commit(slot, current, next, "") };
  }

  /** A claim is held to the limits of its namespace whoever writes it; an update that grows what is charged meets the quota. */
  #chargeAndWrite(
    slot: Slot,
    current: KubeObject,
    next: KubeObject,
    subresource: "" | "status",
  ): Result<KubeObject> {
    const limited =
      subresource === "" && next.kind === "PersistentVolumeClaim"
        ? checkLimits(next, current, this.store)
        : undefined;
    if (limited !== undefined) return { ok: false, error: limited };
    const isCharged = isChargedOnUpdate(current.kind, subresource, this.#version);
    const refused = isCharged ? this.#charge(next, current, subresource) : undefined;
    if (refused !== undefined) return { ok: false, error: refused };
    return { ok: true, object: this.#write(slot, current, next, subresource) };
  }

  /** Why a quota forbids it; else its quotas are charged. Upstream: the ResourceQuota admission plugin, the last of all. */
  #charge(
    object: KubeObject,
    before: KubeObject | undefined,
    subresource: "" | "status",
  ): ApiError | undefined {
    const { namespace } = object.metadata;
    const quotas = namespace === undefined ? [] : this.store.list("ResourceQuota", namespace);
    if (quotas.length === 0) return undefined;
    const charged = charge(quotas, object, before, subresource);
    if (!charged.ok) return charged.error;
    for (const quota of charged.charged) {
      const slot = this.store.slot("ResourceQuota", namespace, quota.metadata.name);
      if (slot !== undefined) this.#write(slot, slot.stored, quota, "status");
    }
    return undefined;
  }

  /** Writes main or status part of `next` over `current`; what changes nothing is no write. */
  #write(
    slot: Slot,
    current: KubeObject,
    next: KubeObject,
    subresource: "" | "status",
  ): KubeObject {
    return subresource === "status"
      ? this.#writeStatus(slot, current, next)
      : this.#writeMain(slot, current, next);
  }

  #writeStatus(slot: Slot, current: KubeObject, next: KubeObject): KubeObject {
    const { status } = next as { status?: unknown };
    if (status === undefined || deepEqual(status, (current as { status?: unknown }).status))
      return current;
    const stamped =
      next.kind === "PersistentVolume" && current.kind === "PersistentVolume"
        ? this.#withTransitionTime(current, next)
        : status;
    const metadata = copyOfMetadata(current.metadata);
    return this.#keep(slot, current, current, metadata, stamped, "status");
  }

  /** Upstream: pkg/registry/core/persistentvolume/strategy.go PrepareForUpdate of the status. */
  #withTransitionTime(
    { status: before }: KubeObject<"PersistentVolume">,
    { status = {} }: KubeObject<"PersistentVolume">,
  ): PersistentVolumeStatus {
    if (before?.phase === status.phase) return status;
    return withFields(status, { lastPhaseTransitionTime: timestamp(this.#now()) });
  }

  /** The status stays as it is where only its own sub-resource may change it; a new spec is a new generation. */
  #writeMain(slot: Slot, current: KubeObject, next: KubeObject): KubeObject {
    const { resourceVersion, generation } = current.metadata;
    const hasNoFinalizers = next.metadata.finalizers?.length === 0;
    const metadata = copyOfMetadata(next.metadata, hasNoFinalizers ? "finalizers" : undefined);
    const isNewSpec = !deepEqual(
      (next as { spec?: unknown }).spec,
      (current as { spec?: unknown }).spec,
    );
    if (isNewSpec) metadata.generation = (generation ?? 1) + 1;
    metadata.resourceVersion = resourceVersion;
    const { status } = (withStatus.has(current.kind) ? current : next) as { status?: unknown };
    if (!isNewSpec && isSameVersion(current, next, metadata, status)) return current;
    return this.#keep(slot, current, next, metadata, status, "");
  }

  /** Keeps `next` with that status and that metadata, which get their resourceVersion here; or removes it, where nothing holds it. */
  #keep(
    slot: Slot,
    before: KubeObject,
    next: KubeObject,
    metadata: Mutable<Meta>,
    status: unknown,
    subresource: Change["subresource"],
  ): KubeObject {
    metadata.resourceVersion = this.store.nextVersion();
    const after = frozenVersion(before, next, metadata, status);
    if (isGone(after)) return this.#remove(slot, after);
    slot.stored = after;
    this.#committed({ verb: "update", subresource, slot, before, after });
    return after;
  }

  #commit(
    slot: Slot,
    before: KubeObject,
    next: KubeObject,
    subresource: Change["subresource"],
  ): KubeObject {
    const { status } = next as { status?: unknown };
    return this.#keep(slot, before, next, copyOfMetadata(next.metadata), status, subresource);
  }

  /** `last` has the resourceVersion of the removal. */
  #remove(slot: Slot, last: KubeObject): KubeObject {
    this.store.delete(slot);
    this.#committed({ verb: "delete", subresource: "", slot, before: last });
    return last;
  }
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
