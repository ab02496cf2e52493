/**
 * Which fields of which kinds refer to other objects. Definition, references, completion and unknown names all rely on this.
 */

import { isKind, type Kind } from "../../engine/api/meta.ts";
import { betaStorageClassAnnotation } from "../../engine/api/storage-class-name.ts";
import { loginByAttribute } from "../../engine/csi/catalogue/shares-and-buckets.ts";
import {
  defaultSecretKeys,
  type SecretKeys,
  secretKeys,
  snapshotSecretKeys,
} from "../../engine/csi/catalogue/sidecar-parameters.ts";
import { annotation } from "../../engine/matching/annotations.ts";
import { own } from "../own.ts";
import { isRecord, type ManifestObject } from "../yaml/manifest.ts";
import type { Path, PathSegment } from "../yaml/place.ts";
import {
  claimTemplateNames,
  type Fields,
  fieldsAt,
  fieldsOf,
  oncePerObject,
} from "./manifest-fields.ts";
import { isOfOperators, namedClasses } from "./objects/operator-claims.ts";

export interface Reference {
  /** Path of the name, from the object's root. */
  readonly path: Path;
  readonly kind: Kind;
  /** "" for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  /** True if the object works without the one it refers to: `optional: true`, or a class that only labels a volume. */
  readonly optional: boolean;
}

class Collector {
  readonly found: Reference[] = [];
  readonly #namespace: string;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  /** Adds a reference, by default into the object's own namespace. */
  add(
    kind: Kind,
    name: unknown,
    path: Path,
    options: { readonly namespace?: unknown; readonly optional?: boolean } = {},
  ): void {
    if (typeof name !== "string" || name === "") return;
    const named =
      typeof options.namespace === "string" && options.namespace !== ""
        ? options.namespace
        : this.#namespace;
    this.found.push({
      path,
      kind,
      namespace: clusterScoped.has(kind) ? "" : named,
      name,
      optional: options.optional === true,
    });
  }
}

const clusterScoped: ReadonlySet<Kind> = new Set<Kind>([
  "PersistentVolume",
  "StorageClass",
  "VolumeAttributesClass",
  "CSIDriver",
  "Node",
  "PriorityClass",
  "RuntimeClass",
  "VolumeSnapshotClass",
  "VolumeSnapshotContent",
]);

/** Ordered by the fields' meaning, not by their place; empty for kinds without references. */
export const referencesOf: (object: ManifestObject) => readonly Reference[] = oncePerObject(
  (object) => {
    const collector = new Collector(object.namespace);
    if (object.ref !== undefined || object.kind in collectors)
      own(collectors, object.kind)?.(object.value, collector);
    else if (isOfOperators(object.apiVersion))
      for (const [name, path] of namedClasses(object.value))
        collector.add("StorageClass", name, path);
    return collector.found;
  },
);

type Collect = (value: Fields, collector: Collector) => void;

const collectors: Readonly<Record<string, Collect>> = {
  PersistentVolumeClaim: (value, to) => {
    claimSpec(to, fieldsOf(value["spec"]), ["spec"]);
    betaClass(to, value, []);
    const node = fieldsAt(value, "metadata", "annotations")[annotation.selectedNode];
    to.add("Node", node, ["metadata", "annotations", annotation.selectedNode], { optional: true });
  },
  PersistentVolume: persistentVolume,
  StorageClass: storageClass,
  VolumeAttributesClass: (value, to) => to.add("CSIDriver", value["driverName"], ["driverName"]),
  VolumeAttachment: volumeAttachment,
  CSIStorageCapacity: (value, to) =>
    to.add("StorageClass", value["storageClassName"], ["storageClassName"], { optional: true }),
  ServiceAccount: serviceAccount,
  ResourceQuota: resourceQuota,
  ReferenceGrant: referenceGrant,
  CSINode: (value, to) => {
    for (const [driver, path] of items(fieldsOf(value["spec"])["drivers"], ["spec", "drivers"])) {
      to.add("CSIDriver", driver["name"], [...path, "name"]);
    }
  },
  VolumeSnapshot: volumeSnapshot,
  VolumeSnapshotContent: volumeSnapshotContent,
  VolumeSnapshotClass: snapshotClass,
  Pod: (value, to) => podSpec(to, fieldsOf(value["spec"]), ["spec"]),
  ReplicaSet: workload,
  ReplicationController: workload,
  Deployment: workload,
  DaemonSet: workload,
  Job: workload,
  StatefulSet: (value, to) => {
    workload(value, to);
    const service = fieldsAt(value, "spec")["serviceName"];
    to.add("Service", service, ["spec", "serviceName"], { optional: true });
    for (const [template, path] of items(fieldsOf(value["spec"])["volumeClaimTemplates"], [
      "spec",
      "volumeClaimTemplates",
    ])) {
      claimSpec(to, fieldsOf(template["spec"]), [...path, "spec"]);
      betaClass(to, template, path);
    }
  },
  Kustomization: kustomization,
  CronJob: (value, to) => {
    const job = fieldsAt(value, "spec", "jobTemplate", "spec");
    podSpec(to, fieldsAt(job, "template", "spec"), [
      "spec",
      "jobTemplate",
      "spec",
      "template",
      "spec",
    ]);
  },
};

function workload(value: Fields, to: Collector): void {
  const spec = fieldsAt(value, "spec", "template", "spec");
  podSpec(to, spec, ["spec", "template", "spec"], claimTemplateNames(value));
}

/** The targets of patches. A target without a name, or with a pattern, refers to nothing. */
function kustomization(value: Fields, to: Collector): void {
  for (const list of ["patches", "patchesJson6902"]) {
    for (const [patch, path] of items(value[list], [list])) {
      const target = fieldsOf(patch["target"]);
      const kind = target["kind"];
      const { namespace } = target;
      if (typeof kind !== "string" || !isKind(kind)) continue;
      to.add(kind, target["name"], [...path, "target", "name"], {
        namespace: namespace ?? value["namespace"],
        optional: true,
      });
    }
  }
}

function claimSpec(to: Collector, spec: Fields, path: Path): void {
  to.add("StorageClass", spec["storageClassName"], [...path, "storageClassName"]);
  to.add("PersistentVolume", spec["volumeName"], [...path, "volumeName"]);
  to.add("VolumeAttributesClass", spec["volumeAttributesClassName"], [
    ...path,
    "volumeAttributesClassName",
  ]);
  for (const field of ["dataSource", "dataSourceRef"]) {
    const source = fieldsOf(spec[field]);
    const kind = source["kind"];
    if (kind !== "PersistentVolumeClaim" && kind !== "VolumeSnapshot") continue;
    to.add(kind, source["name"], [...path, field, "name"], { namespace: source["namespace"] });
  }
}

function betaClass(
  to: Collector,
  value: Fields,
  path: Path,
  options: { readonly optional?: boolean } = {},
): void {
  const annotations = ["metadata", "annotations"];
  const name = fieldsAt(value, ...annotations)[betaStorageClassAnnotation];
  to.add("StorageClass", name, [...path, ...annotations, betaStorageClassAnnotation], options);
}

function persistentVolume(value: Fields, to: Collector): void {
  const spec = fieldsOf(value["spec"]);
  const claim = fieldsOf(spec["claimRef"]);
  to.add("PersistentVolumeClaim", claim["name"], ["spec", "claimRef", "name"], {
    namespace: claim["namespace"],
    optional: true,
  });
  // A volume's class is a label that claims match; the class need not exist.
  to.add("StorageClass", spec["storageClassName"], ["spec", "storageClassName"], {
    optional: true,
  });
  betaClass(to, value, [], { optional: true });
  to.add("VolumeAttributesClass", spec["volumeAttributesClassName"], [
    "spec",
    "volumeAttributesClassName",
  ]);
  const csi = fieldsOf(spec["csi"]);
  to.add("CSIDriver", csi["driver"], ["spec", "csi", "driver"]);
  for (const field of secretFields) {
    const secret = fieldsOf(csi[field]);
    to.add("Secret", secret["name"], ["spec", "csi", field, "name"], {
      namespace: secret["namespace"],
    });
  }
  for (const source of ["flexVolume", "iscsi"]) {
    const { name, namespace } = fieldsAt(spec, source, "secretRef");
    to.add("Secret", name, ["spec", source, "secretRef", "name"], { namespace, optional: true });
  }
  const azure = fieldsOf(spec["azureFile"]);
  // Without either, the namespace is that of the claim that gets the volume.
  const namespace = azure["secretNamespace"] ?? claim["namespace"];
  if (namespace !== undefined)
    to.add("Secret", azure["secretName"], ["spec", "azureFile", "secretName"], { namespace });
  const required = fieldsAt(spec, "nodeAffinity", "required");
  nodeTerms(to, required["nodeSelectorTerms"], [
    "spec",
    "nodeAffinity",
    "required",
    "nodeSelectorTerms",
  ]);
}

const secretFields: readonly string[] = [
  "controllerPublishSecretRef",
  "nodeStageSecretRef",
  "nodePublishSecretRef",
  "controllerExpandSecretRef",
  "nodeExpandSecretRef",
];

function nodeTerms(to: Collector, terms: unknown, path: Path): void {
  for (const [term, termPath] of items(terms, path)) {
    for (const [expression, expressionPath] of items(term["matchExpressions"], [
      ...termPath,
      "matchExpressions",
    ])) {
      if (expression["key"] !== "kubernetes.io/hostname" || expression["operator"] !== "In")
        continue;
      listed(to, "Node", expression["values"], [...expressionPath, "values"]);
    }
  }
}

function listed(
  to: Collector,
  kind: Kind,
  names: unknown,
  path: Path,
  options: { readonly optional?: boolean } = {},
): void {
  if (!Array.isArray(names)) return;
  for (const [index, name] of names.entries()) to.add(kind, name, [...path, index], options);
}

function serviceAccount(value: Fields, to: Collector): void {
  for (const field of ["secrets", "imagePullSecrets"])
    for (const [secret, path] of items(value[field], [field]))
      to.add("Secret", secret["name"], [...path, "name"], { optional: true });
}

/** Scopes that restrict what a quota counts to users of certain classes. */
const kindOfScope: Readonly<Record<string, Kind>> = {
  PriorityClass: "PriorityClass",
  VolumeAttributesClass: "VolumeAttributesClass",
};

function resourceQuota(value: Fields, to: Collector): void {
  const at: Path = ["spec", "scopeSelector", "matchExpressions"];
  const expressions = fieldsAt(value, "spec", "scopeSelector")["matchExpressions"];
  for (const [{ scopeName, values }, path] of items(expressions, at)) {
    const kind = own(kindOfScope, String(scopeName));
    if (kind !== undefined) listed(to, kind, values, [...path, "values"], { optional: true });
  }
}

/** What is granted; an entry without a name grants all objects of the kind. */
function referenceGrant(value: Fields, to: Collector): void {
  for (const [{ kind, name }, path] of items(fieldsAt(value, "spec")["to"], ["spec", "to"]))
    if (typeof kind === "string" && isKind(kind))
      to.add(kind, name, [...path, "name"], { optional: true });
}

function storageClass(value: Fields, to: Collector): void {
  to.add("CSIDriver", value["provisioner"], ["provisioner"]);
  secretParameters(value, keysOfSecrets, to);
}

const keysOfSecrets: readonly SecretKeys[] = [defaultSecretKeys, ...Object.values(secretKeys)];

function snapshotClass(value: Fields, to: Collector): void {
  to.add("CSIDriver", value["driver"], ["driver"]);
  secretParameters(value, Object.values(snapshotSecretKeys), to);
}

function secretParameters(value: Fields, all: readonly SecretKeys[], to: Collector): void {
  const parameters = fieldsOf(value["parameters"]);
  for (const [key, name] of Object.entries(parameters)) {
    const keys = all.find(({ names }) => names.includes(key));
    const namespace = keys?.namespaces.map((its) => parameters[its]).find((its) => its);
    // The sidecar fills in `${pvc.name}` and similar variables for each claim or snapshot.
    const isFixed = (text: unknown): boolean => typeof text === "string" && !text.includes("$");
    if (!isFixed(name) || !isFixed(namespace)) continue;
    to.add("Secret", name, ["parameters", key], { namespace });
  }
}

function volumeAttachment(value: Fields, to: Collector): void {
  const spec = fieldsOf(value["spec"]);
  to.add("CSIDriver", spec["attacher"], ["spec", "attacher"]);
  to.add("Node", spec["nodeName"], ["spec", "nodeName"]);
  const volume = fieldsOf(spec["source"])["persistentVolumeName"];
  to.add("PersistentVolume", volume, ["spec", "source", "persistentVolumeName"]);
}

function volumeSnapshot(value: Fields, to: Collector): void {
  const spec = fieldsOf(value["spec"]);
  const source = fieldsOf(spec["source"]);
  to.add("PersistentVolumeClaim", source["persistentVolumeClaimName"], [
    "spec",
    "source",
    "persistentVolumeClaimName",
  ]);
  to.add("VolumeSnapshotContent", source["volumeSnapshotContentName"], [
    "spec",
    "source",
    "volumeSnapshotContentName",
  ]);
  to.add("VolumeSnapshotClass", spec["volumeSnapshotClassName"], [
    "spec",
    "volumeSnapshotClassName",
  ]);
}

function volumeSnapshotContent(value: Fields, to: Collector): void {
  const spec = fieldsOf(value["spec"]);
  const snapshot = fieldsOf(spec["volumeSnapshotRef"]);
  to.add("CSIDriver", spec["driver"], ["spec", "driver"]);
  to.add("VolumeSnapshotClass", spec["volumeSnapshotClassName"], [
    "spec",
    "volumeSnapshotClassName",
  ]);
  to.add("VolumeSnapshot", snapshot["name"], ["spec", "volumeSnapshotRef", "name"], {
    namespace: snapshot["namespace"],
    optional: true,
  });
}

function podSpec(
  to: Collector,
  spec: Fields,
  path: Path,
  replacedVolumes: ReadonlySet<unknown> = new Set(),
): void {
  to.add("Node", spec["nodeName"], [...path, "nodeName"]);
  to.add("PriorityClass", spec["priorityClassName"], [...path, "priorityClassName"]);
  to.add("RuntimeClass", spec["runtimeClassName"], [...path, "runtimeClassName"]);
  // Every namespace gets its default account automatically, and controllers create others.
  to.add("ServiceAccount", spec["serviceAccountName"], [...path, "serviceAccountName"], {
    optional: true,
  });
  for (const [secret, at] of items(spec["imagePullSecrets"], [...path, "imagePullSecrets"]))
    to.add("Secret", secret["name"], [...at, "name"], { optional: true });
  for (const [volume, at] of items(spec["volumes"], [...path, "volumes"]))
    if (!replacedVolumes.has(volume["name"])) podVolume(to, volume, at);
  for (const field of ["initContainers", "containers"]) {
    for (const [container, at] of items(spec[field], [...path, field]))
      environment(to, container, at);
  }
  const hostname = fieldsOf(spec["nodeSelector"])["kubernetes.io/hostname"];
  to.add("Node", hostname, [...path, "nodeSelector", "kubernetes.io/hostname"]);
  const affinity = fieldsAt(spec, "affinity", "nodeAffinity")[
    "requiredDuringSchedulingIgnoredDuringExecution"
  ];
  nodeTerms(to, fieldsOf(affinity)["nodeSelectorTerms"], [
    ...path,
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
  ]);
}

function podVolume(to: Collector, volume: Fields, path: Path): void {
  const claim = fieldsOf(volume["persistentVolumeClaim"]);
  to.add("PersistentVolumeClaim", claim["claimName"], [
    ...path,
    "persistentVolumeClaim",
    "claimName",
  ]);
  configOrSecret(to, volume, path, "secretName");
  const azure = fieldsOf(volume["azureFile"]);
  to.add("Secret", azure["secretName"], [...path, "azureFile", "secretName"]);
  for (const source of ["flexVolume", "iscsi"]) {
    const { name } = fieldsAt(volume, source, "secretRef");
    to.add("Secret", name, [...path, source, "secretRef", "name"]);
  }
  inlineVolume(to, fieldsOf(volume["csi"]), [...path, "csi"]);
  const template = fieldsAt(volume, "ephemeral", "volumeClaimTemplate");
  const templatePath = [...path, "ephemeral", "volumeClaimTemplate"];
  claimSpec(to, fieldsOf(template["spec"]), [...templatePath, "spec"]);
  betaClass(to, template, templatePath);
  const sources = fieldsOf(volume["projected"])["sources"];
  for (const [source, at] of items(sources, [...path, "projected", "sources"]))
    configOrSecret(to, source, at, "name");
}

function inlineVolume(to: Collector, csi: Fields, path: Path): void {
  to.add("CSIDriver", csi["driver"], [...path, "driver"]);
  const login = fieldsOf(csi["nodePublishSecretRef"]);
  to.add("Secret", login["name"], [...path, "nodePublishSecretRef", "name"]);
  if (!loginByAttribute.has(csi["driver"])) return;
  for (const [key, name] of Object.entries(fieldsOf(csi["volumeAttributes"])))
    if (key.toLowerCase() === "secretname")
      to.add("Secret", name, [...path, "volumeAttributes", key]);
}

function configOrSecret(to: Collector, source: Fields, path: Path, secretField: string): void {
  const configMap = fieldsOf(source["configMap"]);
  const secret = fieldsOf(source["secret"]);
  to.add("ConfigMap", configMap["name"], [...path, "configMap", "name"], {
    optional: configMap["optional"] === true,
  });
  to.add("Secret", secret[secretField], [...path, "secret", secretField], {
    optional: secret["optional"] === true,
  });
}

function environment(to: Collector, container: Fields, path: Path): void {
  for (const [variable, at] of items(container["env"], [...path, "env"])) {
    const from = fieldsOf(variable["valueFrom"]);
    for (const [field, kind] of [
      ["configMapKeyRef", "ConfigMap"],
      ["secretKeyRef", "Secret"],
    ] as const) {
      const source = fieldsOf(from[field]);
      to.add(kind, source["name"], [...at, "valueFrom", field, "name"], {
        optional: source["optional"] === true,
      });
    }
  }
  for (const [source, at] of items(container["envFrom"], [...path, "envFrom"])) {
    for (const [field, kind] of [
      ["configMapRef", "ConfigMap"],
      ["secretRef", "Secret"],
    ] as const) {
      const named = fieldsOf(source[field]);
      to.add(kind, named["name"], [...at, field, "name"], { optional: named["optional"] === true });
    }
  }
}

function* items(value: unknown, path: Path): Iterable<readonly [Fields, readonly PathSegment[]]> {
  if (!Array.isArray(value)) return;
  for (const [index, item] of value.entries()) if (isRecord(item)) yield [item, [...path, index]];
}
