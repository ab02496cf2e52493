/**
 * A node's kubelet: registers the node and its CSI drivers, runs the pods that are bound to it, mounts their volumes.
 * Upstream: pkg/kubelet/kubelet.go v1.36. What is physically on the node survives it, see node/machine.ts.
 */
import { type KubeObject, makeRef } from "../api/meta.ts";
import type { Pod } from "../api/types.ts";
import { isRunning } from "../node/container-runtime.ts";
import type { Component, ComponentContext } from "../runtime/component.ts";
import { event } from "../runtime/effects.ts";
import type { NodeProfile } from "../scenario.ts";
import { CsiNodeRegistration } from "./csi-node.ts";
import { NodeStatusUpdater } from "./node-status.ts";
import { ObjectCache } from "./object-cache.ts";
import { admissionRefusal } from "./pod-admission.ts";
import { PodWorkers } from "./pod-workers.ts";
import { StatusManager } from "./status-manager.ts";
import { VolumeManager } from "./volume-manager/volume-manager.ts";
import { readsObject } from "./volumes/api-data.ts";
import { csiDriverName } from "./volumes/csi-source.ts";
import type { VolumeHost, VolumeSpec } from "./volumes/plugin.ts";

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
  const address = profile.address ?? `192.168.${(index >> 8) & 255}.${(index & 255) + 10}`;
  const registration: CsiNodeRegistration = new CsiNodeRegistration(context, machine, () =>
    status.wanted(),
  );
  const host: VolumeHost = {
    context,
    machine,
    nodeName: profile.name,
    objects: new ObjectCache(context),
    isRegistered: (driver) => registration.isRegistered(driver),
  };
  const known = machine.takeKnown();
  const admitted = new Set(known.map(({ metadata }) => metadata.uid));
  const running = known.filter(({ metadata }) => machine.containers.sandbox(metadata.uid));
  const volumes = new VolumeManager(
    host,
    running,
    () => status.wanted(),
    onceEach((name) => watchGrowth(context, name, grown)),
  );
  const resync: Resync = (matches) => {
    for (const uid of volumes.podsWith(matches)) workers.resyncLater(uid);
  };
  const grown = (volume: string): void => resync((spec) => spec.name === volume);
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
  const workers = new PodWorkers({
    host,
    volumes,
    statuses,
    hostIp: address,
    isAdmitted: (uid) => admitted.has(uid),
    admit: (pod, others) => admissionRefusal(pod, others, nodes.get(profile.name)),
  });
  status.register();
  watchNode(host, volumes, status);
  watchPods(host, workers);
  watchDrivers(context, resync);
  watchApiData(context, resync);
  context.after(housekeepingMs, () => removeOrphans(context, host, workers));
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

function onceEach(action: (name: string) => void): (name: string) => void {
  const seen = new Set<string>();
  return (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    action(name);
  };
}

/** Has the pods synced again that have such a volume. */
type Resync = (matches: (spec: VolumeSpec, pod: Pod) => boolean) => void;

/** Whether a driver wants its volumes published again and again is noticed by the periodic sync of their pods. */
function watchDrivers(context: ComponentContext, resync: Resync): void {
  context.informer("CSIDriver").on({
    update: (before, after) => {
      if (before.spec.requiresRepublish === after.spec.requiresRepublish) return;
      resync((spec) => csiDriverName(spec) === after.metadata.name);
    },
  });
}

/** What a volume's files come from is read again by the periodic sync of its pods. */
function watchApiData(context: ComponentContext, resync: Resync): void {
  for (const kind of ["ConfigMap", "Secret"] as const) {
    const changed = ({ metadata: { namespace, name } }: KubeObject): void =>
      resync(
        ({ volume }, pod) =>
          pod.metadata.namespace === namespace &&
          volume !== undefined &&
          readsObject(volume, kind, name),
      );
    context.informer(kind).on({ update: (_, after) => changed(after), delete: changed });
  }
}

/** A volume's growth is noticed by the periodic sync of its pods. */
function watchGrowth(
  context: ComponentContext,
  name: string,
  grown: (volume: string) => void,
): void {
  const volumes = context.informer("PersistentVolume");
  volumes.index(byName, (volume) => [volume.metadata.name]);
  volumes.onIndexed(byName, name, {
    update: (before, after) => {
      if (before.spec.capacity?.["storage"] !== after.spec.capacity?.["storage"]) grown(name);
    },
  });
}

/** Containers of pods that are gone from the API are stopped; their volumes follow. Upstream: HandlePodCleanups. */
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
      context.go(`stop ${name}`, event(about, "Normal", "Killing", message));
    }
    machine.containers.remove(uid);
  }
}
