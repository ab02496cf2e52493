/** Everything that has a name in one environment: the user's objects, what they lead to, and the assumed cluster. */
import { push } from "../../engine/api/go/multi-map.ts";
import { type Kind, makeRef, type Ref } from "../../engine/api/meta.ts";
import type { ClusterProfile, Manifest } from "../../engine/scenario.ts";
import { isRecord, type ManifestObject, objectsOf } from "../yaml/manifest.ts";
import type { Environment } from "./environment.ts";
import type { ImportedCluster } from "./imports/cluster-imports.ts";
import { claimTemplates, templateKey } from "./objects/claim-templates.ts";
import { secretsMadeBy } from "./objects/made-secrets.ts";
import { runProvisioners } from "./objects/run-provisioners.ts";
import { type Reference, referencesOf } from "./references.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

export interface ClusterNames {
  /** Instances with the same index know the same names. */
  readonly index: object;
  /** True if an object of that name is in a file, is made by one in a file, or belongs to the assumed cluster. */
  has(kind: Kind, namespace: string, name: string): boolean;
  /** True if a volume has this class name: claims match it by name alone, the class need not exist. */
  isCarriedClass(name: string): boolean;
  /** The class names that volumes have, each once. */
  carriedClasses(): readonly string[];
  /** Names of a kind, those in the user's files first, each once. */
  names(kind: Kind, namespace?: string): readonly string[];
  /** Namespaces that have an object of this name. */
  namespacesWith(kind: Kind, name: string): readonly string[];
  /** The StatefulSet whose template makes the claim; undefined if none does. */
  templateOf(namespace: string, claim: string): WorkspaceObject | undefined;
  /** The object in the files for which an operator makes the Secret. */
  makerOf(namespace: string, secret: string): WorkspaceObject | undefined;
}

/** Collects names only when they are needed: while a name is typed, each letter changes them. */
export function clusterNames(environment: Environment, cluster: ClusterProfile): ClusterNames {
  let collected: CollectedNames | undefined;
  const all = (): CollectedNames => {
    collected ??= collectNames(environment, cluster);
    return collected;
  };
  const templateOf = templatesOf(environment);
  return {
    makerOf: makersOf(environment),
    index: {},
    has: (kind, namespace, name) =>
      all().refs.has(makeRef(kind, namespace, name)) ||
      alwaysThere(kind, name) ||
      (kind === "PersistentVolumeClaim" && templateOf(namespace, name) !== undefined),
    isCarriedClass: (name) => all().carriedClasses.has(name),
    carriedClasses: () => [...all().carriedClasses],
    names: (kind, namespace) => [
      ...new Set(
        (all().byKind.get(kind) ?? [])
          .filter((o) => namespace === undefined || o.namespace === namespace)
          .map((o) => o.name),
      ),
    ],
    namespacesWith: (kind, name) =>
      (all().byKind.get(kind) ?? []).filter((o) => o.name === name).map((o) => o.namespace),
    templateOf,
  };
}

export interface Named {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

interface CollectedNames {
  readonly refs: ReadonlySet<Ref>;
  /** Those in the user's files first. */
  readonly byKind: ReadonlyMap<string, readonly Named[]>;
  readonly carriedClasses: ReadonlySet<string>;
}

function collectNames(environment: Environment, cluster: ClusterProfile): CollectedNames {
  const byKind = new Map<string, Named[]>();
  const refs = new Set<Ref>();
  const addNamed = (ref: Ref, named: Named): void => {
    if (refs.has(ref)) return;
    refs.add(ref);
    push(byKind, named.kind, named);
  };
  const add = (kind: Kind, namespace: string, name: string): void =>
    addNamed(makeRef(kind, namespace, name), { kind, namespace, name });
  const carriedClasses = new Set<string>();
  for (const { object } of environment.objects) {
    for (const name of carriedClassesOf(object)) carriedClasses.add(name);
    if (object.ref === undefined) continue;
    addNamed(object.ref, object);
    if (object.kind === "CSINode")
      for (const name of driversOfNode(object.value)) add("CSIDriver", "", name);
    for (const { name } of runProvisioners(object)) add("CSIDriver", "", name);
  }
  for (const [ref, { kind, metadata, spec }] of environment.imported?.byRef ?? []) {
    const { namespace = "", name } = metadata as { namespace?: string; name: string };
    addNamed(ref, { kind: String(kind), namespace, name });
    if (namespace !== "") add("Namespace", "", namespace);
    const carried = isRecord(spec) && kind === "PersistentVolume" ? spec["storageClassName"] : "";
    if (typeof carried === "string" && carried !== "") carriedClasses.add(carried);
  }
  if (environment.imported !== undefined)
    for (const { kind, namespace, name } of readInCluster(environment.imported))
      add(kind, namespace, name);
  addProfile(cluster, environment, add);
  return { refs, byKind, carriedClasses };
}

/** ConfigMaps and Secrets that running pods have read must exist, even if they were not imported. */
function readInCluster(imported: ImportedCluster): readonly Reference[] {
  const known = readByImport.get(imported);
  if (known !== undefined) return known;
  const read = imported.objects
    .filter(
      ({ kind, status }) => kind === "Pod" && isRecord(status) && status["phase"] === "Running",
    )
    .flatMap((pod) => objectsOf(pod).objects.flatMap(referencesOf))
    .filter(({ kind }) => kind === "ConfigMap" || kind === "Secret");
  readByImport.set(imported, read);
  return read;
}

const readByImport = new WeakMap<ImportedCluster, readonly Reference[]>();

function templatesOf(environment: Environment): ClusterNames["templateOf"] {
  let templates: ReturnType<typeof claimTemplates> | undefined;
  return (namespace, claim) => {
    const key = templateKey(namespace, claim);
    templates ??= claimTemplates(environment);
    return key === undefined ? undefined : templates.get(key)?.entry;
  };
}

function makersOf({ objects }: Environment): ClusterNames["makerOf"] {
  let makers: Map<string, WorkspaceObject> | undefined;
  return (namespace, secret) => {
    makers ??= new Map(
      objects.flatMap((entry) =>
        secretsMadeBy(entry.object).map((name): [string, WorkspaceObject] => [
          `${entry.object.namespace}/${name}`,
          entry,
        ]),
      ),
    );
    return makers.get(`${namespace}/${secret}`);
  };
}

/** Adds names of objects of which nothing else is known; they are collected when needed. */
export function withMoreNames(names: ClusterNames, more: () => readonly Named[]): ClusterNames {
  let known: readonly Named[] | undefined;
  const of = (kind: Kind): readonly Named[] => {
    known ??= more();
    return known.filter((other) => other.kind === kind);
  };
  return {
    ...names,
    index: {},
    has: (kind, namespace, name) =>
      names.has(kind, namespace, name) ||
      of(kind).some((other) => other.namespace === namespace && other.name === name),
    names: (kind, namespace) => {
      const others = of(kind).filter((o) => namespace === undefined || o.namespace === namespace);
      return [...new Set([...names.names(kind, namespace), ...others.map(({ name }) => name)])];
    },
    namespacesWith: (kind, name) => {
      const others = of(kind).filter((other) => other.name === name);
      return [...new Set([...names.namespacesWith(kind, name), ...others.map((o) => o.namespace)])];
    },
  };
}

/** The same names for a later state of the environment, after an edit that moved or changed objects but no names. */
export function withTemplatesOf(names: ClusterNames, environment: Environment): ClusterNames {
  return { ...names, templateOf: templatesOf(environment), makerOf: makersOf(environment) };
}

/** Everything in an object that concerns names, as a text. */
export function namesIn({ object }: WorkspaceObject): string {
  const { kind, namespace, name, ref, value } = object;
  if (ref === undefined) {
    const secrets = secretsMadeBy(object);
    return secrets.length === 0 ? carriedClassesOf(object).join() : [kind, name, ...secrets].join();
  }
  const spec = isRecord(value["spec"]) ? value["spec"] : {};
  const templates = kind === "StatefulSet" ? spec["volumeClaimTemplates"] : undefined;
  const made = (Array.isArray(templates) ? templates : []).map((template: unknown) =>
    isRecord(template) && isRecord(template["metadata"]) ? template["metadata"]["name"] : null,
  );
  const drivers = kind === "CSINode" ? driversOfNode(value) : [];
  const run = runProvisioners(object).map((provisioner) => provisioner.name);
  return JSON.stringify([kind, namespace, name, made, drivers, run, carriedClassesOf(object)]);
}

function carriedClassesOf(object: ManifestObject): readonly string[] {
  if (object.kind !== "PersistentVolume") return [];
  const classes = referencesOf(object).filter(({ kind }) => kind === "StorageClass");
  return classes.map(({ name }) => name);
}

/** The user's nodes replace those of the profile; classes and drivers are added to the profile's. */
function addProfile(
  cluster: ClusterProfile,
  environment: Environment,
  add: (kind: Kind, namespace: string, name: string) => void,
): void {
  const ownNodes = environment.objects.some(({ object }) => object.kind === "Node");
  if (!ownNodes) for (const node of cluster.nodes) add("Node", "", node.name);
  for (const driver of cluster.drivers) add("CSIDriver", "", driver.name);
  for (const { name } of cluster.pathProvisioners ?? []) add("CSIDriver", "", name);
  for (const manifest of cluster.manifests) {
    for (const object of objectsOf(manifest).objects) {
      if (object.ref !== undefined) add(object.kind, object.namespace, object.name);
    }
  }
}

function driversOfNode(value: Manifest): readonly string[] {
  const drivers: unknown = isRecord(value["spec"]) ? value["spec"]["drivers"] : undefined;
  if (!Array.isArray(drivers)) return [];
  return drivers.flatMap((driver: unknown) => {
    const name = isRecord(driver) ? driver["name"] : undefined;
    return typeof name === "string" ? [name] : [];
  });
}

function alwaysThere(kind: Kind, name: string): boolean {
  if (kind === "ConfigMap") return name === "kube-root-ca.crt";
  return (
    kind === "PriorityClass" &&
    (name === "system-cluster-critical" || name === "system-node-critical")
  );
}
