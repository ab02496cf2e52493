/** A class names a file system or a pool of Ceph that Rook is told to make nowhere in its namespace. */
import { nearestObjectName } from "../../nearest-name.ts";
import { type Fields, fieldsAt, itemsOf, textAt } from "../../workspace/manifest-fields.ts";
import { listNames } from "../missing-reference.ts";
import type { EnvironmentContext, EnvironmentRule, ObjectReport } from "../rule.ts";

/** Upstream: rook pkg/operator/ceph/file/filesystem.go generateDataPoolNames, pkg/operator/ceph/pool/controller.go. */
export const classPoolMissing: EnvironmentRule = {
  id: "class-pool-missing",
  severity: "information",
  scope: "environment",
  looksAtAll: true,
  *check(context) {
    for (const entry of context.environment.objects) {
      const { object } = entry;
      if (object.kind !== "StorageClass" || !object.served) continue;
      const { value } = object;
      const driver = /(?:^|\.)(cephfs|rbd)\.csi\.ceph\.com$/.exec(
        textAt(value, "provisioner") ?? "",
      )?.[1];
      const parameters = fieldsAt(value, "parameters");
      // Rook calls a cluster by its namespace.
      const namespace = textAt(parameters, "clusterID") ?? "";
      const report = (key: string, what: string, known: readonly string[]): ObjectReport[] => {
        const name = textAt(parameters, key);
        if (name === undefined || known.length === 0 || known.includes(name)) return [];
        const meant = nearestObjectName(name, known);
        const others = meant === undefined ? `; known are ${listNames(known)}` : "";
        const message = `${what} “${name}” is in no file of namespace ${namespace}${others}`;
        return [{ entry, path: ["parameters", key], message, meant }];
      };
      const made = (wanted: string): readonly Fields[] => madeIn(context, wanted, namespace);
      if (driver === "rbd") {
        const pools = made("CephBlockPool").map((o) => textAt(o, "spec", "name") ?? nameOf(o));
        yield* report("pool", "CephBlockPool", pools);
        yield* report("dataPool", "CephBlockPool", pools);
      } else if (driver === "cephfs") {
        const fileSystems = made("CephFilesystem");
        yield* report("fsName", "CephFilesystem", fileSystems.map(nameOf));
        const own = fileSystems.filter((o) => nameOf(o) === textAt(parameters, "fsName"));
        yield* report("pool", "Data pool", own.flatMap(dataPoolsOf));
      }
    }
  },
};

function madeIn(
  { environment }: EnvironmentContext,
  kind: string,
  namespace: string,
): readonly Fields[] {
  return environment.objects.flatMap(({ object }) =>
    object.kind === kind && textAt(object.value, "metadata", "namespace") === namespace
      ? [object.value]
      : [],
  );
}

function nameOf(value: Fields): string {
  return textAt(value, "metadata", "name") ?? "";
}

/** None where the file system keeps the pools' own names. */
function dataPoolsOf(value: Fields): readonly string[] {
  const spec = fieldsAt(value, "spec");
  if (spec["preservePoolNames"] === true) return [];
  return itemsOf(spec["dataPools"], []).map(
    ({ fields }, i) => `${nameOf(value)}-${textAt(fields, "name") ?? `data${i}`}`,
  );
}
