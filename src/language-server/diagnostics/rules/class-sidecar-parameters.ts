/** Parameters of classes that the CSI sidecars read themselves. While these are wrong, the sidecars do not call the driver. */
import { pathProvisionerType } from "../../../engine/csi/catalogue/path-provisioners.ts";
import {
  defaultSecretKeys,
  type Parameters,
  type SecretKeys,
  secretKeys,
  secretTemplate,
  sidecarKeys,
  sidecarPrefix,
  snapshotSecretKeys,
  snapshotSidecarKeys,
} from "../../../engine/csi/catalogue/sidecar-parameters.ts";
import { isInTreeName } from "../../../engine/matching/csi-migration.ts";
import { nearestName } from "../../nearest-name.ts";
import type { Environment } from "../../workspace/environment.ts";
import { type Fields, fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import { listNames } from "../missing-reference.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule, EnvironmentRule, FieldFix } from "../rule.ts";

export const classReservedParameter: DocumentRule = objectRule(
  "class-reserved-parameter",
  "error",
  { kinds: ["StorageClass", "VolumeSnapshotClass"], explainsOutcome: true },
  function* ({ kind, value }) {
    if (!readsSidecarKeys(textAt(value, "provisioner") ?? "")) return;
    const parameters = fieldsAt(value, "parameters");
    const { known } = keysOf[kind === "StorageClass" ? kind : "VolumeSnapshotClass"];
    for (const key of unknownKeys(parameters, known)) {
      yield {
        path: ["parameters", key],
        message: `found unknown parameter key "${key}" with reserved namespace ${sidecarPrefix}`,
        meant: meantKey(key, parameters, known),
        atKey: true,
      };
    }
  },
);

interface KeysOfClass {
  readonly secrets: readonly SecretKeys[];
  /** Keys with the sidecars' prefix. */
  readonly known: ReadonlySet<string>;
}

const keysOf: Readonly<Record<"StorageClass" | "VolumeSnapshotClass", KeysOfClass>> = {
  StorageClass: { secrets: [defaultSecretKeys, ...Object.values(secretKeys)], known: sidecarKeys },
  // Keys for group snapshots are read from another kind of class.
  VolumeSnapshotClass: {
    secrets: [snapshotSecretKeys.snapshotter, snapshotSecretKeys.snapshotterList],
    known: snapshotSidecarKeys,
  },
};

/** An environment rule although it compares no objects, so that the outcome of a claim or snapshot is not reported as well. */
export const classSecretHalf: EnvironmentRule = {
  id: "class-secret-half",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check({ environment }) {
    for (const entry of environment.objects) {
      const { kind, served, value } = entry.object;
      if ((kind !== "StorageClass" && kind !== "VolumeSnapshotClass") || !served) continue;
      if (!readsSidecarKeys(textAt(value, "provisioner") ?? "")) continue;
      const parameters = fieldsAt(value, "parameters");
      for (const { missing, ...finding } of wrongSecrets(parameters, keysOf[kind])) {
        const fix = namespaceFix(environment, value, missing);
        yield { entry, ...finding, ...(fix !== undefined && { fix }) };
      }
    }
  },
};

interface WrongSecret {
  readonly path: readonly string[];
  readonly message: string;
  /** The key that is missing beside the present one. */
  readonly missing: string | undefined;
}

/** Adds the namespace of the only Secret with that name. */
function namespaceFix(
  { objects }: Environment,
  storageClass: Fields,
  missing: string | undefined,
): FieldFix | undefined {
  if (missing?.endsWith("-namespace") !== true) return undefined;
  const name = textAt(storageClass, "parameters", missing.replace(/-namespace$/, "-name"));
  const [secret, ...others] = objects.filter(
    ({ object }) => object.kind === "Secret" && object.name === name,
  );
  if (secret === undefined || others.length > 0) return undefined;
  const { namespace } = secret.object;
  return {
    title: `Add its namespace “${namespace}”`,
    path: ["parameters", missing],
    value: namespace,
    // Another Secret of that name may be in the cluster.
    isChoice: true,
  };
}

function* wrongSecrets(written: Fields, { secrets, known }: KeysOfClass): Generator<WrongSecret> {
  const texts = Object.entries(written).filter(([, value]) => typeof value === "string");
  const parameters = Object.fromEntries(texts) as Parameters;
  const meant = unknownKeys(written, known).map((key) => meantKey(key, written, known));
  for (const keys of secrets) {
    const template = secretTemplate(keys, parameters);
    const given = [...keys.names, ...keys.namespaces].filter((key) => key in parameters);
    if (template.ok || given[0] === undefined) continue;
    const missing = otherHalf(keys, parameters);
    if (missing !== undefined && meant.includes(missing)) continue;
    const hint = missing === undefined ? "" : `: add ${listNames([missing])}`;
    yield { path: ["parameters", given[0]], message: `${template.error}${hint}`, missing };
  }
}

/** The key that is missing beside the present one; undefined if both are there. */
function otherHalf({ names, namespaces }: SecretKeys, parameters: Parameters): string | undefined {
  if (!names.some((key) => key in parameters)) return names[0];
  return namespaces.some((key) => key in parameters) ? undefined : namespaces[0];
}

/** Provisioners that are no CSI drivers treat every key as their own. */
function readsSidecarKeys(provisioner: string): boolean {
  return !isInTreeName(provisioner) && pathProvisionerType(provisioner) === undefined;
}

function unknownKeys(parameters: Fields, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(parameters).filter((key) => key.startsWith(sidecarPrefix) && !known.has(key));
}

/** The most similar known key that is not written. */
function meantKey(key: string, parameters: Fields, known: ReadonlySet<string>): string | undefined {
  return nearestName(
    key,
    [...known].filter((other) => !(other in parameters)),
  );
}
