/** A pod's volume of the Secrets Store driver names a SecretProviderClass that its namespace lacks. */
import { nearestObjectName } from "../../nearest-name.ts";
import { secretStoreVolumes } from "../../workspace/made-secrets.ts";
import { textAt } from "../../workspace/manifest-fields.ts";
import { listNames } from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";

/** Upstream: secrets-store-csi-driver pkg/secrets-store/nodeserver.go NodePublishVolume, utils.go getSecretProviderItem. */
export const secretProviderClassMissing: EnvironmentRule = {
  id: "secret-provider-class-missing",
  severity: "information",
  scope: "environment",
  looksAtAll: true,
  *check({ environment }) {
    const classes = environment.objects.filter(
      ({ object }) => object.kind === "SecretProviderClass",
    );
    const namespaceOf = ({ object }: (typeof classes)[number]): string =>
      textAt(object.value, "metadata", "namespace") ?? "default";
    for (const entry of environment.objects) {
      const { namespace } = entry.object;
      for (const { className: name, path } of secretStoreVolumes(entry.object)) {
        const ofNamespace = classes.filter((other) => namespaceOf(other) === namespace);
        if (ofNamespace.some(({ object }) => object.name === name)) continue;
        const elsewhere = classes.filter(({ object }) => object.name === name);
        const names = ofNamespace.map(({ object }) => object.name);
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
          ...(elsewhere.length > 0 && { severity: "warning" }),
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
