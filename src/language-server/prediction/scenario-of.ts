/** From an environment's files to the scenario that is simulated: the assumed cluster, then everything applied, then rest. */
import type { Kind } from "../../engine/api/meta.ts";
import { type AssumedCluster, assumeCluster } from "../../engine/profiles/assume-cluster.ts";
import {
  type KubernetesVersion,
  kubernetesVersions,
  type Manifest,
  type Scenario,
} from "../../engine/scenario.ts";
import { compareText } from "../workspace/uri.ts";
import type { Environment, WorkspaceObject } from "../workspace/workspace.ts";

/** What the editor's settings or the command line say; claimcheck.yaml wins over both. */
export interface PredictionSettings {
  readonly profile?: string;
  readonly kubernetesVersion?: KubernetesVersion;
}

export type ProfileOrigin = "project" | "settings" | "guess" | "default";

export interface EnvironmentScenario {
  readonly scenario: Scenario;
  readonly assumed: AssumedCluster;
  readonly profileFrom: ProfileOrigin;
  /** The objects that are applied, in that order. */
  readonly applied: readonly WorkspaceObject[];
}

export const defaultVersion: KubernetesVersion = kubernetesVersions.at(-1) ?? "1.36";

export function versionOf(
  environment: Environment,
  settings: PredictionSettings,
): KubernetesVersion {
  return environment.project.kubernetesVersion ?? settings.kubernetesVersion ?? defaultVersion;
}

export function scenarioOf(
  environment: Environment,
  settings: PredictionSettings,
): EnvironmentScenario {
  const name = environment.project.profile ?? settings.profile;
  const objects = environment.objects.filter(({ object }) => object.served);
  const assumed = assumeCluster(
    objects.map(({ object }) => object.value),
    name,
  );
  const applied = objects
    .filter(({ object }) => !fromMachines.has(object.kind))
    .map((entry, index) => ({ entry, index, rank: rankOf(entry.object.kind) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ entry }) => entry);
  const cluster = {
    ...assumed.cluster,
    manifests: [...missingNamespaces(applied), ...assumed.cluster.manifests],
  };
  const scenario: Scenario = {
    version: versionOf(environment, settings),
    seed: 1,
    cluster,
    steps: [
      { type: "apply", manifests: applied.map(({ object }) => object.value) },
      { type: "settle", limitMs: settleLimitMs },
    ],
  };
  return { scenario, assumed, profileFrom: originOf(environment, assumed), applied };
}

/** Long enough for every time-out and back-off that tells a slow start from a stuck one. */
const settleLimitMs = 10 * 60 * 1000;

function originOf(environment: Environment, assumed: AssumedCluster): ProfileOrigin {
  if (assumed.from === "guess" || assumed.from === "default") return assumed.from;
  return environment.project.profile === undefined ? "settings" : "project";
}

/** Written by kubelets: the cluster's machines are made of them. */
const fromMachines: ReadonlySet<string> = new Set(["Node", "CSINode"]);

/** What others need comes first, as kustomize and Helm order it. Kinds that are not named come between the two halves. */
const firstKinds: readonly Kind[] = [
  "Namespace",
  "ResourceQuota",
  "LimitRange",
  "PriorityClass",
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
];
const lastKinds: readonly Kind[] = [
  "Deployment",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "CronJob",
  "Pod",
];

function rankOf(kind: string): number {
  const first = firstKinds.indexOf(kind as Kind);
  if (first >= 0) return first;
  const last = lastKinds.indexOf(kind as Kind);
  return firstKinds.length + (last < 0 ? 0 : 1);
}

const namespacesOfEveryCluster: ReadonlySet<string> = new Set([
  "default",
  "kube-system",
  "kube-public",
  "kube-node-lease",
]);

/** Namespaces that the manifests use and do not make: somebody has made them. */
function missingNamespaces(applied: readonly WorkspaceObject[]): readonly Manifest[] {
  const made = new Set(
    applied.filter(({ object }) => object.kind === "Namespace").map(({ object }) => object.name),
  );
  const used = new Set(applied.map(({ object }) => object.namespace).filter((name) => name !== ""));
  return [...used]
    .filter(
      (name) =>
        !made.has(name) && !namespacesOfEveryCluster.has(name) && /^[a-z0-9-]{1,63}$/.test(name),
    )
    .sort(compareText)
    .map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
}
