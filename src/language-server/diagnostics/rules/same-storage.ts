/** Two volumes for the same storage. */
import { push } from "../../../engine/api/go/multi-map.ts";
import { makeRef } from "../../../engine/api/meta.ts";
import type { Environment } from "../../workspace/environment.ts";
import { type Fields, fieldsAt, listAt, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { Path } from "../../yaml/place.ts";
import type { EnvironmentContext, EnvironmentRule, ObjectReport } from "../rule.ts";
import { someOthers } from "../some-others.ts";

interface Storage {
  /** Equal for the same storage. */
  readonly key: string;
  readonly path: Path;
}

export const pvDuplicateHandle: EnvironmentRule = {
  id: "pv-duplicate-handle",
  severity: "error",
  scope: "environment",
  check: (context) =>
    shared(context, handleOf, (name, { key }) => {
      const handle = key.slice(key.indexOf("\n") + 1);
      return `“${name}” has the volume handle “${handle}” too: attach and mount bookkeeping is per handle; use one PV or different handles`;
    }),
};

export const pvDuplicateSource: EnvironmentRule = {
  id: "pv-duplicate-source",
  severity: "warning",
  scope: "environment",
  check: (context) =>
    shared(context, sourceOf, (name) => `“${name}” and this volume write to the same storage`),
};

function* shared(
  { environment }: EnvironmentContext,
  storageOf: (spec: Fields) => Storage | undefined,
  messageOf: (other: string, storage: Storage) => string,
): Iterable<ObjectReport> {
  const groups = new Map<
    string,
    { readonly entry: WorkspaceObject; readonly storage: Storage }[]
  >();
  for (const entry of environment.objects) {
    if (entry.object.kind !== "PersistentVolume" || !entry.object.served) continue;
    const storage = storageOf(fieldsAt(entry.object.value, "spec"));
    if (storage === undefined) continue;
    push(groups, storage.key, { entry, storage });
  }
  const inUse = usedInCluster(environment, storageOf);
  for (const group of groups.values()) {
    for (const { entry, storage } of group) {
      const others = someOthers(group, (other) => other.entry.object.name !== entry.object.name);
      const other = others[0]?.entry.object.name ?? inUse.get(storage.key);
      if (other === undefined) continue;
      yield {
        entry,
        path: storage.path,
        message: messageOf(other, storage),
        related: others.map((one) => ({
          entry: one.entry,
          path: one.storage.path,
          message: `“${one.entry.object.name}” names it here`,
        })),
      };
    }
  }
}

/** Storage of bound volumes that only the imported cluster has, with their names. */
function usedInCluster(
  { imported, byRef }: Environment,
  storageOf: (spec: Fields) => Storage | undefined,
): ReadonlyMap<string, string> {
  const used = new Map<string, string>();
  for (const volume of imported?.objects ?? []) {
    if (volume["kind"] !== "PersistentVolume") continue;
    if (textAt(volume, "status", "phase") !== "Bound") continue;
    const name = textAt(volume, "metadata", "name") ?? "";
    const storage = storageOf(fieldsAt(volume, "spec"));
    if (storage === undefined || byRef.has(makeRef("PersistentVolume", undefined, name))) continue;
    used.set(storage.key, name);
  }
  return used;
}

/** True for `{account}`, `<volume id>`, `$VOLUME`: something has to be filled in. */
function isPlaceholder(handle: string): boolean {
  return /[{}<>$]/.test(handle);
}

function handleOf(spec: Fields): Storage | undefined {
  const driver = textAt(spec, "csi", "driver");
  const handle = textAt(spec, "csi", "volumeHandle");
  if (driver === undefined || handle === undefined || handle === "") return undefined;
  if (isPlaceholder(handle)) return undefined;
  return { key: `${driver}\n${handle}`, path: ["spec", "csi", "volumeHandle"] };
}

/** Of volumes that may be written to. Several that are only read can have one source, as one for each namespace does. */
function sourceOf(spec: Fields): Storage | undefined {
  const modes = listAt(spec, "accessModes");
  if (modes.length > 0 && modes.every((mode) => mode === "ReadOnlyMany")) return undefined;
  if (listAt(spec, "mountOptions").includes("ro")) return undefined;
  const found = (field: string, ...parts: readonly unknown[]): Storage => ({
    key: JSON.stringify([field, ...parts]),
    path: ["spec", field],
  });
  const nfs = fieldsAt(spec, "nfs");
  if (nfs["server"] !== undefined) return found("nfs", nfs["server"], nfs["path"]);
  const iscsi = fieldsAt(spec, "iscsi");
  if (iscsi["iqn"] !== undefined)
    return found("iscsi", iscsi["targetPortal"], iscsi["iqn"], iscsi["lun"]);
  const fc = fieldsAt(spec, "fc");
  if (listAt(fc, "targetWWNs").length > 0) return found("fc", fc["targetWWNs"], fc["lun"]);
  for (const field of ["local", "hostPath"]) {
    const path = textAt(spec, field, "path");
    // The node is known only with a node affinity.
    if (path !== undefined && spec["nodeAffinity"] !== undefined)
      return found(field, path, spec["nodeAffinity"]);
  }
  return undefined;
}
