/**
 * The plugins of the default profile, in the order in which they run. Upstream: kube-scheduler v1.36
 * pkg/scheduler/apis/config/v1/default_plugins.go. Not modeled: NodeName, since a pod that names its node is never queued;
 * DynamicResources, except for its words in FailedScheduling; gang scheduling and node features, which are off or without
 * effect by default.
 */
import type { ComponentContext } from "../runtime/component.ts";
import type { Plugin } from "./framework/plugin.ts";
import { imageLocality } from "./plugins/image-locality.ts";
import { interPodAffinity } from "./plugins/inter-pod-affinity.ts";
import { nodeAffinity } from "./plugins/node-affinity.ts";
import { nodePorts } from "./plugins/node-ports.ts";
import { nodeResourcesBalancedAllocation } from "./plugins/node-resources-balanced-allocation.ts";
import { nodeResourcesFit } from "./plugins/node-resources-fit.ts";
import { nodeUnschedulable } from "./plugins/node-unschedulable.ts";
import { nodeVolumeLimits } from "./plugins/node-volume-limits.ts";
import { podTopologySpread } from "./plugins/pod-topology-spread.ts";
import { schedulingGates } from "./plugins/scheduling-gates.ts";
import { taintToleration } from "./plugins/taint-toleration.ts";
import { type VolumeBindingPlugin, volumeBinding } from "./plugins/volume-binding.ts";
import { volumeRestrictions } from "./plugins/volume-restrictions.ts";
import { volumeZone } from "./plugins/volume-zone.ts";
import { workloadSelectors } from "./plugins/workload-selectors.ts";
import { defaultPreemption } from "./preemption/default-preemption.ts";
import { AttachedVolumes } from "./volume/attached-volumes.ts";
import { capacityCheck, mostRoom } from "./volume/storage-capacity.ts";
import { VolumeBinder } from "./volume/volume-binder.ts";
import { VolumeCaches } from "./volume/volume-caches.ts";
import { VolumeDecisions } from "./volume/volume-decisions.ts";

export interface DefaultPlugins {
  readonly all: readonly Plugin[];
  readonly volumeBinding: VolumeBindingPlugin;
  readonly volumeCaches: VolumeCaches;
}

export function defaultPlugins(context: ComponentContext): DefaultPlugins {
  const { version } = context;
  const classes = context.informer("StorageClass");
  const classOf = (name: string): ReturnType<typeof classes.get> => classes.get(name);
  const volumeCaches = new VolumeCaches(context);
  const attached = new AttachedVolumes(context, volumeCaches, classOf);
  const binder = new VolumeBinder(version, volumeCaches, classOf, capacityCheck(context));
  const binding = volumeBinding({
    version,
    caches: volumeCaches,
    binder,
    classOf,
    mostRoom: mostRoom(context),
    decisions: new VolumeDecisions(context, volumeCaches),
  });
  const all: readonly Plugin[] = [
    schedulingGates,
    nodeUnschedulable,
    taintToleration(version),
    nodeAffinity,
    nodePorts,
    nodeResourcesFit(version),
    volumeRestrictions(version, volumeCaches),
    nodeVolumeLimits(version, attached, context.informer("CSINode")),
    binding,
    volumeZone(volumeCaches, classOf),
    podTopologySpread(version, workloadSelectors(context)),
    interPodAffinity(version),
    nodeResourcesBalancedAllocation(version),
    imageLocality,
    defaultPreemption,
  ];
  return { all, volumeBinding: binding, volumeCaches };
}
