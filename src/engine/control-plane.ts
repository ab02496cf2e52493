/** The processes of a cluster, in the order in which they start. One line per upstream component. */
import { attachDetachController } from "./controllers/attach-detach/attach-detach.ts";
import { cronJobController } from "./controllers/cron-job/cron-job.ts";
import { daemonSetController } from "./controllers/daemon-set/daemon-set.ts";
import { deploymentController } from "./controllers/deployment/deployment.ts";
import { disruption } from "./controllers/disruption.ts";
import { ephemeralVolume } from "./controllers/ephemeral-volume.ts";
import { externalAttacher } from "./controllers/external-attacher/external-attacher.ts";
import { externalProvisioner } from "./controllers/external-provisioner/external-provisioner.ts";
import { externalResizer } from "./controllers/external-resizer/external-resizer.ts";
import { externalSnapshotter } from "./controllers/external-snapshotter/external-snapshotter.ts";
import { garbageCollector } from "./controllers/garbage-collector/garbage-collector.ts";
import { jobController } from "./controllers/job/job.ts";
import { namespaceController } from "./controllers/namespace.ts";
import { nodeLifecycleController } from "./controllers/node-lifecycle/node-lifecycle.ts";
import { pathProvisioner } from "./controllers/path-provisioner/path-provisioner.ts";
import { persistentVolumeBinder } from "./controllers/persistent-volume-binder/persistent-volume-binder.ts";
import { podGarbageCollector } from "./controllers/pod-gc.ts";
import { pvProtection } from "./controllers/pv-protection.ts";
import { pvcProtection } from "./controllers/pvc-protection.ts";
import {
  replicaSetController,
  replicationController,
} from "./controllers/replica-set/replica-set.ts";
import { resourceQuotaController } from "./controllers/resource-quota.ts";
import { snapshotController } from "./controllers/snapshot-controller/snapshot-controller.ts";
import { statefulSetController } from "./controllers/stateful-set/stateful-set.ts";
import { taintEvictionController } from "./controllers/taint-eviction.ts";
import { ttlAfterFinishedController } from "./controllers/ttl-after-finished.ts";
import { vacProtection } from "./controllers/vac-protection.ts";
import { volumeExpand } from "./controllers/volume-expand.ts";
import { kubelet } from "./kubelet/kubelet.ts";
import type { Component } from "./runtime/component.ts";
import type { Scenario } from "./scenario.ts";
import { scheduler } from "./scheduler/scheduler.ts";

export function controlPlane(scenario: Scenario): readonly Component[] {
  const { drivers, pathProvisioners = [] } = scenario.cluster;
  return [
    persistentVolumeBinder(),
    pvcProtection,
    pvProtection,
    vacProtection,
    attachDetachController,
    volumeExpand,
    snapshotController,
    ephemeralVolume,
    deploymentController,
    replicaSetController,
    replicationController,
    statefulSetController,
    daemonSetController,
    jobController,
    cronJobController,
    ttlAfterFinishedController,
    garbageCollector,
    podGarbageCollector,
    namespaceController,
    nodeLifecycleController,
    taintEvictionController,
    resourceQuotaController,
    disruption,
    scheduler,
    ...scenario.cluster.nodes.map((node) => kubelet(node)),
    ...drivers
      .filter(({ hasController }) => hasController !== false)
      .flatMap((driver) => [
        externalProvisioner(driver),
        externalAttacher(driver),
        externalResizer(driver),
        externalSnapshotter(driver),
      ]),
    ...pathProvisioners.map((provisioner) => pathProvisioner(provisioner)),
  ];
}
