/**
 * Fields of pods and pod templates behind feature gates that are off by default. Upstream: pkg/api/pod/util.go
 * dropDisabledFields, v1.36 (ClusterTrustBundleProjection, PodCertificateRequest, GangScheduling).
 */
import type { Kind } from "../meta.ts";
import { dropField, type Mutable } from "../mutable.ts";
import type { KindMap, PodSpec, VolumeProjection } from "../types.ts";

type GatedProjection = "clusterTrustBundle" | "podCertificate";
const gatedProjections: readonly GatedProjection[] = ["clusterTrustBundle", "podCertificate"];

/** What the stored object uses already may stay. */
export function dropDisabledPodFields(spec: Mutable<PodSpec>, old: PodSpec | undefined): void {
  if (old?.schedulingGroup === undefined) dropField(spec, "schedulingGroup");
  const sources = projections(spec);
  if (sources.length === 0) return;
  for (const field of gatedProjections) {
    if (projections(old).some((source) => source[field] !== undefined)) continue;
    for (const source of sources) dropField(source as Mutable<VolumeProjection>, field);
  }
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
