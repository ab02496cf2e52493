/**
 * Paths that manifests take to exist on a node: local volumes' directories or disks, and host paths whose type demands
 * something that is there. What a manifest relies on is assumed; what Kubernetes would create is not.
 */

import type { HostPathType, Manifest } from "../scenario.ts";
import { isRecord } from "./clues.ts";

const typeByHostPathType: Readonly<Record<string, HostPathType>> = {
  Directory: "directory",
  File: "file",
  Socket: "socket",
  CharDevice: "charDevice",
  BlockDevice: "blockDevice",
};

/** The paths with their kinds; empty where no manifest relies on any. */
export function assumedPaths(objects: readonly Manifest[]): Readonly<Record<string, HostPathType>> {
  const paths: Record<string, HostPathType> = {};
  const assume = (path: unknown, type: HostPathType | undefined): void => {
    if (typeof path === "string" && path.startsWith("/") && type !== undefined) paths[path] = type;
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (isRecord(value)) {
      const { local, hostPath } = value;
      if (isRecord(local)) {
        assume(local["path"], value["volumeMode"] === "Block" ? "blockDevice" : "directory");
      }
      if (isRecord(hostPath)) {
        assume(hostPath["path"], typeByHostPathType[String(hostPath["type"])]);
      }
      for (const key of ["spec", "template", "jobTemplate", "volumes"]) visit(value[key]);
    }
  };
  for (const object of objects) visit(object);
  return paths;
}
