/**
 * How an object can influence others, as keys that two objects have in common. Errs towards coupling: a superfluous key costs
 * time, a missing one leads to a wrong outcome. Objects that are only read (classes, nodes, drivers, configuration) couple
 * nothing; see islands.ts.
 */
import { makeRef } from "../../../engine/api/meta.ts";
import {
  type Fields,
  fieldsAt,
  fieldsOf,
  oncePerObject,
  textAt,
} from "../../workspace/manifest-fields.ts";
import { templateKey, withoutOrdinal } from "../../workspace/objects/claim-templates.ts";
import { podCountOf } from "../../workspace/objects/pod-count.ts";
import { writtenClass } from "../../workspace/objects/written-class.ts";
import { referencesOf } from "../../workspace/references.ts";
import { isRecord, type ManifestObject, plainText } from "../../yaml/manifest.ts";

export interface Couplings {
  /** Couples all objects that have the key. */
  readonly joins: readonly string[];
  /** Couples all objects that hold or seek the key, if at least one holds it and one seeks it. */
  readonly holds: readonly string[];
  readonly seeks: readonly string[];
  /** True if its pods select other pods in ways that only the scheduler can resolve. */
  readonly allPods: boolean;
  /** How many pods it makes; infinite if every node may get one. */
  readonly podCount: number;
}

/** Claims without a class get the default class; without a default they keep none. */
export const defaultClassKey = "\u0000default";

const staticVolumes = "static ";

/** True if a key stands for the static volumes of a class. */
export function isOfStaticVolumes(key: string): boolean {
  return key.startsWith(staticVolumes);
}

/** The classes whose volumes may be bound to a claim. */
export function staticClassesSought(
  { seeks }: Couplings,
  defaultClass: string | undefined,
): readonly string[] {
  return classesOf(seeks).flatMap((name) =>
    name === defaultClassKey ? (defaultClass ?? []) : name,
  );
}

/** The class whose claims may be bound to a volume. */
export function staticClassesHeld({ holds }: Couplings): readonly string[] {
  return classesOf(holds);
}

function classesOf(keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => (isOfStaticVolumes(key) ? key.slice(staticVolumes.length) : []));
}

export const couplingsOf: (object: ManifestObject) => Couplings = oncePerObject((object) => {
  const collector = new Collector(object);
  collector.collect();
  return collector;
});

/** Kinds of objects that many others read and none changes. */
export const readOnlyKinds: ReadonlySet<string> = new Set([
  "CSIDriver",
  "CSINode",
  "CSIStorageCapacity",
  "ConfigMap",
  "LimitRange",
  "Namespace",
  "Node",
  "PriorityClass",
  "ReferenceGrant",
  "RuntimeClass",
  "Secret",
  "ServiceAccount",
  "StorageClass",
  "VolumeAttributesClass",
  "VolumeSnapshotClass",
]);

/** Objects that nothing happens to are grouped by namespace: alone, each would cost a run. Undefined for all others. */
export function plainGroup({ kind, namespace, served }: ManifestObject): string | undefined {
  if (!served) return "not served";
  return readOnlyKinds.has(kind) || plainKinds.has(kind) ? `plain ${namespace}` : undefined;
}

const plainKinds: ReadonlySet<string> = new Set(["Service", "PodDisruptionBudget", "PodTemplate"]);

class Collector implements Couplings {
  readonly joins: string[] = [];
  readonly holds: string[] = [];
  readonly seeks: string[] = [];
  allPods = false;
  podCount = 0;
  readonly #object: ManifestObject;
  readonly #namespace: string;

  constructor(object: ManifestObject) {
    this.#object = object;
    this.#namespace = object.namespace;
  }

  collect(): void {
    const { ref, kind, value, name } = this.#object;
    const spec = fieldsOf(value["spec"]);
    if (ref !== undefined) this.#both(ref);
    for (const { kind: of, namespace, name: named } of referencesOf(this.#object)) {
      if (readOnlyKinds.has(of)) continue;
      this.seeks.push(makeRef(of, namespace, named));
      if (of === "PersistentVolumeClaim") this.#templateClaim(namespace, named);
      // Objects that name the same volume or claim may compete for it, even if it does not exist.
      if (kind === "PersistentVolume" || of === "PersistentVolume")
        this.joins.push(`wants ${makeRef(of, namespace, named)}`);
    }
    if (kind === "ResourceQuota") this.holds.push(`quota ${this.#namespace}`);
    else if (this.#namespace !== "") this.seeks.push(`quota ${this.#namespace}`);
    if (kind === "PersistentVolumeClaim") {
      this.#claim(value);
      this.#templateClaim(this.#namespace, name);
      this.#ephemeralClaim(name);
    } else if (kind === "PersistentVolume") this.#volume(value);
    else this.#workload(kind, spec);
  }

  /** Couples objects of the same name with each other and with all that name them. */
  #both(ref: string): void {
    this.joins.push(ref);
    this.holds.push(ref);
  }

  #templateClaim(namespace: string, claim: string): void {
    const key = templateKey(namespace, claim);
    if (key !== undefined) this.seeks.push(`template ${key}`);
  }

  /** A claim named like that of an ephemeral volume, `SET-ORDINAL-VOLUME`, gets in the way of that pod. */
  #ephemeralClaim(name: string): void {
    for (const { index } of name.matchAll(/-(?=\d+-)/g)) {
      const volume = name.slice(index).replace(/^-\d+-/, "");
      this.seeks.push(this.#ephemeral(name.slice(0, index), volume));
    }
  }

  #ephemeral(statefulSet: string, volume: string): string {
    return `ephemeral ${this.#namespace}/${statefulSet} ${volume}`;
  }

  #claim(claim: Fields): void {
    const className = writtenClass(claim);
    const classes = className === undefined ? ["", defaultClassKey] : [className];
    for (const name of classes) this.seeks.push(`${staticVolumes}${name}`);
  }

  #volume(volume: Fields): void {
    const spec = fieldsOf(volume["spec"]);
    const className = writtenClass(volume) ?? "";
    // A volume reserved for a claim is available to no other. Otherwise it may be a claim's nearest candidate even if it does
    // not fit.
    if (!isReserved(fieldsOf(spec["claimRef"]))) this.holds.push(`${staticVolumes}${className}`);
    for (const [type, source] of Object.entries(spec)) {
      if (!isRecord(source) || notSources.has(type)) continue;
      this.joins.push(`source ${type} ${sourceName(source)}`);
    }
  }

  #workload(kind: string, spec: Fields): void {
    const template = podTemplate(kind, spec, this.#object.value);
    if (template === undefined) return;
    this.podCount =
      kind === "DaemonSet" ? Number.POSITIVE_INFINITY : podCountOf(this.#object).count;
    const podSpec = fieldsOf(template["spec"]);
    const labels = fieldsAt(template, "metadata", "labels");
    for (const [key, value] of Object.entries(labels))
      this.holds.push(this.#label(key, plainText(value)));
    if (kind !== "Pod") this.#selector(spec["selector"]);
    // A Pod named like one of a StatefulSet's gets in the way of that StatefulSet.
    const { name } = this.#object;
    const statefulSet = kind === "Pod" ? withoutOrdinal(name) : undefined;
    if (statefulSet !== undefined) this.seeks.push(`pods ${this.#namespace}/${statefulSet}`);
    if (kind === "StatefulSet") this.holds.push(`pods ${this.#namespace}/${name}`);
    this.#spreading(podSpec);
    this.#volumes(kind, podSpec);
    for (const container of [...list(podSpec["initContainers"]), ...list(podSpec["containers"])])
      for (const port of list(fieldsOf(container)["ports"])) {
        const { hostPort = 0, containerPort } = fieldsOf(port);
        const onNode = hostPort === 0 && podSpec["hostNetwork"] === true ? containerPort : hostPort;
        if (typeof onNode === "number" && onNode > 0) this.joins.push(`host port ${onNode}`);
      }
    for (const claim of list(spec["volumeClaimTemplates"])) {
      const name = textAt(fieldsOf(claim), "metadata", "name") ?? "";
      this.holds.push(`template ${this.#namespace}/${name}-${this.#object.name}`);
      this.#claim(fieldsOf(claim));
    }
  }

  #label(key: string, value: string): string {
    return `label ${this.#namespace}/${key}=${value}`;
  }

  /** Selectors also match existing pods. One pair is enough: a pod must have all of them. */
  #selector(selector: unknown): void {
    const labels = fieldsOf(selector);
    const pairs = isRecord(labels["matchLabels"]) ? labels["matchLabels"] : labels;
    const [pair] = Object.entries(pairs).filter(([, value]) => typeof value === "string");
    if (pair === undefined) {
      // It has only expressions, or is empty.
      if (selector !== undefined) this.allPods = true;
      return;
    }
    this.seeks.push(this.#label(pair[0], plainText(pair[1])));
  }

  #spreading(podSpec: Fields): void {
    const affinity = fieldsOf(podSpec["affinity"]);
    const terms = ["podAffinity", "podAntiAffinity"].flatMap((field) => {
      const rules = fieldsOf(affinity[field]);
      const preferred = list(rules["preferredDuringSchedulingIgnoredDuringExecution"]);
      return [
        ...list(rules["requiredDuringSchedulingIgnoredDuringExecution"]),
        ...preferred.map((term) => fieldsOf(term)["podAffinityTerm"]),
      ];
    });
    for (const term of terms) {
      const { namespaces, namespaceSelector, labelSelector } = fieldsOf(term);
      if (namespaces !== undefined || namespaceSelector !== undefined) this.allPods = true;
      else this.#selector(labelSelector ?? {});
    }
    for (const constraint of list(podSpec["topologySpreadConstraints"]))
      this.#selector(fieldsOf(constraint)["labelSelector"] ?? {});
  }

  #volumes(kind: string, podSpec: Fields): void {
    for (const item of list(podSpec["volumes"])) {
      const volume = fieldsOf(item);
      const name = textAt(volume, "name") ?? "";
      const ephemeral = fieldsAt(volume, "ephemeral", "volumeClaimTemplate");
      if (Object.keys(ephemeral).length > 0) {
        this.#claim(ephemeral);
        const owner = this.#object.name;
        if (kind === "Pod")
          this.seeks.push(makeRef("PersistentVolumeClaim", this.#namespace, `${owner}-${name}`));
        if (kind === "StatefulSet") this.holds.push(this.#ephemeral(owner, name));
      }
      for (const type of exclusiveSources)
        if (isRecord(volume[type]))
          this.joins.push(`source ${type} ${sourceName(fieldsOf(volume[type]))}`);
    }
  }
}

/** Objects in a PersistentVolume's spec that are not volume sources. */
const notSources: ReadonlySet<string> = new Set(["capacity", "claimRef", "nodeAffinity"]);

/** Disks that only one pod at a time can use, if pods name them directly. */
const exclusiveSources: readonly string[] = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "azureDisk",
  "iscsi",
  "rbd",
  "fc",
  "vsphereVolume",
  "cinder",
];

/** Two volumes are the same storage no matter which file system they declare. */
function sourceName(source: Fields): string {
  const { fsType: _, readOnly: __, volumeAttributes: ___, ...rest } = source;
  return JSON.stringify(rest);
}

function isReserved(claimRef: Fields): boolean {
  const { name, namespace } = claimRef;
  return [name, namespace].every((part) => typeof part === "string" && part !== "");
}

function podTemplate(kind: string, spec: Fields, value: Fields): Fields | undefined {
  if (kind === "Pod") return value;
  if (kind === "CronJob") return fieldsAt(spec, "jobTemplate", "spec", "template");
  return isRecord(spec["template"]) ? spec["template"] : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
