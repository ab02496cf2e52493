/**
 * Which fields of which kinds kustomize changes by default. Upstream: kustomize v5.8 api/internal/konfig/builtinpluginconsts
 * commonlabels.go, templatelabels.go, commonannotations.go, images.go, replicas.go, namespace.go, nameprefix.go, namesuffix.go
 * and varreference.go; api/types/fieldspec.go FsSlice.MergeAll.
 */
import { push } from "../../../engine/api/go/multi-map.ts";
import { isRecord } from "../../yaml/manifest.ts";

/** A field of all objects of the kind, group and version, as far as these are given. */
export interface FieldSpec {
  /** `[]` after a name marks a list, which is then not created. */
  readonly path: readonly string[];
  /** True if the field is created where it is missing. */
  readonly create: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

/** A slash within a name is escaped by a backslash. */
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

/** Fields of pod templates, in all kinds that have one. */
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

/** The labels of the object, of its pods and of its claims. */
const templateLabels: readonly FieldSpec[] = [
  ...ownLabels,
  ...templateMetadata("labels"),
  made("spec/volumeClaimTemplates[]/metadata/labels", statefulSet),
];

const podSelectorsOfTemplate = ["podAffinity", "podAntiAffinity"].flatMap((field) => [
  `affinity/${field}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels`,
  `affinity/${field}/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels`,
]);

/** Labels and the selectors that match them. A claim's selector for volumes is not included. */
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

/** Containers are found anywhere, so those that are also listed here get a tag suffix twice. */
const images: readonly FieldSpec[] = ["spec", "spec/template/spec"].flatMap((podSpec) =>
  ["containers[]/image", "initContainers[]/image", "volumes[]/image/reference"].map((path) =>
    made(`${podSpec}/${path}`),
  ),
);

/** In addition to the object's own namespace. */
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

/** Oddities as in upstream: a CronJob's `template/volumes`, which does not exist, and `nfs` in claim templates. */
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

/** Named as in configurations. */
export type FieldList =
  | "commonAnnotations"
  | "commonLabels"
  | "images"
  | "labels"
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
  labels: [],
  namePrefix: ownName,
  nameSuffix: ownName,
  namespace: namespaces,
  replicas,
  templateLabels,
  varReference: variables,
};

/** Adds what a configuration file contains. Upstream: transformerconfig.go Merge, which sorts, and is done twice. */
export function withConfigured(lists: FieldLists, configured: unknown): FieldLists {
  if (!isRecord(configured)) return lists;
  const now = Object.entries(lists).map(([list, specs]) => {
    const more = readFieldSpecs(configured[list]);
    return [list, more.length === 0 ? specs : withoutCovered(mergeSpecs(specs, more))];
  });
  return Object.fromEntries(now) as FieldLists;
}

/** A spec for fewer kinds replaces one for more kinds. */
function withoutCovered(specs: readonly FieldSpec[]): readonly FieldSpec[] {
  return specs.filter((spec) => !specs.some((other) => other !== spec && covers(other, spec)));
}

function covers(other: FieldSpec, spec: FieldSpec): boolean {
  return (
    isSelected(other, spec) &&
    !sortedLast.has(other.kind) &&
    JSON.stringify(other.path) === JSON.stringify(spec.path)
  );
}

/** Upstream: kyaml resid gvk.go orderLast. */
const sortedLast: ReadonlySet<string | undefined> = new Set([
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
]);

/** Lists in which one entry creates a field and another does not, which kustomize refuses. */
export function conflictsIn(lists: FieldLists, configured: unknown): readonly string[] {
  if (!isRecord(configured)) return [];
  return Object.entries(lists).flatMap(([list, specs]) => {
    const more = readFieldSpecs(configured[list]);
    const all = more.length === 0 ? [] : [...specs, ...more];
    const isConflict = more.some((spec) =>
      all.some(
        (other) => other.create !== spec.create && (covers(other, spec) || covers(spec, other)),
      ),
    );
    return isConflict ? [list] : [];
  });
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

/** A field in both lists is changed once; one for all kinds is dropped if the list has it for any kind. */
export function mergeSpecs(
  specs: readonly FieldSpec[],
  more: readonly FieldSpec[],
): readonly FieldSpec[] {
  if (specs === more || more.length === 0) return specs;
  const byPath = new Map<string, FieldSpec[]>();
  for (const spec of specs) push(byPath, JSON.stringify(spec.path), spec);
  const added: FieldSpec[] = [];
  for (const spec of more) {
    const path = JSON.stringify(spec.path);
    if (byPath.get(path)?.some((known) => isSelected(known, spec)) === true) continue;
    push(byPath, path, spec);
    added.push(spec);
  }
  return added.length === 0 ? specs : [...specs, ...added];
}

/** Upstream: kyaml resid.Gvk.IsSelected. */
function isSelected(known: Kinds, { group, version, kind }: Kinds): boolean {
  return (
    (group === undefined || group === known.group) &&
    (version === undefined || version === known.version) &&
    (kind === undefined || kind === known.kind)
  );
}

/** Reads specs as kustomizations and configurations contain them; leaves out those without a path. */
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
