/**
 * Volumes whose files come from the API: configMap, secret, downwardAPI, projected. Upstream: the plugins of those names in
 * pkg/volume v1.36. Not modeled: the time-stamped directories behind `..data`.
 */
import { byteLength } from "../../api/go/text.ts";
import { timestamp } from "../../api/timestamp.ts";
import type { Volume } from "../../api/types.ts";
import type { Task } from "../../runtime/effects.ts";
import { tearDownDirectory } from "./empty-dir.ts";
import { podVolumeDirectory } from "./paths.ts";
import {
  configMapPayload,
  downwardPayload,
  type Payload,
  projectedPayload,
  secretPayload,
} from "./payload.ts";
import {
  final,
  immediately,
  type MountRequest,
  type VolumeHost,
  type VolumePlugin,
  type VolumeResult,
} from "./plugin.ts";

const pathBytesMax = 4096;
const nameBytesMax = 255;

function plugin(
  name: string,
  supports: (volume: Volume) => boolean,
  payload: (host: VolumeHost, request: MountRequest) => Task<Payload>,
): VolumePlugin {
  return {
    name,
    supportsMountOptions: false,
    supports: (spec) => spec.volume !== undefined && supports(spec.volume),
    volumeName: (spec) => spec.name,
    requiresRemount: () => true,
    isAttachable: () => false,
    isDeviceMountable: () => false,
    setUp: (host, request) => setUp(host, request, name, payload),
    tearDown: (host, request) => immediately(tearDownDirectory(host, name, request)),
  };
}

function* setUp(
  host: VolumeHost,
  request: MountRequest,
  plugin: string,
  payload: (host: VolumeHost, request: MountRequest) => Task<Payload>,
): Task<VolumeResult> {
  const { pod, spec } = request;
  const files = yield* payload(host, request);
  if (!files.ok) return final(files.error);
  const tooLong = lengthError(files.paths);
  if (tooLong !== undefined) return final(tooLong);
  const { context, machine } = host;
  const directory = podVolumeDirectory(pod.metadata.uid, plugin, spec.name);
  const clash = clashOf(files.paths);
  if (clash !== undefined) {
    const written = timestamp(context.now).replace(/[-T:]/g, "_").replace("Z", "");
    const random = Math.floor(context.fraction() * 2 ** 32);
    return final(`mkdir ${directory}/..${written}.${random}/${clash}`);
  }
  machine.removeAll(directory);
  machine.files.makeDirectories(directory, 0o777);
  // Secrets and tokens are never written to a disk.
  if (plugin !== "kubernetes.io/configmap") {
    machine.mounts.mount({ source: "tmpfs", target: directory, fsType: "tmpfs", options: [] });
  }
  for (const path of files.paths) {
    const full = `${directory}/${path}`;
    machine.files.makeDirectories(full.slice(0, full.lastIndexOf("/")));
    machine.files.makeFile(full);
  }
  const group = pod.spec.securityContext?.fsGroup;
  if (group !== undefined) machine.files.setGroup(directory, group);
  return undefined;
}

/** Rejects paths that file systems do not allow, though the API server does. Upstream: atomic_writer.go validatePath. */
function lengthError(paths: readonly string[]): string | undefined {
  for (const path of paths) {
    if (byteLength(path) > pathBytesMax)
      return `invalid path: must be less than or equal to ${pathBytesMax} characters`;
    if (path.split("/").some((name) => byteLength(name) > nameBytesMax))
      return `invalid path: filenames must be less than or equal to ${nameBytesMax} characters`;
  }
  return undefined;
}

/**
 * Returns mkdir's error if one path is a file and also the parent of others; undefined if none is. Upstream: atomic_writer.go
 * writePayloadToDir, with the shorter path first; a Go map has any order, and the other one fails as well.
 */
function clashOf(paths: readonly string[]): string | undefined {
  const files = new Set(paths.map(cleanParts).map((parts) => parts.join("/")));
  for (const path of files) {
    const parts = path.split("/");
    for (let length = 1; length < parts.length; length++) {
      const above = parts.slice(0, length).join("/");
      if (!files.has(above)) continue;
      return length === parts.length - 1 ? `${above}/: file exists` : `${above}: not a directory`;
    }
  }
  return undefined;
}

function cleanParts(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

function* atOnce(payload: Payload): Task<Payload> {
  return payload;
}

/** True if a file of the volume comes from this object, named in the pod's own namespace. */
export function readsObject(volume: Volume, kind: "ConfigMap" | "Secret", name: string): boolean {
  const { configMap, secret, projected } = volume;
  const isMap = kind === "ConfigMap";
  if ((isMap ? configMap?.name : secret?.secretName) === name) return true;
  const sources = projected?.sources ?? [];
  return sources.some((source) => (isMap ? source.configMap : source.secret)?.name === name);
}

const nothing: Payload = { ok: true, paths: [] };

export const apiDataPlugins: readonly VolumePlugin[] = [
  plugin(
    "kubernetes.io/configmap",
    (volume) => volume.configMap !== undefined,
    (host, { pod, spec }) => {
      const source = spec.volume?.configMap;
      if (source === undefined) return atOnce(nothing);
      return atOnce(configMapPayload(host, pod, { ...source, name: source.name ?? "" }));
    },
  ),
  plugin(
    "kubernetes.io/secret",
    (volume) => volume.secret !== undefined,
    (host, { pod, spec }) => {
      const source = spec.volume?.secret;
      if (source === undefined) return atOnce(nothing);
      return atOnce(secretPayload(host, pod, { ...source, name: source.secretName ?? "" }));
    },
  ),
  plugin(
    "kubernetes.io/downward-api",
    (volume) => volume.downwardAPI !== undefined,
    (_host, { pod, spec }) => atOnce(downwardPayload(pod, spec.volume?.downwardAPI?.items ?? [])),
  ),
  plugin(
    "kubernetes.io/projected",
    (volume) => volume.projected !== undefined,
    (host, { pod, spec }) => projectedPayload(host, pod, spec.volume?.projected ?? {}),
  ),
];
