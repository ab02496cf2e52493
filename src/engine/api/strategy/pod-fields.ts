/**
 * Fields of pods and pod templates behind feature gates that are off by default. Upstream: pkg/api/pod/util.go
 * dropDisabledFields, v1.36 (ClusterTrustBundleProjection, PodCertificateRequest, GangScheduling,
 * ContainerStopSignals).
 */
import type { Kind } from "../meta.ts";
import { dropField, type Mutable } from "../mutable.ts";
import type { Container, KindMap, PodSpec, VolumeProjection } from "../types.ts";

type GatedProjection = "clusterTrustBundle" | "podCertificate";
const gatedProjections: readonly GatedProjection[] = ["clusterTrustBundle", "podCertificate"];

/** What the stored object uses already may stay. */
export function dropDisabledPodFields(spec: Mutable<PodSpec>, old: PodSpec | undefined): void {
  if (old?.schedulingGroup === undefined) dropField(spec, "schedulingGroup");
  dropStopSignals(spec, old);
  const sources = projections(spec);
  if (sources.length === 0) return;
  for (const field of gatedProjections) {
    if (projections(old).some((source) => source[field] !== undefined)) continue;
    for (const source of sources) dropField(source as Mutable<VolumeProjection>, field);
  }
}

/** A `lifecycle` that held nothing but the signal goes with it. */
function dropStopSignals(spec: Mutable<PodSpec>, old: PodSpec | undefined): void {
  for (const container of ownContainers(spec)) {
    if (container.lifecycle?.stopSignal === undefined || stopSignalInUse(old)) continue;
    const { stopSignal: _, ...lifecycle } = container.lifecycle;
    const changed = container as Mutable<Container>;
    if (Object.keys(lifecycle).length > 0)
      changed.lifecycle = lifecycle as Mutable<typeof lifecycle>;
    else delete changed.lifecycle;
  }
}

function stopSignalInUse(spec: PodSpec | undefined): boolean {
  return ownContainers(spec).some(({ lifecycle }) => lifecycle?.stopSignal !== undefined);
}

function ownContainers(spec: PodSpec | undefined): readonly Container[] {
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
}

function projections(spec: PodSpec | undefined): readonly VolumeProjection[] {
  const found: VolumeProjection[] = [];
  for (const { projected } of spec?.volumes ?? [])
    if (projected?.sources !== undefined) found.push(...projected.sources);
  return found;
}

/** The pod spec that an object holds, be it in a template. */
export function podSpecOf(object: Mutable<KindMap[Kind]>): Mutable<PodSpec> | undefined;
export function podSpecOf(object: KindMap[Kind]): PodSpec | undefined;
export function podSpecOf(object: KindMap[Kind]): PodSpec | undefined {
  switch (object.kind) {
    case "Pod":
      return object.spec;
    case "PodTemplate":
      return object.template?.spec;
    case "Deployment":
    case "ReplicaSet":
    case "StatefulSet":
    case "DaemonSet":
    case "Job":
    case "ReplicationController":
      return object.spec?.template?.spec;
    case "CronJob":
      return object.spec.jobTemplate.spec?.template.spec;
    default:
      return undefined;
  }
}
