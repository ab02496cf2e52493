/** A volume, its claim, and pods that mount it, for cases about attach and detach. */
import type { Runtime } from "../../../../src/engine/runtime/runtime.ts";
import { StorageRun, twoNodes } from "../../../support/storage-run.ts";

/** The volume's name in the status of a node. */
export const unique = "kubernetes.io/csi/d.csi^h";

export const volume = (modes = "ReadWriteOnce"): string => `
  kind: PersistentVolume
  metadata: { name: pv }
  spec:
    accessModes: [${modes}]
    storageClassName: ""
    csi: { driver: d.csi, volumeHandle: h }
  ---
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { accessModes: [${modes}], storageClassName: "", volumeName: pv }
`;

export const pod = (name: string, node: string, more = ""): string => `
  kind: Pod
  metadata: { name: ${name} }
  spec:
    nodeName: ${node}
    terminationGracePeriodSeconds: 0
    containers: [{ name: main, image: app, volumeMounts: [{ name: data, mountPath: /data }] }]
    volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    ${more}
`;

/** Two nodes and the volume. */
export function start(modes?: string, disturb?: (runtime: Runtime) => void): StorageRun {
  const options = { nodes: twoNodes, ...(disturb !== undefined && { disturb }) };
  return new StorageRun(options).apply(volume(modes)).settle();
}

export function attached(run: StorageRun, node: string): readonly string[] {
  return (run.get("Node", node)?.status?.volumesAttached ?? []).map(({ name }) => name);
}

/** The pod's warnings about failed attaches. */
export function warnings(run: StorageRun, name: string): readonly string[] {
  const prefix = "Warning FailedAttachVolume ";
  return run
    .events(`Pod/default/${name}`)
    .flatMap((e) => (e.startsWith(prefix) ? [e.slice(prefix.length)] : []));
}

/** The calls to the controller plugin, without repetitions. */
export function controllerCalls(run: StorageRun): readonly string[] {
  return [...new Set(run.calls.filter((call) => call.startsWith("Controller")))];
}

/** The nodes of the calls, in order; equal ones in a row only once. */
export function nodesOf(run: StorageRun, call: string): readonly unknown[] {
  const nodes = run.requests(call).map((request) => request["node_id"]);
  return nodes.filter((node, i) => node !== nodes[i - 1]);
}
