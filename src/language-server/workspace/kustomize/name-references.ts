/**
 * The fields in which kustomize updates changed names; any other field keeps the old name, which no longer exists. Upstream:
 * kustomize v5.8 api/internal/konfig/builtinpluginconsts namereference.go (as far as storage goes, and what pods need),
 * api/internal/accumulator namereferencetransformer.go, api/filters/nameref nameref.go selectReferral.
 */
import { isRecord } from "../../yaml/manifest.ts";
import { type FieldSpec, fieldPath, type Kinds, readFieldSpecs, readKinds } from "./field-specs.ts";

/** Fields that refer to objects of a kind. */
export interface NameReference extends Kinds {
  readonly fields: readonly FieldSpec[];
}

/** The references that a file of `configurations` adds. */
export function readNameReferences(value: unknown): readonly NameReference[] {
  const list = isRecord(value) ? value["nameReference"] : undefined;
  if (!Array.isArray(list)) return [];
  return list
    .filter(isRecord)
    .map((one) => ({ ...readKinds(one), fields: readFieldSpecs(one["fieldSpecs"]) }));
}

/** What matters about an object when others refer to it. */
export interface Referral {
  /** "" for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  /** The innermost first. */
  readonly prefixes: readonly string[];
  readonly suffixes: readonly string[];
}

/** The candidates that the referrer may mean, out of objects that had the name: one, unless kustomize finds it ambiguous. */
export function referralsOf<T extends Referral>(
  referrer: Referral,
  known: readonly T[],
): readonly T[] {
  const inReach = known.filter(
    ({ namespace }) =>
      referrer.namespace === "" || namespace === "" || namespace === referrer.namespace,
  );
  if (inReach.length <= 1) return inReach;
  const alike = inReach.filter((other) => haveLikeAffixes(referrer, other));
  if (alike.length === 1) return alike;
  const same = alike.filter((other) => lackTheSame(referrer, other));
  return same.every(({ name }) => name === same[0]?.name) ? same.slice(0, 1) : same;
}

/** An empty list of affixes matches any other. */
function haveLikeAffixes(a: Referral, b: Referral): boolean {
  return endAlike(a.prefixes, b.prefixes) && endAlike(a.suffixes, b.suffixes);
}

/** Upstream: api/internal/utils SameEndingSubSlice. */
function endAlike(a: readonly string[], b: readonly string[]): boolean {
  const length = Math.min(a.length, b.length);
  return length === 0 || a.slice(-length).every((text, index) => text === b.slice(-length)[index]);
}

/** True if both have prefixes or both have none, and likewise suffixes. */
function lackTheSame(a: Referral, b: Referral): boolean {
  const isAlike = (of: "prefixes" | "suffixes"): boolean =>
    (a[of].length === 0) === (b[of].length === 0);
  return isAlike("prefixes") && isAlike("suffixes");
}

function field(kind: string, path: string, group?: string): FieldSpec {
  return { kind, path: fieldPath(path), create: false, ...(group !== undefined && { group }) };
}

/** Where each kind has its pod spec. */
const podSpecs: readonly (readonly [kind: string, path: string])[] = [
  ["Pod", "spec"],
  ["StatefulSet", "spec/template/spec"],
  ["Deployment", "spec/template/spec"],
  ["Job", "spec/template/spec"],
  ["DaemonSet", "spec/template/spec"],
  ["CronJob", "spec/jobTemplate/spec/template/spec"],
];

const podFields = (
  paths: readonly string[],
  more: readonly (readonly [string, string])[],
): readonly FieldSpec[] =>
  [...podSpecs, ...more].flatMap(([kind, podSpec]) =>
    paths.map((path) => field(kind, `${podSpec}/${path}`)),
  );

/** Only names of ConfigMaps and Secrets are followed in ReplicaSets. */
const replicaSet: readonly (readonly [string, string])[] = [["ReplicaSet", "spec/template/spec"]];
/** All other names are followed in ReplicationControllers. */
const replicationController: readonly (readonly [string, string])[] = [
  ["ReplicationController", "spec/template/spec"],
];

const ofContainers = (paths: readonly string[]): readonly string[] =>
  ["containers", "initContainers"].flatMap((list) => paths.map((path) => `${list}/${path}`));

export const nameReferences: readonly NameReference[] = [
  ...["Deployment", "ReplicationController", "ReplicaSet", "StatefulSet"].map((kind) => ({
    kind,
    fields: [field("HorizontalPodAutoscaler", "spec/scaleTargetRef/name")],
  })),
  {
    kind: "ConfigMap",
    version: "v1",
    fields: podFields(
      [
        "volumes/configMap/name",
        ...ofContainers(["env/valueFrom/configMapKeyRef/name", "envFrom/configMapRef/name"]),
        "volumes/projected/sources/configMap/name",
      ],
      replicaSet,
    ),
  },
  {
    kind: "Secret",
    version: "v1",
    fields: [
      ...podFields(
        [
          "volumes/secret/secretName",
          ...ofContainers(["env/valueFrom/secretKeyRef/name", "envFrom/secretRef/name"]),
          "imagePullSecrets/name",
          "volumes/projected/sources/secret/name",
        ],
        replicaSet,
      ),
      field("ServiceAccount", "imagePullSecrets/name"),
      ...["secretName", "adminSecretName", "userSecretName", "secretRef"].map((name) =>
        field("StorageClass", `parameters/${name}`),
      ),
      field("PersistentVolume", "spec/azureFile/secretName"),
    ],
  },
  { kind: "Service", version: "v1", fields: [field("StatefulSet", "spec/serviceName", "apps")] },
  {
    kind: "ServiceAccount",
    version: "v1",
    fields: podFields(["serviceAccountName"], replicationController),
  },
  {
    kind: "PersistentVolumeClaim",
    version: "v1",
    fields: podFields(["volumes/persistentVolumeClaim/claimName"], replicationController),
  },
  {
    kind: "PersistentVolume",
    version: "v1",
    fields: [field("PersistentVolumeClaim", "spec/volumeName")],
  },
  {
    kind: "StorageClass",
    version: "v1",
    group: "storage.k8s.io",
    fields: [
      field("PersistentVolume", "spec/storageClassName"),
      field("PersistentVolumeClaim", "spec/storageClassName"),
      field("StatefulSet", "spec/volumeClaimTemplates/spec/storageClassName"),
    ],
  },
  {
    kind: "PriorityClass",
    version: "v1",
    group: "scheduling.k8s.io",
    fields: podFields(["priorityClassName"], replicationController),
  },
];
