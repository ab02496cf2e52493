/** Shared by the kubelet's tests: a node, two drivers, manifests of claims and pods, and readings of a trace. */
import { type DriverProfile, driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import type { ClusterProfile, NodeProfile, Step } from "../../../src/engine/scenario.ts";
import type { Simulation } from "../../../src/engine/simulation.ts";
import { readMarkedManifests } from "../../support/check.ts";
import { dedent } from "../../support/markers.ts";
import type { Played } from "../../support/play.ts";

/** A driver of single-node disks that are attached, staged and published. */
export const blockDriver: DriverProfile = driverProfile({ name: "block.csi.test" });
/** A driver of shared files, which are never attached. */
export const fileDriver: DriverProfile = driverProfile({
  name: "file.csi.test",
  attachRequired: false,
  fsGroupPolicy: "File",
});

/** Sends its status often, because the cases are not about that. */
export const nodeA: NodeProfile = { name: "node-a", zone: "zone-a", statusUpdateMs: 1000 };

export function clusterOf(
  drivers: readonly DriverProfile[] = [blockDriver, fileDriver],
  nodes: readonly NodeProfile[] = [nodeA],
): Partial<ClusterProfile> {
  return { nodes, drivers };
}

/** Joins manifests of any indentation into one fixture. */
export function fixture(...parts: readonly string[]): string {
  return parts.map((part) => dedent(part)).join("\n---\n");
}

/** A volume, by default of the driver `block.csi.test`, and the claim `data` that is bound to it. */
export function boundClaim(
  spec: { readonly volume?: string; readonly mode?: string } = {},
): string {
  const mode = spec.mode ?? "ReadWriteOnce";
  const volume = spec.volume ?? "csi: { driver: block.csi.test, volumeHandle: vol, fsType: ext4 }";
  return `
    kind: PersistentVolume
    metadata: { name: pv }
    spec: { storageClassName: manual, accessModes: [${mode}], ${volume} }
    ---
    kind: PersistentVolumeClaim
    metadata: { name: data }
    spec: { storageClassName: manual, volumeName: pv, accessModes: [${mode}] }`;
}

/** A pod on node-a that mounts the claim `data`. */
export function podWithClaim(name: string, mark = "", extra = ""): string {
  return `
    kind: Pod
    metadata: { name: ${name} }        ${mark === "" ? "" : `#=> ${mark}`}
    spec:
      nodeName: node-a
      ${extra}
      containers: [{ name: app, image: app, volumeMounts: [{ name: data, mountPath: /data }] }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]`;
}

/** The claim `data` on a raw volume, and a pod on node-a that uses it. */
export function asDevice(volume: string): string {
  return boundClaim({ volume }).replaceAll("accessModes:", "volumeMode: Block, accessModes:");
}

export function podWithDevice(mark = ""): string {
  const mounts = "volumeMounts: [{ name: data, mountPath: /data }]";
  return podWithClaim("p", mark).replace(
    mounts,
    "volumeDevices: [{ name: data, devicePath: /dev/x }]",
  );
}

/** A pod on node-a with one volume \`v\` of its own, which its only container mounts. */
export function podWithVolume(name: string, volume: string, mark = "", extra = ""): string {
  return `
    kind: Pod
    metadata: { name: ${name} }        ${mark === "" ? "" : `#=> ${mark}`}
    spec:
      nodeName: node-a
      ${extra}
      containers: [{ name: app, image: app, volumeMounts: [{ name: v, mountPath: /v }] }]
      volumes: [{ name: v, ${volume} }]`;
}

const short: Readonly<Record<string, string>> = {
  NodeStageVolume: "NS",
  NodeUnstageVolume: "NU",
  NodePublishVolume: "NP",
  NodeUnpublishVolume: "NX",
  NodeExpandVolume: "EX",
};

/** Returns the calls to node plugins in order, as `NS NP NX NU`; a failed one has its code, as `NS:Internal`. */
export function nodeCalls(simulation: Simulation): string {
  const { entries } = simulation.trace;
  const codes = new Map(
    entries.flatMap((e) => (e.type === "answer" ? [[e.id, e.code] as const] : [])),
  );
  return entries
    .flatMap((e) => {
      if (e.type !== "call" || short[e.call] === undefined) return [];
      const code = codes.get(e.id) ?? "unanswered";
      return [`${short[e.call]}${code === "OK" ? "" : `:${code}`}`];
    })
    .join(" ");
}

/** Returns the request of the first call of that name. */
export function requestOf(simulation: Simulation, call: string): Readonly<Record<string, unknown>> {
  const entry = simulation.trace.entries.find((e) => e.type === "call" && e.call === call);
  return entry?.type === "call" ? entry.request : {};
}

/** For runs that end between unpublish and unstage. Upstream: getVolumesFromPodDir of reconstruct_common.go. */
export function mayForgetStaging(played: Played): Played {
  const path = requestOf(played.simulation, "NodeStageVolume")["staging_target_path"];
  const why = "a new kubelet looks for mounts in the directories of pods, where nothing is left";
  return played.mayEndOtherwise(why, { [`${path} on node-a`]: "mounted" });
}

export function fault(call: string, code: string, times = 0): Step {
  const message = `${call} refused`;
  return { type: "fault", fault: { driver: "block.csi.test", call, code, message, times } };
}

export function clear(call: string): Step {
  return { type: "fault", fault: { driver: "block.csi.test", call, clear: true } };
}

export function deletePods(...names: readonly string[]): Step {
  return { type: "delete", objects: names.map((name) => ({ kind: "Pod", name })) };
}

export const settle: Step = { type: "settle" };

export function advance(seconds: number): Step {
  return { type: "advance", ms: seconds * 1000 };
}

/** Returns steps that create a fixture's objects, for cases that begin with other steps. */
export function applied(...parts: readonly string[]): readonly Step[] {
  return [{ type: "apply", manifests: readMarkedManifests(fixture(...parts)).manifests }];
}
