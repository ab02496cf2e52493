/**
 * Changes to an object between defaulting and validation of a create: the status is reset, names are generated, fields
 * behind feature gates that are off are dropped. Upstream: registry/rest/create.go BeforeCreate and the PrepareForCreate of
 * pkg/registry/{core,apps,batch,storage,policy}/*\/strategy.go, v1.36.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { countsPodGenerations, declaresNodeFeatures } from "../../version-differences.ts";
import { customKinds } from "../decoding/custom-resource.ts";
import { zeroOfModel } from "../decoding/decode.ts";
import type { Kind, KubeObject } from "../meta.ts";
import { dropField, type Mutable, type MutableObject } from "../mutable.ts";
import type { RequestContext } from "../request-context.ts";
import { kindSchemas, modelSchemas } from "../schema.ts";
import type {
  DaemonSet,
  Job,
  Namespace,
  Node,
  ObjectMeta,
  PersistentVolume,
  Pod,
  Service,
} from "../types.ts";
import { dropAttributesClass } from "./attributes-class.ts";
import { dropDriverFields } from "./csi-driver.ts";
import { prepareDataSources } from "./data-sources.ts";
import { mergeMatchLabelKeys } from "./match-label-keys.ts";
import { dropConfigSource } from "./node.ts";
import { dropDisabledPodFields, podSpecOf } from "./pod-fields.ts";
import { podQosClass } from "./qos-class.ts";
import { prepareNewAddresses } from "./service.ts";
import { keepSecretNames } from "./service-account.ts";
import { dropMaxUnavailable } from "./stateful-set.ts";

type Prepare<K extends Kind = Kind> = (object: MutableObject<K>, context: RequestContext) => void;

/** Used if the caller does not store the object and so has drawn no name or uid. */
const placeholderUid = "00000000-0000-0000-0000-000000000000";
const placeholderSuffix = "xxxxx";
const generatedBaseLengthMax = 58;

const preparations: { readonly [K in Kind]?: Prepare<K> } = {
  PersistentVolume: preparePersistentVolume,
  PersistentVolumeClaim: (claim, context) => {
    claim.status = { phase: "Pending" };
    dropAttributesClass(claim.spec, undefined, context.version);
    prepareDataSources(claim.spec, undefined);
  },
  Pod: preparePod,
  Namespace: prepareNamespace,
  CSIDriver: (driver, context) => dropDriverFields(driver, undefined, context.version),
  DaemonSet: prepareDaemonSet,
  Job: prepareJob,
  Node: prepareNode,
  Service: prepareService,
  ServiceAccount: keepSecretNames,
  StatefulSet: (set) => {
    resetStatus(set);
    dropMaxUnavailable(set);
  },
  LimitRange: (limitRange, context) => {
    if ((limitRange.metadata.name ?? "") === "")
      limitRange.metadata.name = context.uid ?? placeholderUid;
  },
};

const countedKinds: ReadonlySet<Kind> = new Set<Kind>([
  "CronJob",
  "DaemonSet",
  "Deployment",
  "Job",
  "Pod",
  "PodDisruptionBudget",
  "PodTemplate",
  "PriorityClass",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
  ...customKinds,
]);

/** True for kinds whose strategies, like that of custom resources, count generations from one; others keep what is sent. */
export function isCounted(kind: Kind, version: KubernetesVersion): boolean {
  return countedKinds.has(kind) && (kind !== "Pod" || countsPodGenerations(version));
}

/** A plain object has nothing to drop. */
export function prepareForCreate(
  object: MutableObject,
  context: RequestContext,
  isPlain: boolean,
): void {
  const { metadata } = object;
  generateName(metadata, context);
  if (!isPlain) {
    // Only the server writes these.
    dropField(metadata, "deletionTimestamp");
    dropField(metadata, "deletionGracePeriodSeconds");
    dropField(metadata, "creationTimestamp");
    dropField(metadata, "selfLink");
    dropField(metadata, "uid");
    if (isCounted(object.kind, context.version)) dropField(metadata, "generation");
    const spec = podSpecOf(object);
    if (spec !== undefined) dropDisabledPodFields(spec, undefined, context.version);
  }
  const prepare = preparations[object.kind] as Prepare | undefined;
  if (prepare === undefined) resetStatus(object);
  else prepare(object, context);
}

function generateName(metadata: Mutable<ObjectMeta>, context: RequestContext): void {
  const base = metadata.generateName ?? "";
  metadata.name ??= "";
  if (base === "" || metadata.name !== "") return;
  metadata.name = base.slice(0, generatedBaseLengthMax) + (context.nameSuffix ?? placeholderSuffix);
}

const statusModels: ReadonlyMap<Kind, string> = new Map(
  kindSchemas.flatMap(({ kind, model }) => {
    const status = modelSchemas[model]?.["status"];
    return status === undefined || customKinds.has(kind) ? [] : [[kind, status[0]]];
  }),
);

/** Resets the status to its zero value; kinds without a status have none to reset. */
function resetStatus(object: MutableObject): void {
  // Custom resources have no zero value: they start without a status.
  if (customKinds.has(object.kind)) dropField(object as { status?: unknown }, "status");
  const model = statusModels.get(object.kind);
  if (model !== undefined) (object as { status?: unknown }).status = zeroOfModel(model);
}

function preparePersistentVolume(volume: Mutable<PersistentVolume>, context: RequestContext): void {
  volume.status = { phase: "Pending", lastPhaseTransitionTime: context.now };
  dropAttributesClass(volume.spec, undefined, context.version);
}

/** A new node keeps its status, except for what no server, or not this version of it, supports. */
function prepareNode(node: Mutable<Node>, context: RequestContext): void {
  dropConfigSource(node);
  const { status } = node;
  if (status === undefined) return;
  dropField(status, "config");
  if (!declaresNodeFeatures(context.version)) dropField(status, "declaredFeatures");
}

function prepareNamespace(namespace: Mutable<Namespace>): void {
  namespace.status = { phase: "Active" };
  const finalizers = namespace.spec?.finalizers ?? [];
  namespace.spec = {
    finalizers: finalizers.includes("kubernetes") ? finalizers : [...finalizers, "kubernetes"],
  };
}

function prepareService(service: Mutable<Service>): void {
  resetStatus(service);
  const { spec } = service;
  if (spec !== undefined) prepareNewAddresses(spec);
}

function prepareDaemonSet(set: Mutable<DaemonSet>): void {
  resetStatus(set);
  set.metadata.annotations = {
    ...set.metadata.annotations,
    "deprecated.daemonset.template.generation": "1",
  };
}

/** Upstream: pkg/registry/core/pod/strategy.go PrepareForCreate. */
function preparePod(pod: Mutable<Pod>, context: RequestContext): void {
  pod.status = { phase: "Pending", qosClass: podQosClass(pod.spec) };
  if ((pod.spec.schedulingGates ?? []).length > 0) {
    pod.status.conditions = [
      {
        type: "PodScheduled",
        status: "False",
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
        lastTransitionTime: context.now,
      },
    ];
  }
  mergeMatchLabelKeys(pod, context.version);
}

/** Upstream: pkg/registry/batch/job/strategy.go PrepareForCreate and generateSelector. */
function prepareJob(job: Mutable<Job>, context: RequestContext): void {
  resetStatus(job);
  const { spec } = job;
  if (spec === undefined || spec.manualSelector === true) return;
  const uid = context.uid ?? placeholderUid;
  // Validation compares the labels with it; storage sets it again.
  job.metadata.uid = uid;
  spec.template.metadata ??= {};
  spec.template.metadata.labels ??= {};
  const labels = spec.template.metadata.labels;
  const own: Record<string, string> = {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": job.metadata.name,
    "controller-uid": uid,
    "job-name": job.metadata.name,
  };
  for (const key in own) labels[key] ??= own[key] ?? "";
  // Upstream: SetDefaults_Job, which the API server repeats on every read.
  spec.selector ??= {};
  spec.selector.matchLabels = { ...spec.selector.matchLabels };
  spec.selector.matchLabels["batch.kubernetes.io/controller-uid"] ??= uid;
}

/** Fills in what depends on the generated name, and what reading back a stored object adds. */
export function completeStored(object: KubeObject): void {
  const metadata = object.metadata as Mutable<ObjectMeta>;
  if (object.kind === "Namespace")
    metadata.labels = { ...metadata.labels, "kubernetes.io/metadata.name": object.metadata.name };
  if (object.kind !== "Job") return;
  const labels = object.spec?.template.metadata?.labels;
  if (labels === undefined || Object.keys(metadata.labels ?? {}).length > 0) return;
  metadata.labels = { ...labels };
}
