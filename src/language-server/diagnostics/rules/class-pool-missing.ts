/** A class names a Ceph pool or file system that no Rook object in its namespace creates. */
import { push } from "../../../engine/api/go/multi-map.ts";
import { nearestObjectName } from "../../nearest-name.ts";
import { type Fields, fieldsAt, itemsOf, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { listNames } from "../missing-reference.ts";
import type { EnvironmentRule, ObjectReport } from "../rule.ts";

/** Upstream: rook pkg/operator/ceph/file/filesystem.go generateDataPoolNames, pkg/operator/ceph/pool/controller.go. */
export const classPoolMissing: EnvironmentRule = {
  id: "class-pool-missing",
  severity: "information",
  scope: "environment",
  looksAtAll: true,
  *check({ environment: { objects } }) {
    const made = madeByRook(objects);
    for (const entry of objects) {
      const { object } = entry;
      if (object.kind !== "StorageClass" || !object.served) continue;
      const { value } = object;
      const driver = /(?:^|\.)(cephfs|rbd)\.csi\.ceph\.com$/.exec(
        textAt(value, "provisioner") ?? "",
      )?.[1];
      const parameters = fieldsAt(value, "parameters");
      // Rook identifies a cluster by its namespace.
      const namespace = textAt(parameters, "clusterID") ?? "";
      if (driver === undefined || namespace === "") continue;
      const report = (key: string, what: string, known: readonly string[]): ObjectReport[] => {
        const name = textAt(parameters, key);
        if (name === undefined || known.length === 0 || known.includes(name)) return [];
        const meant = nearestObjectName(name, known);
        const others = meant === undefined ? `; known are ${listNames(known)}` : "";
        const message = `${what} “${name}” is in no file of namespace ${namespace}${others}`;
        return [{ entry, path: ["parameters", key], message, meant }];
      };
      if (driver === "rbd") {
        const pools = made(`pool ${namespace}`);
        yield* report("pool", "CephBlockPool", pools);
        yield* report("dataPool", "CephBlockPool", pools);
      } else {
        yield* report("fsName", "CephFilesystem", made(`file system ${namespace}`));
        const fileSystem = textAt(parameters, "fsName") ?? "";
        yield* report("pool", "Data pool", made(`data pool ${namespace} ${fileSystem}`));
      }
    }
  },
};

/**
 * Names of pools, file systems and data pools that Rook is told to create, by type and namespace, for data pools also by file
 * system.
 */
function madeByRook(objects: readonly WorkspaceObject[]): (what: string) => readonly string[] {
  const found = new Map<string, string[]>();
  for (const { object } of objects) {
    const { kind, value } = object;
    const namespace = textAt(value, "metadata", "namespace") ?? "";
    if (kind === "CephBlockPool")
      push(found, `pool ${namespace}`, textAt(value, "spec", "name") ?? nameOf(value));
    if (kind !== "CephFilesystem") continue;
    push(found, `file system ${namespace}`, nameOf(value));
    for (const pool of dataPoolsOf(value))
      push(found, `data pool ${namespace} ${nameOf(value)}`, pool);
  }
  return (what) => found.get(what) ?? [];
}

function nameOf(value: Fields): string {
  return textAt(value, "metadata", "name") ?? "";
}

/** Empty if the file system keeps the pools' own names. */
function dataPoolsOf(value: Fields): readonly string[] {
  const spec = fieldsAt(value, "spec");
  if (spec["preservePoolNames"] === true) return [];
  return itemsOf(spec["dataPools"], []).map(
    ({ fields }, i) => `${nameOf(value)}-${textAt(fields, "name") ?? `data${i}`}`,
  );
}
