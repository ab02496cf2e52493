/**
 * Paths that manifests expect on a node: local volumes' directories or disks, Fibre Channel disks, and host paths whose type
 * requires that they exist. Whatever Kubernetes would create itself is not assumed.
 */
import type { HostPathType, Manifest } from "../scenario.ts";
import { type FcSource, fcDevicePaths } from "../volume/fc-devices.ts";
import { isRecord } from "./clues.ts";

const typeByHostPathType: Readonly<Record<string, HostPathType>> = {
  Directory: "directory",
  File: "file",
  Socket: "socket",
  CharDevice: "charDevice",
  BlockDevice: "blockDevice",
};

/** Returns the paths with their types; empty if no manifest relies on any. */
export function assumedPaths(objects: readonly Manifest[]): Readonly<Record<string, HostPathType>> {
  const paths: Record<string, HostPathType> = {};
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (isRecord(value)) {
      for (const [path, type] of pathsOfSource(value))
        if (typeof path === "string" && path.startsWith("/")) paths[path] = type;
      for (const key of ["spec", "template", "jobTemplate", "volumes"]) visit(value[key]);
    }
  };
  for (const object of objects) visit(object);
  return paths;
}

/** Returns the paths that the source of a pod's volume or PersistentVolume relies on. */
function pathsOfSource(source: Manifest): readonly (readonly [unknown, HostPathType])[] {
  const { local, hostPath, fc, volumeMode } = source;
  if (isRecord(local))
    return [[local["path"], volumeMode === "Block" ? "blockDevice" : "directory"]];
  if (isRecord(fc)) return fcDevicePaths(fcSource(fc)).map((path) => [path, "blockDevice"]);
  const type = isRecord(hostPath) ? typeByHostPathType[String(hostPath["type"])] : undefined;
  return isRecord(hostPath) && type !== undefined ? [[hostPath["path"], type]] : [];
}

function fcSource({ targetWWNs, lun, wwids }: Manifest): FcSource {
  const texts = (value: unknown): readonly string[] =>
    Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  return {
    targetWWNs: texts(targetWWNs),
    wwids: texts(wwids),
    ...(typeof lun === "number" && { lun }),
  };
}
