/**
 * A small API server: decoding, defaulting, admission and validation (api/requests.ts), then storage with resource versions,
 * conflicts, finalizers, graceful pod deletion and subresources. Upstream: kube-apiserver v1.36,
 * registry/generic/registry/store.go. Not modeled: authorization, managedFields, apply patches.
 */
import { checkLimits } from "../api/admission/limit-ranger.ts";
import { checkNamespaceDeletion } from "../api/admission/namespace-lifecycle.ts";
import { withTopologyLabels } from "../api/admission/pod-topology-labels.ts";
import { customKinds } from "../api/decoding/custom-resource.ts";
import { deepEqual, frozenCopy, withFields } from "../api/json.ts";
import {
  type ApiError,
  alreadyExists,
  asKubeObject,
  type Draft,
  isNamespaced,
  type Kind,
  type KubeObject,
  notFound,
  notServed,
  type Result,
  specAndStatus,
} from "../api/meta.ts";
import type { Mutable } from "../api/mutable.ts";
import type { Patch, RequestContext } from "../api/request-context.ts";
import { answerCreate, answerUpdate } from "../api/requests.ts";
import { semanticEqual } from "../api/semantic-equal.ts";
import { snapshotGroup } from "../api/served-instead.ts";
import { isCounted } from "../api/strategy/create.ts";
import { conflictWith } from "../api/strategy/update-conflict.ts";
import { timestamp } from "../api/timestamp.ts";
import type { PersistentVolumeStatus } from "../api/types.ts";
import { charge } from "../quota/admission.ts";
import { isChargedOnUpdate } from "../quota/usage.ts";
import type { DeleteOptions } from "../runtime/effects.ts";
import type { Random } from "../runtime/random.ts";
import type { AdmissionPlugin, KubernetesVersion } from "../scenario.ts";
import type { Instant } from "../trace/instant.ts";
import { deletionOf, isGone, preconditionFailed, withDeletion } from "./deletion.ts";
import { ObjectStore, type Slot } from "./object-store.ts";
import { bindingRefusal, boundPod } from "./pod-binding.ts";
import { copyOfMetadata, frozenVersion, isSameVersion } from "./version.ts";

/** A committed change of a slot's object; `before` is absent at creation, `after` at removal. */
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
  readonly version: KubernetesVersion;
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
    this.version = version;
    this.#disabledAdmissionPlugins = disabledAdmissionPlugins;
    this.#random = random;
    this.#now = now;
    this.#committed = committed;
  }

  /** The current time as written into objects. */
  get timestamp(): string {
    return timestamp(this.#now());
  }

  #context(more: Pick<RequestContext, "uid" | "nameSuffix" | "patch"> = {}): RequestContext {
    return {
      version: this.version,
      cluster: this.store,
      now: this.timestamp,
      disabledAdmissionPlugins: this.#disabledAdmissionPlugins,
      uid: more.uid,
      nameSuffix: more.nameSuffix,
      patch: more.patch,
    };
  }

  /** Creates an object from a client's request, typed or not. */
  create<K extends Kind>(input: Draft<K> | Readonly<Record<string, unknown>>): Answer<K> {
    const uid = this.#random.uuid();
    const nameSuffix = this.#random.suffix();
    const answer = answerCreate(input, this.#context({ uid, nameSuffix }));
    if (!answer.ok) return answer;
    const { object, warnings } = answer;
    const kind = object.kind as K;
    const name = object.metadata.name ?? "";
    const namespace = isNamespaced(kind) ? (object.metadata.namespace ?? "default") : undefined;
    const metadata = copyOfMetadata(object.metadata);
    if (object.kind === "Pod" && object.spec.nodeName !== undefined) {
      const { labels } = object.metadata;
      const all = withTopologyLabels(labels, object.spec.nodeName, this.store, this.version);
      if (all !== undefined) metadata.labels = all;
    }
    metadata.name = name;
    if (namespace !== undefined) metadata.namespace = namespace;
    metadata.uid = uid;
    metadata.creationTimestamp = this.timestamp;
    if (isCounted(kind, this.version)) metadata.generation = 1;
    metadata.resourceVersion = this.store.nextVersion();
    const { status } = specAndStatus(object);
    const offered = frozenVersion(
      undefined,
      asKubeObject(object),
      metadata as Mutable<Meta>,
      status,
    );
    const refused = this.#charge(offered, undefined, "");
    if (refused !== undefined) return { ok: false, error: refused, warnings };
    // The quota stays charged until the next full recount, as upstream.
    const existing = this.store.get(kind, namespace, name);
    if (existing !== undefined) return { ok: false, error: alreadyThere(existing), warnings };
    this.#committed({
      verb: "create",
      subresource: "",
      slot: this.store.add(offered),
      after: offered,
    });
    return { ok: true, object: offered as KubeObject<K>, warnings };
  }

  /** Stores an object of an earlier cluster unchanged, including its status, except for a new resourceVersion. */
  restore(object: KubeObject): KubeObject {
    const metadata = { ...object.metadata, resourceVersion: this.store.nextVersion() };
    const stored = frozenCopy({ ...object, metadata });
    this.#committed({
      verb: "create",
      subresource: "",
      slot: this.store.put(stored),
      after: stored,
    });
    return stored;
  }

  /** Replaces an object by the result of a client's patch, after checking everything. */
  replace(
    current: KubeObject,
    next: unknown,
    patch: Patch,
    subresource: "" | "status" = "",
  ): Answer {
    if (subresource === "status" && !withStatus.has(current.kind))
      return { ok: false, error: notServed };
    const answer = answerUpdate(current, next, this.#context({ patch }), subresource);
    if (!answer.ok) return answer;
    const { object, warnings } = answer;
    const { namespace, name } = current.metadata;
    const slot = this.store.slot(current.kind, namespace, name);
    if (slot === undefined) return { ok: false, error: notFound(current.kind, name), warnings };
    const written = this.#chargeAndWrite(slot, current, asKubeObject(object), subresource);
    return { ...written, warnings };
  }

  /**
   * A component's update. It is trusted to be valid but may be outdated. Only what is known to be refused is validated: a pod's
   * spec, because StatefulSets set other volumes when they adopt a pod, and a Job's status (Δ81).
   */
  update(next: KubeObject, subresource: "" | "status"): Result<KubeObject> {
    const { kind } = next;
    const { namespace, name } = next.metadata;
    const slot = this.store.slot(kind, namespace, name);
    if (slot === undefined) return { ok: false, error: notFound(kind, name) };
    const current = slot.stored;
    const lost = conflictWith(current, next.metadata);
    if (lost !== undefined) return { ok: false, error: lost };
    const isChecked =
      next.kind === "Pod" && current.kind === "Pod"
        ? subresource === "" && next.spec !== current.spec
        : kind === "Job" && subresource === "status";
    if (isChecked) {
      const answer = answerUpdate(current, next, this.#context(), subresource);
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

  /** Assigns a pod to a node. */
  bind(namespace: string, name: string, uid: string, node: string): Result<KubeObject<"Pod">> {
    const slot = this.store.slot("Pod", namespace, name);
    if (slot === undefined) return { ok: false, error: notFound("Pod", name) };
    const pod = slot.stored as KubeObject<"Pod">;
    const refused = conflictWith(pod, { uid }) ?? bindingRefusal(pod);
    if (refused !== undefined) return { ok: false, error: refused };
    const bound = boundPod(pod, node, this.#context());
    return { ok: true, object: this.#commit(slot, bound, "binding") as KubeObject<"Pod"> };
  }

  /** Deletes an object. Returns it as it is afterwards, or its last version if it is gone. */
  delete(kind: Kind, namespace: string, name: string, options: DeleteOptions): Result<KubeObject> {
    const refused = checkNamespaceDeletion(kind, name);
    if (refused !== undefined) return { ok: false, error: refused };
    const slot = this.store.slot(kind, namespace, name);
    if (slot === undefined) return { ok: false, error: notFound(kind, name) };
    const current = slot.stored;
    const { uid } = current.metadata;
    const { preconditionUid = uid } = options;
    if (preconditionUid !== uid)
      return { ok: false, error: preconditionFailed(current, preconditionUid) };
    const deletion = deletionOf(current, options);
    if (deletion === undefined) return { ok: true, object: current };
    if (deletion.isImmediate) {
      const metadata = copyOfMetadata(current.metadata);
      metadata.resourceVersion = this.store.nextVersion();
      const { status } = specAndStatus(current);
      const last = frozenVersion(current, current, metadata, status);
      return { ok: true, object: this.#remove(slot, last) };
    }
    const next = withDeletion(current, deletion, this.#now(), this.version);
    if (deepEqual(next, current)) return { ok: true, object: current };
    return { ok: true, object: this.#commit(slot, next, "") };
  }

  /**
   * Writes an update. The namespace's LimitRanges apply to a claim whoever writes it; an update that increases usage is charged
   * to the quotas.
   */
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
    const isCharged = isChargedOnUpdate(current, next, subresource, this.version);
    const refused = isCharged ? this.#charge(next, current, subresource) : undefined;
    if (refused !== undefined) return { ok: false, error: refused };
    return { ok: true, object: this.#write(slot, current, next, subresource) };
  }

  /**
   * Charges the object to its quotas; returns an error, and charges nothing, if one of them forbids it. Upstream: the
   * ResourceQuota admission plugin, the last of all.
   */
  #charge(
    object: KubeObject,
    before: KubeObject | undefined,
    subresource: "" | "status",
  ): ApiError | undefined {
    const { namespace } = object.metadata;
    const quotas = namespace === undefined ? [] : this.store.list("ResourceQuota", namespace);
    if (quotas.length === 0) return undefined;
    const charged = charge(quotas, object, before, subresource, this.#now());
    if (!charged.ok) return charged.error;
    for (const quota of charged.charged) {
      const slot = this.store.slot("ResourceQuota", namespace, quota.metadata.name);
      if (slot !== undefined) this.#write(slot, slot.stored, quota, "status");
    }
    return undefined;
  }

  /** Writes either the status of `next` or everything else. Writes nothing if nothing changes. */
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

  /** Writes the status. Metadata is written along with it; fields that a client may not change have been reset before. */
  #writeStatus(slot: Slot, current: KubeObject, next: KubeObject): KubeObject {
    const status =
      next.kind === "PersistentVolume" && current.kind === "PersistentVolume"
        ? this.#withTransitionTime(current, next)
        : specAndStatus(next).status;
    const metadata = metadataOver(current, next);
    if (isSameVersion(current, current, metadata, status)) return current;
    // Only the status of a custom resource can be removed.
    if (status === undefined && !next.apiVersion.startsWith(snapshotGroup)) return current;
    return this.#keep(slot, current, metadata, status, "status");
  }

  /**
   * Sets lastPhaseTransitionTime if the phase changes, unless the client changes it itself. Upstream:
   * pkg/registry/core/persistentvolume/strategy.go PrepareForUpdate of the status.
   */
  #withTransitionTime(
    { status: { phase, lastPhaseTransitionTime: last } = {} }: KubeObject<"PersistentVolume">,
    { status = {} }: KubeObject<"PersistentVolume">,
  ): PersistentVolumeStatus {
    const { lastPhaseTransitionTime: given } = status;
    if (given !== undefined && given !== last) return status;
    const time = status.phase === phase ? last : this.timestamp;
    return time === undefined || time === given
      ? status
      : withFields(status, { lastPhaseTransitionTime: time });
  }

  /** Writes everything but the status of kinds with a status subresource. A change of the spec increases the generation. */
  #writeMain(slot: Slot, current: KubeObject, next: KubeObject): KubeObject {
    const metadata = metadataOver(current, next);
    // A CSIDriver gets a generation with its first change, not at creation.
    const first = isCounted(current.kind, this.version) ? 1 : 0;
    const isNew = (first === 1 || current.kind === "CSIDriver") && isOfNewGeneration(current, next);
    if (isNew) metadata.generation = (current.metadata.generation ?? first) + 1;
    const { status } = specAndStatus(withStatus.has(current.kind) ? current : next);
    if (!isNew && isSameVersion(current, next, metadata, status)) return current;
    return this.#keep(slot, next, metadata, status, "");
  }

  /**
   * Stores `next` with this status and metadata, whose resourceVersion is set here; removes the object if nothing holds it any
   * longer.
   */
  #keep(
    slot: Slot,
    next: KubeObject,
    metadata: Mutable<Meta>,
    status: unknown,
    subresource: Change["subresource"],
  ): KubeObject {
    const before = slot.stored;
    metadata.resourceVersion = this.store.nextVersion();
    const after = frozenVersion(before, next, metadata, status);
    if (isGone(after)) return this.#remove(slot, after);
    slot.stored = after;
    this.#committed({ verb: "update", subresource, slot, before, after });
    return after;
  }

  #commit(slot: Slot, next: KubeObject, subresource: Change["subresource"]): KubeObject {
    const { status } = specAndStatus(next);
    return this.#keep(slot, next, copyOfMetadata(next.metadata), status, subresource);
  }

  /** Removes the object. `last` carries the resourceVersion of the removal. */
  #remove(slot: Slot, last: KubeObject): KubeObject {
    this.store.delete(slot);
    this.#committed({ verb: "delete", subresource: "", slot, before: last });
    return last;
  }
}

/** True if the counted part differs; a quantity written in another way is no difference. */
function isOfNewGeneration(current: KubeObject, next: KubeObject): boolean {
  const isSame = customKinds.has(current.kind) ? deepEqual : semanticEqual;
  return !isSame(countedPart(next), countedPart(current));
}

/**
 * Returns the part whose change increases the generation. Upstream: PrepareForUpdate of the strategies, also
 * customResourceStrategy.
 */
function countedPart(object: KubeObject): unknown {
  if (customKinds.has(object.kind)) return { ...object, metadata: undefined, status: undefined };
  if (object.kind === "PodTemplate") return object.template;
  const { spec } = specAndStatus(object);
  // A Deployment's annotations count because they are copied to its ReplicaSets.
  return object.kind === "Deployment" ? [spec, object.metadata.annotations ?? {}] : spec;
}

/** The error for a name that is taken. Upstream: store.go Create. */
function alreadyThere({ kind, metadata }: KubeObject): ApiError {
  const error = alreadyExists(kind, metadata.name);
  return metadata.deletionTimestamp === undefined
    ? error
    : { ...error, message: `object is being deleted: ${error.message}` };
}

/**
 * The metadata of `next` with the current resourceVersion, so that it can be compared; an empty list of finalizers is left out.
 */
function metadataOver(current: KubeObject, next: KubeObject): Mutable<Meta> {
  const hasNoFinalizers = next.metadata.finalizers?.length === 0;
  const metadata = copyOfMetadata(next.metadata, hasNoFinalizers ? "finalizers" : undefined);
  metadata.resourceVersion = current.metadata.resourceVersion;
  return metadata;
}
