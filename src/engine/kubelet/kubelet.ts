/**
 * A node's kubelet: registers the node and its CSI drivers, runs the pods that are bound to it, mounts their volumes.
 * Upstream: pkg/kubelet/kubelet.go v1.36. What is physically on the node survives the kubelet: see node/machine.ts.
 */
import { makeRef } from "../api/meta.ts";
import { isRunning } from "../node/container-runtime.ts";
import type { Component, ComponentContext } from "../runtime/component.ts";
import { event } from "../runtime/effects.ts";
import type { NodeProfile } from "../scenario.ts";
import { CsiNodeRegistration } from "./csi-node.ts";
import { pressureRefusal } from "./node-pressure.ts";
import { NodeStatusUpdater } from "./node-status.ts";
import { ObjectCache } from "./object-cache.ts";
import { type Resync, volumeWatch, watchApiData, watchDrivers } from "./periodic-sync.ts";
import { admissionRefusal } from "./pod-admission.ts";
import { PodWorkers } from "./pod-workers.ts";
import { StatusManager } from "./status-manager.ts";
import { VolumeManager } from "./volume-manager/volume-manager.ts";
import type { VolumeHost } from "./volumes/plugin.ts";

const podsByNode = "spec.nodeName";
const byName = "metadata.name";
const housekeepingMs = 2000;

export function kubelet(profile: NodeProfile): Component {
  return {
    name: `kubelet ${profile.name}`,
    source: "kubelet",
    start: (context) => start(context, profile),
  };
}

function start(context: ComponentContext, profile: NodeProfile): void {
  const machine = context.machine(profile.name);
  if (machine === undefined) return;
  const index = context.machines.findIndex((m) => m.name === profile.name);
  const address = profile.address ?? addressOf(index);
  const registration: CsiNodeRegistration = new CsiNodeRegistration(context, machine, () =>
    status.wanted(),
  );
  const host: VolumeHost = {
    context,
    machine,
    nodeName: profile.name,
    hostIp: address,
    objects: new ObjectCache(context),
    isRegistered: (driver) => registration.isRegistered(driver),
    askLimit: (driver) => registration.askLimit(driver),
  };
  const known = machine.takeKnown();
  const admitted = new Set(known?.map(({ metadata }) => metadata.uid));
  const running = known?.filter(({ metadata }) => machine.containers.sandbox(metadata.uid)) ?? [];
  const resync: Resync = (matches) => {
    for (const uid of volumes.podsWith(matches)) workers.resyncLater(uid);
  };
  const volumes: VolumeManager = new VolumeManager(
    host,
    running,
    () => status.wanted(),
    volumeWatch(context, resync),
  );
  const status = new NodeStatusUpdater({
    context,
    machine,
    address,
    volumesInUse: () => volumes.volumesInUse(),
    markReportedInUse: (names) => volumes.markReportedInUse(names),
    registered: (node) => registration.begin(node),
  });
  const statuses = new StatusManager(context);
  const nodes = context.informer("Node");
  const workers: PodWorkers = new PodWorkers({
    host,
    volumes,
    statuses,
    // The nodes of an existing cluster ran long before the simulation.
    probesSince: known === undefined ? context.now : Number.NEGATIVE_INFINITY,
    isAdmitted: (uid) => admitted.has(uid),
    admit: (pod, others) =>
      pressureRefusal(pod, profile.ailments) ??
      admissionRefusal(pod, others, nodes.get(profile.name)),
  });
  status.register();
  watchNode(host, volumes, status);
  watchPods(host, workers);
  watchDrivers(context, resync);
  watchApiData(context, resync);
  context.after(housekeepingMs, () => removeOrphans(context, host, workers));
}

/** The node's address, by its index among the machines. */
function addressOf(index: number): string {
  // Leaves the first addresses to routers and the like.
  const host = index + 10;
  return `192.168.${(host >> 8) & 255}.${host & 255}`;
}

function watchNode(
  { context, nodeName }: VolumeHost,
  volumes: VolumeManager,
  status: NodeStatusUpdater,
): void {
  const nodes = context.informer("Node");
  nodes.index(byName, (node) => [node.metadata.name]);
  nodes.onIndexed(byName, nodeName, {
    add: (node) => volumes.volumesAttachedChanged(attachedNames(node)),
    update: (before, after) => {
      if (before.status?.volumesAttached !== after.status?.volumesAttached) {
        volumes.volumesAttachedChanged(attachedNames(after));
      }
      status.seen(after);
    },
  });
}

function watchPods({ context, nodeName }: VolumeHost, workers: PodWorkers): void {
  const pods = context.informer("Pod");
  pods.index(podsByNode, (pod) => (pod.spec.nodeName === undefined ? [] : [pod.spec.nodeName]));
  pods.onIndexed(podsByNode, nodeName, {
    add: (pod) => workers.update(pod),
    update: (_, pod) => workers.update(pod),
    delete: (pod) => workers.remove(pod),
  });
}

function attachedNames(node: {
  readonly status?: { readonly volumesAttached?: readonly { readonly name: string }[] };
}): readonly string[] {
  return (node.status?.volumesAttached ?? []).map((a) => a.name);
}

/** Stops the containers of pods that are gone from the API. Upstream: HandlePodCleanups. */
function removeOrphans(
  context: ComponentContext,
  { machine }: VolumeHost,
  workers: PodWorkers,
): void {
  for (const { uid, namespace, name, containers } of machine.containers.sandboxes) {
    if (workers.has(uid)) continue;
    for (const container of containers) {
      if (!isRunning(container, context.now)) continue;
      const about = makeRef("Pod", namespace, name);
      const message = `Stopping container ${container.name}`;
      context.go(event(about, "Normal", "Killing", message));
    }
    machine.containers.remove(uid);
  }
}
