/**
 * Fields of pods and pod templates behind feature gates that are off. Upstream: pkg/api/pod/util.go dropDisabledFields, v1.36
 * and, for the gates of version-differences.ts, v1.35 (off by default in 1.36, too: ClusterTrustBundleProjection,
 * PodCertificateRequest, GangScheduling, ContainerStopSignals).
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { isOn, type PodGate, refusesOwnRestartPolicy } from "../../version-differences.ts";
import type { KubeObject } from "../meta.ts";
import { dropField, type Mutable, type MutableObject } from "../mutable.ts";
import { containersAtCreation } from "../pod-containers.ts";
import type {
  Container,
  EnvVar,
  PodSpec,
  PodTemplateSpec,
  SecurityContext,
  VolumeProjection,
} from "../types.ts";

type GatedProjection = "clusterTrustBundle" | "podCertificate";
/** Projected sources that servers drop unless somebody has switched on their gates. */
export const gatedProjections: readonly GatedProjection[] = [
  "clusterTrustBundle",
  "podCertificate",
];

/** Fields that the stored object already uses are kept. */
export function dropDisabledPodFields(
  spec: Mutable<PodSpec>,
  old: PodSpec | undefined,
  version: KubernetesVersion,
): void {
  for (const gate of podGates)
    if (!isOn(gate, version) && !gated[gate].isUsed(old)) gated[gate].drop(spec, version);
  if (old?.schedulingGroup === undefined) dropField(spec, "schedulingGroup");
  dropStopSignals(spec, old);
  const sources = projections(spec);
  if (sources.length === 0) return;
  for (const field of gatedProjections) {
    if (projections(old).some((source) => source[field] !== undefined)) continue;
    for (const source of sources) dropField(source as Mutable<VolumeProjection>, field);
  }
}

/** What a gate controls. */
interface Gated {
  readonly isUsed: (spec: PodSpec | undefined) => boolean;
  readonly drop: (spec: Mutable<PodSpec>, version: KubernetesVersion) => void;
}

const gated: Readonly<Record<PodGate, Gated>> = {
  ContainerRestartRules: {
    isUsed: (spec) => containersAtCreation(spec).some(hasOwnRestarts),
    drop: dropRestarts,
  },
  DynamicResourceAllocation: {
    isUsed: (spec) => (spec?.resourceClaims ?? []).length > 0,
    drop: (spec) => {
      dropField(spec, "resourceClaims");
      for (const { resources } of containersAtCreation(spec))
        if (resources !== undefined) dropField(resources, "claims");
    },
  },
  EnvFiles: {
    isUsed: (spec) => variables(spec).some(({ valueFrom }) => valueFrom?.fileKeyRef !== undefined),
    drop: (spec) => {
      for (const { valueFrom } of variables(spec))
        if (valueFrom !== undefined) dropField(valueFrom, "fileKeyRef");
    },
  },
  HostnameOverride: ofPod("hostnameOverride"),
  ImageVolume: {
    isUsed: (spec) => (spec?.volumes ?? []).some(({ image }) => image !== undefined),
    drop: dropImageVolumes,
  },
  InPlacePodVerticalScaling: {
    isUsed: (spec) =>
      containersAtCreation(spec).some(({ resizePolicy = [] }) => resizePolicy.length > 0),
    drop: (spec) => {
      for (const container of containersAtCreation(spec)) dropField(container, "resizePolicy");
    },
  },
  PodLevelResources: ofPod("resources"),
  ProcMountType: {
    isUsed: (spec) => procMounts(spec).some((context) => context.procMount !== "Default"),
    drop: (spec) => {
      for (const context of procMounts(spec)) context.procMount = "Default";
    },
  },
  SELinuxChangePolicy: ofSecurityContext("seLinuxChangePolicy"),
  SupplementalGroupsPolicy: ofSecurityContext("supplementalGroupsPolicy"),
  UserNamespacesSupport: ofPod("hostUsers"),
};
const podGates = Object.keys(gated) as PodGate[];

function ofPod(field: "hostnameOverride" | "hostUsers" | "resources"): Gated {
  return {
    isUsed: (spec) => spec?.[field] !== undefined,
    drop: (spec) => dropField(spec, field),
  };
}

function ofSecurityContext(field: "seLinuxChangePolicy" | "supplementalGroupsPolicy"): Gated {
  return {
    isUsed: (spec) => spec?.securityContext?.[field] !== undefined,
    drop: ({ securityContext }) => {
      if (securityContext !== undefined) dropField(securityContext, field);
    },
  };
}

function hasOwnRestarts({ restartPolicy, restartPolicyRules = [] }: Container): boolean {
  return (restartPolicy ?? "Always") !== "Always" || restartPolicyRules.length > 0;
}

/** Older servers do not drop them: validation refuses them. Upstream: dropContainerRestartRules. */
function dropRestarts(spec: Mutable<PodSpec>, version: KubernetesVersion): void {
  if (refusesOwnRestartPolicy(version)) return;
  for (const container of spec.containers ?? []) dropField(container, "restartPolicy");
  for (const container of spec.initContainers ?? [])
    if (container.restartPolicy !== "Always") dropField(container, "restartPolicy");
  for (const container of containersAtCreation(spec)) dropField(container, "restartPolicyRules");
}

/** Drops their mounts, too. Upstream: dropImageVolumes. */
function dropImageVolumes(spec: Mutable<PodSpec>): void {
  const isImage = ({ image }: { readonly image?: unknown }): boolean => image !== undefined;
  const names = new Set((spec.volumes ?? []).filter(isImage).map(({ name }) => name));
  if (names.size === 0) return;
  spec.volumes = (spec.volumes ?? []).filter((volume) => !isImage(volume));
  if (spec.volumes.length === 0) dropField(spec, "volumes");
  for (const container of containersAtCreation(spec)) {
    const mounts = (container.volumeMounts ?? []).filter(({ name }) => !names.has(name));
    if (mounts.length > 0) container.volumeMounts = mounts;
    else dropField(container, "volumeMounts");
  }
}

/** Drops a `lifecycle` that has nothing but the signal, too. */
function dropStopSignals(spec: Mutable<PodSpec>, old: PodSpec | undefined): void {
  for (const container of containersAtCreation(spec)) {
    if (container.lifecycle?.stopSignal === undefined || stopSignalInUse(old)) continue;
    const { stopSignal: _, ...lifecycle } = container.lifecycle;
    if (Object.keys(lifecycle).length > 0) container.lifecycle = lifecycle;
    else delete container.lifecycle;
  }
}

function stopSignalInUse(spec: PodSpec | undefined): boolean {
  return containersAtCreation(spec).some(({ lifecycle }) => lifecycle?.stopSignal !== undefined);
}

function variables(spec: Mutable<PodSpec>): readonly Mutable<EnvVar>[];
function variables(spec: PodSpec | undefined): readonly EnvVar[];
function variables(spec: PodSpec | undefined): readonly EnvVar[] {
  return containersAtCreation(spec).flatMap(({ env = [] }) => env);
}

function procMounts(spec: Mutable<PodSpec>): readonly Mutable<SecurityContext>[];
function procMounts(spec: PodSpec | undefined): readonly SecurityContext[];
function procMounts(spec: PodSpec | undefined): readonly SecurityContext[] {
  return containersAtCreation(spec).flatMap(({ securityContext }) =>
    securityContext?.procMount === undefined ? [] : [securityContext],
  );
}

function projections(spec: PodSpec | undefined): readonly VolumeProjection[] {
  const found: VolumeProjection[] = [];
  for (const { projected } of spec?.volumes ?? [])
    if (projected?.sources !== undefined) found.push(...projected.sources);
  return found;
}

/** The pod spec of an object or of its template; undefined if it has none. */
export function podSpecOf(object: MutableObject): Mutable<PodSpec> | undefined;
export function podSpecOf(object: KubeObject): PodSpec | undefined;
export function podSpecOf(object: KubeObject): PodSpec | undefined {
  return object.kind === "Pod" ? object.spec : podTemplateOf(object)?.spec;
}

export function podTemplateOf(object: KubeObject): PodTemplateSpec | undefined {
  switch (object.kind) {
    case "PodTemplate":
      return object.template;
    case "Deployment":
    case "ReplicaSet":
    case "StatefulSet":
    case "DaemonSet":
    case "Job":
    case "ReplicationController":
      return object.spec?.template;
    case "CronJob":
      return object.spec.jobTemplate.spec?.template;
    default:
      return undefined;
  }
}
