/**
 * Which fields of which kinds kustomize changes where nobody has configured it otherwise. Upstream: kustomize v5.8
 * api/internal/konfig/builtinpluginconsts commonlabels.go, templatelabels.go, commonannotations.go, images.go, replicas.go, namespace.go,
 * nameprefix.go, namesuffix.go and varreference.go; api/types/fieldspec.go FsSlice.MergeAll.
 */
import { isRecord } from "../../yaml/manifest.ts";

/** A field of all objects that have the kind, the group and the version, as far as it says any. */
export interface FieldSpec {
  /** `[]` behind a name says that it is a list, which is then not made. */
  readonly path: readonly string[];
  /** Whether it is made where it is missing. */
  readonly create: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

/** A slash that belongs to a name has a backslash before it. */
export function fieldPath(text: string): readonly string[] {
  return text.split(/(?<!\\)\//).map((name) => name.replaceAll("\\/", "/"));
}

export type Kinds = Pick<FieldSpec, "group" | "version" | "kind">;

function made(path: string, kinds: Kinds = {}): FieldSpec {
  return { path: fieldPath(path), create: true, ...kinds };
}

function changed(path: string, kinds: Kinds = {}): FieldSpec {
  return { path: fieldPath(path), create: false, ...kinds };
}

const replicationController = { version: "v1", kind: "ReplicationController" };
const statefulSet = { group: "apps", kind: "StatefulSet" };
const job = { group: "batch", kind: "Job" };
const cronJob = { group: "batch", kind: "CronJob" };

/** What stands in a pod template, of all kinds that have one. */
const templateMetadata = (field: string): readonly FieldSpec[] => [
  made(`spec/template/metadata/${field}`, replicationController),
  ...["Deployment", "ReplicaSet", "DaemonSet"].map((kind) =>
    made(`spec/template/metadata/${field}`, { kind }),
  ),
  made(`spec/template/metadata/${field}`, statefulSet),
  made(`spec/template/metadata/${field}`, job),
  made(`spec/jobTemplate/metadata/${field}`, cronJob),
  made(`spec/jobTemplate/spec/template/metadata/${field}`, cronJob),
];

export const ownLabels: readonly FieldSpec[] = [made("metadata/labels")];

/** Those of the object, of its pods and of its claims. */
const templateLabels: readonly FieldSpec[] = [
  ...ownLabels,
  ...templateMetadata("labels"),
  made("spec/volumeClaimTemplates[]/metadata/labels", statefulSet),
];

const podSelectorsOfTemplate = ["podAffinity", "podAntiAffinity"].flatMap((field) => [
  `affinity/${field}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels`,
  `affinity/${field}/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels`,
]);

/** Labels and what selects them. A claim's selector of volumes is not among it. */
const labelsAndSelectors: readonly FieldSpec[] = [
  made("spec/selector", { version: "v1", kind: "Service" }),
  made("spec/selector", replicationController),
  ...["Deployment", "ReplicaSet", "DaemonSet"].map((kind) =>
    made("spec/selector/matchLabels", { kind }),
  ),
  made("spec/selector/matchLabels", statefulSet),
  ...[...podSelectorsOfTemplate, "topologySpreadConstraints/labelSelector/matchLabels"].flatMap(
    (path) =>
      ["Deployment", "StatefulSet"].map((kind) =>
        changed(`spec/template/spec/${path}`, { group: "apps", kind }),
      ),
  ),
  changed("spec/selector/matchLabels", job),
  changed("spec/jobTemplate/spec/selector/matchLabels", cronJob),
  changed("spec/selector/matchLabels", { group: "policy", kind: "PodDisruptionBudget" }),
  ...["podSelector", "ingress/from/podSelector", "egress/to/podSelector"].map((path) =>
    changed(`spec/${path}/matchLabels`, { group: "networking.k8s.io", kind: "NetworkPolicy" }),
  ),
  ...templateLabels,
];

const annotations: readonly FieldSpec[] = [
  made("metadata/annotations"),
  ...templateMetadata("annotations").map((spec) =>
    spec.kind === "StatefulSet" ? made(spec.path.join("/"), { kind: spec.kind }) : spec,
  ),
];

const replicas: readonly FieldSpec[] = [
  "Deployment",
  "StatefulSet",
  "ReplicaSet",
  "ReplicationController",
].map((kind) => made("spec/replicas", { kind }));

/** Beside those of containers, which are found wherever they are. */
const images: readonly FieldSpec[] = ["spec", "spec/template/spec"].map((podSpec) =>
  changed(`${podSpec}/volumes[]/image/reference`),
);

/** Beside that of the object itself. */
const namespaces: readonly FieldSpec[] = [
  made("metadata/name", { kind: "Namespace" }),
  made("spec/service/namespace", { group: "apiregistration.k8s.io", kind: "APIService" }),
  changed("spec/conversion/webhook/clientConfig/service/namespace", {
    group: "apiextensions.k8s.io",
    kind: "CustomResourceDefinition",
  }),
];

export const ownNamespace: readonly FieldSpec[] = [made("metadata/namespace")];

const ownName: readonly FieldSpec[] = [changed("metadata/name")];

const inContainers: readonly string[] = ["containers", "initContainers"].flatMap((list) =>
  ["args", "command", "env/value", "volumeMounts/mountPath"].map((path) => `${list}/${path}`),
);

/** A CronJob's `template/volumes`, which no CronJob has, and the claim templates' `nfs` are upstream's. */
const variables: readonly FieldSpec[] = [
  ...(
    [
      ["Pod", "spec"],
      ["CronJob", "spec/jobTemplate/spec/template/spec"],
      ...["DaemonSet", "Deployment", "Job", "ReplicaSet", "StatefulSet"].map(
        (kind) => [kind, "spec/template/spec"] as const,
      ),
    ] as const
  ).flatMap(([kind, podSpec]) =>
    inContainers.map((path) => changed(`${podSpec}/${path}`, { kind })),
  ),
  changed("spec/volumes/nfs/server", { kind: "Pod" }),
  ...["DaemonSet", "Deployment", "Job", "ReplicaSet"].map((kind) =>
    changed("spec/template/spec/volumes/nfs/server", { kind }),
  ),
  changed("spec/jobTemplate/spec/template/volumes/nfs/server", { kind: "CronJob" }),
  changed("spec/volumeClaimTemplates/spec/nfs/server", { kind: "StatefulSet" }),
  changed("spec/nfs/server", { kind: "PersistentVolume" }),
  changed("spec/template/metadata/annotations", { kind: "Deployment" }),
  changed("spec/ports/port", { kind: "Service" }),
  changed("spec/ports/targetPort", { kind: "Service" }),
  ...["rules/host", "tls/hosts", "tls/secretName"].map((path) =>
    changed(`spec/${path}`, { kind: "Ingress" }),
  ),
  changed("metadata/labels"),
  changed("metadata/annotations"),
];

/** As configurations call them. */
export type FieldList =
  | "commonAnnotations"
  | "commonLabels"
  | "images"
  | "namePrefix"
  | "nameSuffix"
  | "namespace"
  | "replicas"
  | "templateLabels"
  | "varReference";

export type FieldLists = Readonly<Record<FieldList, readonly FieldSpec[]>>;

export const usualFields: FieldLists = {
  commonAnnotations: annotations,
  commonLabels: labelsAndSelectors,
  images,
  namePrefix: ownName,
  nameSuffix: ownName,
  namespace: namespaces,
  replicas,
  templateLabels,
  varReference: variables,
};

/** With what a file of configurations adds. */
export function withConfigured(lists: FieldLists, configured: unknown): FieldLists {
  if (!isRecord(configured)) return lists;
  const now = Object.entries(lists).map(([list, specs]) => [
    list,
    mergeSpecs(specs, readFieldSpecs(configured[list])),
  ]);
  return Object.fromEntries(now) as FieldLists;
}

export function mergeLists(a: FieldLists, b: FieldLists): FieldLists {
  if (a === b || b === usualFields) return a;
  if (a === usualFields) return b;
  const now = Object.entries(a).map(([list, specs]) => [
    list,
    mergeSpecs(specs, b[list as FieldList]),
  ]);
  return Object.fromEntries(now) as FieldLists;
}

/** A field that two lists have is changed once. */
export function mergeSpecs(
  specs: readonly FieldSpec[],
  more: readonly FieldSpec[],
): readonly FieldSpec[] {
  if (specs === more || more.length === 0) return specs;
  const keyOf = ({ group, version, kind, path }: FieldSpec): string =>
    JSON.stringify([group, version, kind, path]);
  const merged = new Map(specs.map((spec) => [keyOf(spec), spec]));
  for (const spec of more) if (!merged.has(keyOf(spec))) merged.set(keyOf(spec), spec);
  return merged.size === specs.length ? specs : [...merged.values()];
}

/** As kustomizations and their configurations write them; those without a path are left out. */
export function readFieldSpecs(list: unknown): readonly FieldSpec[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isRecord).flatMap((spec): readonly FieldSpec[] => {
    const { path, create } = spec;
    if (typeof path !== "string" || path === "") return [];
    return [{ path: fieldPath(path), create: create === true, ...readKinds(spec) }];
  });
}

export function readKinds(spec: Readonly<Record<string, unknown>>): Kinds {
  const kinds: { -readonly [field in keyof Kinds]: Kinds[field] } = {};
  for (const field of ["group", "version", "kind"] as const) {
    const text = spec[field];
    if (typeof text === "string" && text !== "") kinds[field] = text;
  }
  return kinds;
}
