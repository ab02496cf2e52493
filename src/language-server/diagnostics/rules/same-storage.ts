/** Two volumes that stand for the same storage. */
import { push } from "../../multi-map.ts";
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
  for (const group of groups.values()) {
    for (const { entry, storage } of group) {
      const others = someOthers(group, (other) => other.entry.object.name !== entry.object.name);
      const [first] = others;
      if (first === undefined) continue;
      yield {
        entry,
        path: storage.path,
        message: messageOf(first.entry.object.name, storage),
        related: others.map((other) => ({
          entry: other.entry,
          path: other.storage.path,
          message: `“${other.entry.object.name}” names it here`,
        })),
      };
    }
  }
}

/** `{account}`, `<volume id>`, `$VOLUME`: something is to be filled in. */
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

function sourceOf(spec: Fields): Storage | undefined {
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
    // Which node is meant is only known where an affinity says so.
    if (path !== undefined && spec["nodeAffinity"] !== undefined)
      return found(field, path, spec["nodeAffinity"]);
  }
  return undefined;
}
