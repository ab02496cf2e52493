/** A Secret that a class or volume passes to its driver lacks a key that the driver needs. */
import { makeRef } from "../../../engine/api/meta.ts";
import {
  type MissedInSecret,
  missedInSecret,
  missedLogin,
} from "../../../engine/csi/catalogue/secret-needs.ts";
import {
  defaultSecretKeys,
  type SecretUse,
  secretKeys,
  secretUses,
  snapshotSecretKeys,
  usesOfGrowth,
} from "../../../engine/csi/catalogue/sidecar-parameters.ts";
import { nearestName } from "../../nearest-name.ts";
import type { Environment } from "../../workspace/environment.ts";
import { type Fields, fieldsAt, listAt, textAt } from "../../workspace/manifest-fields.ts";
import { mayHaveOtherKeys } from "../../workspace/objects/made-secrets.ts";
import { referencesOf } from "../../workspace/references.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { Path } from "../../yaml/place.ts";
import type { EnvironmentRule, ObjectReport } from "../rule.ts";

export const secretKeyMissing: EnvironmentRule = {
  id: "secret-key-missing",
  severity: "error",
  scope: "environment",
  // The class or volume may be on another island than the Secret.
  looksAtAll: true,
  *check({ environment }) {
    const told = new Set<string>();
    for (const missed of missedIn(environment)) {
      const key = [missed.secret.object.ref, ...missed.keys].join(" ");
      if (told.has(key)) continue;
      told.add(key);
      yield reportOf(missed);
    }
  },
};

/** Secrets with this finding: its consequences are not reported as well. */
export function secretsWithoutKeys(environment: Environment): ReadonlySet<WorkspaceObject> {
  if (environment.project.rules.get(secretKeyMissing.id) === "off") return new Set();
  return new Set([...missedIn(environment)].map(({ secret }) => secret));
}

function* missedIn(environment: Environment): Generator<Missed> {
  for (const from of environment.objects)
    if (from.object.served && givers.has(from.object.kind)) yield* missedKeys(from, environment);
}

interface Missed extends MissedInSecret {
  readonly secret: WorkspaceObject;
  readonly given: readonly string[];
  readonly driver: string;
  /** The class or volume that passes it to the driver, and the field. */
  readonly from: WorkspaceObject;
  readonly path: Path;
}

const givers: ReadonlySet<string> = new Set([
  "PersistentVolume",
  "StorageClass",
  "VolumeSnapshotClass",
]);

function* missedKeys(from: WorkspaceObject, environment: Environment): Generator<Missed> {
  const driver = driverOf(from);
  const known = environment.project.drivers.find(driver);
  if (known === undefined) return;
  const { traits } = known;
  const parameters = parametersOf(from);
  const { value } = from.object;
  const options = [...listAt(value, "mountOptions"), ...listAt(value, "spec", "mountOptions")];
  for (const { kind, namespace, name, path } of referencesOf(from.object)) {
    const [secret, ...others] = environment.byRef.get(makeRef(kind, namespace, name)) ?? [];
    if (kind !== "Secret" || secret === undefined || others.length > 0) continue;
    if (mayHaveOtherKeys(secret, environment)) continue;
    const given = keysOf(secret);
    if (given.length === 0) continue;
    for (const use of usesOf(from, path)) {
      const login = use === "nodeStage" ? missedLogin(known.login, given, options) : [];
      for (const missed of [...missedInSecret(traits, use, parameters, given), ...login])
        yield { ...missed, secret, given, driver, from, path };
    }
  }
}

function driverOf({ object: { value } }: WorkspaceObject): string {
  const spec = fieldsAt(value, "spec");
  const inTree = spec["azureFile"] === undefined ? "" : "file.csi.azure.com";
  return (
    textAt(value, "provisioner") ??
    textAt(value, "driver") ??
    textAt(spec, "csi", "driver") ??
    inTree
  );
}

/** Parameters of a class, or attributes of a volume. */
function parametersOf({ object: { value } }: WorkspaceObject): Readonly<Record<string, string>> {
  const written = {
    ...fieldsAt(value, "parameters"),
    ...fieldsAt(value, "spec", "csi", "volumeAttributes"),
  };
  const texts = Object.entries(written).flatMap(([key, text]) =>
    typeof text === "string" ? [[key, text] as const] : [],
  );
  return Object.fromEntries(texts);
}

/** The calls for which the driver gets the Secret in this field. */
function usesOf(
  { object: { kind, value } }: WorkspaceObject,
  path: Path,
): readonly (SecretUse | "snapshotter")[] {
  if (kind === "VolumeSnapshotClass") {
    const isForTaking = snapshotSecretKeys.snapshotter.names.includes(String(path.at(-1)));
    return isForTaking ? ["snapshotter"] : [];
  }
  if (path[0] === "spec") {
    const field = String(path[2] ?? "");
    return secretUses.filter((use) =>
      field === "secretName" ? use === "nodeStage" : field === `${use}SecretRef`,
    );
  }
  const parameters = fieldsAt(value, "parameters");
  const key = String(path.at(-1));
  const isOwn = (use: SecretUse): boolean =>
    secretKeys[use].names.some((name) => name in parameters);
  return secretUses
    .filter((use) =>
      defaultSecretKeys.names.includes(key) ? !isOwn(use) : secretKeys[use].names.includes(key),
    )
    .filter((use) => !usesOfGrowth.has(use) || value["allowVolumeExpansion"] === true);
}

function keysOf({ object: { value } }: WorkspaceObject): readonly string[] {
  return [fieldsAt(value, "data"), fieldsAt(value, "stringData")].flatMap((fields: Fields) =>
    Object.keys(fields),
  );
}

function reportOf(missed: Missed): ObjectReport {
  const { secret, given, driver, from, path, keys, writtenAs, text, isTried = false } = missed;
  const [wanted = ""] = keys;
  const near = writtenAs ?? (keys.length === 1 ? nearestName(wanted, given) : undefined);
  const { value } = secret.object;
  const isPlain = near === undefined ? !("data" in value) : near in fieldsAt(value, "stringData");
  const field = isPlain ? "stringData" : "data";
  const names = keys.map((key) => `“${key}”`).join(" and ");
  return {
    entry: secret,
    path: near === undefined ? [field] : [field, near],
    isOfKey: true,
    message: `${driver} expects ${names} in this Secret, which ${from.object.kind} “${from.object.name}” passes to it: ${text.replace(/<[A-Z]+>/g, "…")}`,
    ...(near !== undefined && { meant: wanted }),
    ...(isTried && { severity: "warning" }),
    related: [{ entry: from, path, message: "Where it is passed to the driver" }],
  };
}
