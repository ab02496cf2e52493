/**
 * Which fields of which kinds kustomize changes where nobody has configured it otherwise. Upstream: kustomize v5.8
 * api/internal/konfig/builtinpluginconsts commonlabels.go, templatelabels.go, commonannotations.go, replicas.go, namespace.go
 * and nameprefix.go.
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
export const templateLabels: readonly FieldSpec[] = [
  ...ownLabels,
  ...templateMetadata("labels"),
  made("spec/volumeClaimTemplates[]/metadata/labels", statefulSet),
];

const podSelectorsOfTemplate = ["podAffinity", "podAntiAffinity"].flatMap((field) => [
  `affinity/${field}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels`,
  `affinity/${field}/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels`,
]);

/** Labels and what selects them. A claim's selector of volumes is not among it. */
export const labelsAndSelectors: readonly FieldSpec[] = [
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

export const annotations: readonly FieldSpec[] = [
  made("metadata/annotations"),
  ...templateMetadata("annotations").map((spec) =>
    spec.kind === "StatefulSet" ? made(spec.path.join("/"), { kind: spec.kind }) : spec,
  ),
];

export const replicas: readonly FieldSpec[] = [
  "Deployment",
  "StatefulSet",
  "ReplicaSet",
  "ReplicationController",
].map((kind) => made("spec/replicas", { kind }));

/** Beside that of the object itself. */
export const namespaces: readonly FieldSpec[] = [
  made("metadata/name", { kind: "Namespace" }),
  made("spec/service/namespace", { group: "apiregistration.k8s.io", kind: "APIService" }),
  changed("spec/conversion/webhook/clientConfig/service/namespace", {
    group: "apiextensions.k8s.io",
    kind: "CustomResourceDefinition",
  }),
];

export const ownNamespace: readonly FieldSpec[] = [made("metadata/namespace")];

export const ownName: readonly FieldSpec[] = [changed("metadata/name")];

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
