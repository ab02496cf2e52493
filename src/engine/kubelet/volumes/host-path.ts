/**
 * hostPath volumes: nothing is mounted; the path is checked, or created if the type demands it.
 * Upstream: pkg/volume/hostpath/host_path.go v1.36.
 */
import { cleanFilePath, withoutEndSlashes } from "../../api/go/file-path.ts";
import type { HostFiles } from "../../node/host-files.ts";
import type { HostPathType } from "../../scenario.ts";
import {
  final,
  immediately,
  type VolumePlugin,
  type VolumeResult,
  type VolumeSpec,
} from "./plugin.ts";

function sourceOf(spec: VolumeSpec): { readonly path: string; readonly type?: string } | undefined {
  return spec.persistentVolume === undefined
    ? spec.volume?.hostPath
    : spec.persistentVolume.spec.hostPath;
}

export const hostPathPlugin: VolumePlugin = {
  name: "kubernetes.io/host-path",
  supportsMountOptions: false,
  supports: (spec) => sourceOf(spec) !== undefined,
  volumeName: (spec) => sourceOf(spec)?.path ?? "",
  requiresRemount: () => false,
  isAttachable: () => false,
  isDeviceMountable: () => false,
  setUp: (host, { spec }) => {
    const { path = "", type = "" } = sourceOf(spec) ?? {};
    return immediately(checkType(host.machine.files, path, type));
  },
  tearDown: () => immediately(),
};

const wanted: Readonly<Record<string, { readonly type: HostPathType; readonly words: string }>> = {
  Directory: { type: "directory", words: "a directory" },
  DirectoryOrCreate: { type: "directory", words: "a directory" },
  File: { type: "file", words: "a file" },
  FileOrCreate: { type: "file", words: "a file" },
  Socket: { type: "socket", words: "a socket file" },
  CharDevice: { type: "charDevice", words: "a character device" },
  BlockDevice: { type: "blockDevice", words: "a block device" },
};

function checkType(files: HostFiles, path: string, type: string): VolumeResult {
  if (type === "") return undefined;
  const want = wanted[type];
  if (want === undefined) return final(`${type} is an invalid volume type`);
  if (!files.exists(path)) {
    const there = files.nearest(path);
    if (type === "DirectoryOrCreate" && !files.makeDirectories(path)) {
      const isThere = path.endsWith("/") && files.exists(withoutEndSlashes(path));
      return final(isThere ? `mkdir ${path}: file exists` : `mkdir ${there}: not a directory`);
    }
    if (type === "FileOrCreate" && !files.makeFile(path)) {
      return final(`open ${path}: ${openError(files, path, there)}`);
    }
  }
  if (files.get(path)?.type === want.type) return undefined;
  return final(`hostPath type check failed: ${path} is not ${want.words}`);
}

/** Returns why a file cannot be created; `there` is the longest existing part of its path. */
function openError(files: HostFiles, path: string, there: string): string {
  const named = cleanFilePath(path);
  const parent = named.slice(0, named.lastIndexOf("/")) || "/";
  if (files.get(parent)?.type === "directory") return "is a directory";
  return files.get(there)?.type === "directory" ? "no such file or directory" : "not a directory";
}
