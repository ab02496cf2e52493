/** A pod's volume of the Secrets Store driver names a SecretProviderClass that its namespace does not have. */
import { push } from "../../../engine/api/go/multi-map.ts";
import { nearestObjectName } from "../../nearest-name.ts";
import { textAt } from "../../workspace/manifest-fields.ts";
import { secretStoreVolumes } from "../../workspace/objects/made-secrets.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { listNames } from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";

/** Upstream: secrets-store-csi-driver pkg/secrets-store/nodeserver.go NodePublishVolume, utils.go getSecretProviderItem. */
export const secretProviderClassMissing: EnvironmentRule = {
  id: "secret-provider-class-missing",
  severity: "warning",
  scope: "environment",
  looksAtAll: true,
  *check({ environment }) {
    const inNamespace = new Map<string, string[]>();
    const called = new Map<string, WorkspaceObject[]>();
    for (const entry of environment.objects) {
      if (entry.object.kind !== "SecretProviderClass") continue;
      push(inNamespace, namespaceOf(entry), entry.object.name);
      push(called, entry.object.name, entry);
    }
    for (const entry of environment.objects) {
      const { namespace } = entry.object;
      for (const { className: name, path } of secretStoreVolumes(entry.object)) {
        const elsewhere = called.get(name) ?? [];
        if (elsewhere.some((other) => namespaceOf(other) === namespace)) continue;
        const names = inNamespace.get(namespace) ?? [];
        const meant = elsewhere.length > 0 ? undefined : nearestObjectName(name, names);
        const missing = `SecretProviderClass “${name}” is in no file of namespace ${namespace}`;
        const others =
          names.length > 0 && meant === undefined ? `; known are ${listNames(names)}` : "";
        yield {
          entry,
          path: [...path, "csi", "volumeAttributes", "secretProviderClass"],
          message:
            elsewhere.length > 0
              ? `${missing}; it exists in namespace ${listNames(elsewhere.map(namespaceOf))}, and a Pod can only use those of its own`
              : `${missing}${others}`,
          meant,
          // Without either, it may exist in the cluster.
          ...(elsewhere.length === 0 && meant === undefined && { severity: "information" }),
          related: elsewhere.map((other) => ({
            entry: other,
            path: ["metadata", "name"],
            message: "The one in another namespace",
          })),
        };
      }
    }
  },
};

function namespaceOf({ object }: WorkspaceObject): string {
  return textAt(object.value, "metadata", "namespace") ?? "default";
}
