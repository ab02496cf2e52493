/** From an environment's files to the simulated scenario: the assumed cluster, then everything applied, then rest. */
import { isStanding } from "../../engine/api/admission/namespace-lifecycle.ts";
import { compareText } from "../../engine/api/go/text-order.ts";
import { type Kind, makeRef } from "../../engine/api/meta.ts";
import { created } from "../../engine/api/patch/apply-patch.ts";
import { keysForDrivers } from "../../engine/csi/catalogue/secret-needs.ts";
import {
  type AssumedCluster,
  assumeCluster,
  cluesOf,
} from "../../engine/profiles/assume-cluster.ts";
import {
  type KubernetesVersion,
  type Manifest,
  newestVersion,
  type Scenario,
} from "../../engine/scenario.ts";
import { comeToRest } from "../../protocol/what-if.ts";
import type { Environment } from "../workspace/environment.ts";
import { fieldsAt } from "../workspace/manifest-fields.ts";
import { madeSecrets, mayHaveOtherKeys } from "../workspace/objects/made-secrets.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { generatedObjects } from "./generated-objects.ts";
import { ownObjects } from "./own-objects.ts";

/** An editor's settings, which claimcheck.yaml overrides, or a command's options, which override claimcheck.yaml. */
export interface PredictionSettings {
  /** A run that keeps more is aborted; depends on the memory of the process. */
  readonly traceBytesMax?: number | undefined;
  readonly profile?: string;
  readonly kubernetesVersion?: KubernetesVersion;
  /** True for a command's options. */
  readonly winOverProject?: boolean;
}

export type ProfileOrigin = "imported" | "project" | "settings" | "guess" | "default";

export interface Assumption {
  readonly assumed: AssumedCluster;
  readonly profileFrom: ProfileOrigin;
  readonly version: KubernetesVersion;
  readonly traceBytesMax?: number | undefined;
}

export interface EnvironmentScenario extends Assumption {
  readonly scenario: Scenario;
  /** The applied objects, in that order. */
  readonly applied: readonly WorkspaceObject[];
}

/** The cluster that an environment is meant for. */
export function assumptionOf(environment: Environment, settings: PredictionSettings): Assumption {
  const objects = environment.objects.filter(({ object }) => object.served);
  const assumed = assumeCluster(
    objects.map(({ object }) => object.value),
    profileOf(environment, settings),
    environment.imported,
    environment.project.drivers,
  );
  return {
    traceBytesMax: settings.traceBytesMax,
    assumed,
    profileFrom: originOf(environment, settings, assumed),
    version: versionOf(environment, settings, assumed.kubernetesVersion),
  };
}

/** Everything about an object that influences the choice of the cluster; "" if nothing does. */
export function shownToAssumption({ object }: WorkspaceObject): string {
  const { kind, value, served } = object;
  if (!served) return "";
  if (shownAsWhole.has(kind)) return JSON.stringify(value);
  const clues = cluesOf(value);
  return clues.length === 0 ? "" : JSON.stringify([kind, clues]);
}

const shownAsWhole: ReadonlySet<string> = new Set([
  "CSIDriver",
  "CSINode",
  "CSIStorageCapacity",
  "Node",
  "StorageClass",
  "VolumeSnapshotClass",
  "VolumeSnapshotContent",
]);

export function versionOf(
  { project }: Environment,
  settings: PredictionSettings,
  ofCluster: KubernetesVersion = newestVersion,
): KubernetesVersion {
  return chosen("kubernetesVersion", project, settings)?.value ?? ofCluster;
}

/** The profile that project file or settings name; undefined if it has to be guessed. */
export function profileOf(
  { project }: Environment,
  settings: PredictionSettings,
): string | undefined {
  return chosen("profile", project, settings)?.value;
}

/** What project file or settings say, and which of them; undefined if neither does. */
function chosen<K extends "profile" | "kubernetesVersion">(
  what: K,
  project: Pick<Environment["project"], K>,
  settings: PredictionSettings,
): { readonly value: NonNullable<PredictionSettings[K]>; readonly by: ProfileOrigin } | undefined {
  const ofProject = project[what];
  const ofSettings = settings[what];
  const isSettings =
    ofSettings !== undefined && (settings.winOverProject === true || ofProject === undefined);
  if (isSettings) return { value: ofSettings, by: "settings" };
  return ofProject === undefined ? undefined : { value: ofProject, by: "project" };
}

export function scenarioOf(environment: Environment, assumption: Assumption): EnvironmentScenario {
  const { assumed, version, traceBytesMax } = assumption;
  const applied = environment.objects
    .filter((entry) => isApplied(environment, entry))
    .map((entry, index) => ({ entry, index, rank: rankOf(entry.object.kind) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ entry }) => entry);
  const { namespaces, configs } = suppliedTo(applied, environment);
  const cluster = { ...assumed.cluster, manifests: [...namespaces, ...assumed.cluster.manifests] };
  const namespaceCount = applied.filter(({ object }) => object.kind === "Namespace").length;
  const scenario: Scenario = {
    version,
    seed: 1,
    cluster,
    steps: [
      {
        type: "apply",
        manifests: [
          ...applied.slice(0, namespaceCount).map(({ object }) => created(object.value)),
          ...configs,
          ...applied.slice(namespaceCount).map((entry) => created(manifestOf(entry, environment))),
        ],
        ...(applied.length > manyObjects && { gapMs: 1 }),
      },
      comeToRest,
    ],
    ...(traceBytesMax !== undefined && { limits: { traceBytesMax } }),
  };
  return { ...assumption, scenario, applied };
}

/** Adds the keys that drivers look for to a Secret whose keys are not all known. */
function manifestOf(entry: WorkspaceObject, environment: Environment): Manifest {
  const { kind, value } = entry.object;
  if (kind !== "Secret" || !mayHaveOtherKeys(entry, environment)) return value;
  const data = fieldsAt(value, "data");
  const missing = keysForDrivers.filter((key) => !(key in data));
  return { ...value, data: { ...data, ...Object.fromEntries(missing.map((key) => [key, ""])) } };
}

/**
 * Above this number objects are applied in quick succession: the outcome is the same, but nothing is retried a hundred times
 * while the rest is still on its way.
 */
const manyObjects = 500;

function originOf(
  { project }: Environment,
  settings: PredictionSettings,
  assumed: AssumedCluster,
): ProfileOrigin {
  if (assumed.from !== "named") return assumed.from;
  return chosen("profile", project, settings)?.by ?? "settings";
}

/**
 * Objects in a version that is not served are applied, too, so that their users find them refused, unless the same object
 * exists in a served version.
 */
function isApplied({ byRef }: Environment, entry: WorkspaceObject): boolean {
  const { kind, served, ref } = entry.object;
  if (fromMachines.has(kind)) return false;
  return served || (ref !== undefined && byRef.get(ref)?.includes(entry) === true);
}

/** Kubelets write these; the nodes of the cluster are made from them. */
const fromMachines: ReadonlySet<string> = new Set(["Node", "CSINode"]);

/** Objects that others need come first, in the order of kustomize and Helm. Kinds in neither list come in between. */
const firstKinds: readonly string[] = [
  "Namespace",
  "ResourceQuota",
  "LimitRange",
  "PriorityClass",
  "RuntimeClass",
  "CSIDriver",
  "StorageClass",
  "VolumeAttributesClass",
  "VolumeSnapshotClass",
  "ServiceAccount",
  "Secret",
  "ConfigMap",
  "PersistentVolume",
  "VolumeSnapshotContent",
  "PersistentVolumeClaim",
  "VolumeSnapshot",
] satisfies readonly Kind[];
const lastKinds: readonly string[] = [
  "Deployment",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "CronJob",
  "Pod",
] satisfies readonly Kind[];

function rankOf(kind: string): number {
  const first = firstKinds.indexOf(kind);
  if (first >= 0) return first;
  const last = lastKinds.indexOf(kind);
  return firstKinds.length + (last < 0 ? 0 : 1);
}

/** Objects that exist although no file contains them: namespaces, what Kubernetes creates in them, and generated objects. */
export function suppliedTo(
  applied: readonly WorkspaceObject[],
  { imported, kustomized, objects }: Environment,
): { readonly namespaces: readonly Manifest[]; readonly configs: readonly Manifest[] } {
  const written = new Set(applied.map(({ object }) => object.ref));
  const made = madeSecrets(objects).filter(({ namespace, name }) => {
    const ref = makeRef("Secret", namespace, name);
    return !written.has(ref) && imported?.byRef.has(ref) !== true;
  });
  // An import that contains namespaces contains all of them.
  const isSaved = imported?.kinds.has("Namespace") === true && !imported.isPartial;
  return {
    namespaces: isSaved ? [] : missingNamespaces(applied),
    configs: [
      ...ownObjects(applied, imported),
      ...generatedObjects([...kustomized.generated, ...made], applied),
    ],
  };
}

/** Namespaces that the manifests use but do not create. */
function missingNamespaces(applied: readonly WorkspaceObject[]): readonly Manifest[] {
  const made = new Set(
    applied.filter(({ object }) => object.kind === "Namespace").map(({ object }) => object.name),
  );
  const used = new Set(applied.map(({ object }) => object.namespace).filter((name) => name !== ""));
  return [...used]
    .filter((name) => !made.has(name) && !isStanding(name) && /^[a-z0-9-]{1,63}$/.test(name))
    .sort(compareText)
    .map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
}
