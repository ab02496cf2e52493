/** Parameters of a StorageClass that external-provisioner reads itself. It asks the driver for nothing while they are wrong. */
import { pathProvisionerTypes } from "../../../engine/csi/catalogue/path-provisioners.ts";
import {
  secretKinds,
  secretUses,
  sidecarKeys,
  sidecarPrefix,
} from "../../../engine/csi/catalogue/sidecar-parameters.ts";
import { isInTreeName } from "../../../engine/matching/csi-migration.ts";
import { nearestName } from "../../nearest-name.ts";
import { type Fields, fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import { listNames } from "../missing-reference.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule, EnvironmentRule } from "../rule.ts";

export const classReservedParameter: DocumentRule = objectRule(
  "class-reserved-parameter",
  "error",
  { kinds: ["StorageClass"], explainsOutcome: true },
  function* ({ value }) {
    if (!readsSidecarKeys(textAt(value, "provisioner") ?? "")) return;
    const parameters = fieldsAt(value, "parameters");
    for (const key of unknownKeys(parameters)) {
      const meant = meantKey(key, parameters);
      const hint = meant === undefined ? "" : `; did you mean “${meant}”?`;
      yield {
        path: ["parameters", key],
        message: `found unknown parameter key "${key}" with reserved namespace ${sidecarPrefix}${hint}`,
        atKey: true,
      };
    }
  },
);

/** Compares no objects, but a claim that fails for this reason is then not told a second time. */
export const classSecretHalf: EnvironmentRule = {
  id: "class-secret-half",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check({ environment }) {
    for (const entry of environment.objects) {
      if (entry.object.kind !== "StorageClass" || !entry.object.served) continue;
      const parameters = fieldsAt(entry.object.value, "parameters");
      const meant = unknownKeys(parameters).map((key) => meantKey(key, parameters));
      for (const { title, keys } of secrets) {
        const [given, ...more] = keys.filter((key) => parameters[key] !== undefined);
        const other = keys.find((key) => key !== given) ?? "";
        if (given === undefined || more.length > 0 || meant.includes(other)) continue;
        yield {
          entry,
          path: ["parameters", given],
          message: `either name and namespace for ${title} secrets specified, Both must be specified: add ${listNames([other])}`,
        };
      }
    }
  },
};

const secrets = [
  { title: "Default", role: "" },
  ...secretUses.map((use) => ({ title: secretKinds[use].title, role: `${secretKinds[use].key}-` })),
].map(({ title, role }) => {
  const half = (name: string): string => `${sidecarPrefix}${role}secret-${name}`;
  return { title, keys: [half("name"), half("namespace")] };
});

/** Provisioners that are no CSI drivers take any key for their own. */
function readsSidecarKeys(provisioner: string): boolean {
  return !isInTreeName(provisioner) && pathProvisionerTypes[provisioner] === undefined;
}

function unknownKeys(parameters: Fields): readonly string[] {
  return Object.keys(parameters).filter(
    (key) => key.startsWith(sidecarPrefix) && !sidecarKeys.has(key),
  );
}

/** The key that is nearest, of those that are not there. */
function meantKey(key: string, parameters: Fields): string | undefined {
  const known = [...sidecarKeys].filter((other) => !(other in parameters));
  return nearestName(key, known);
}
