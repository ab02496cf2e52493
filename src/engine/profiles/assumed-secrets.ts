/**
 * Secrets of drivers that exist without a manifest: a driver's operator creates them, or the running cluster already has them.
 */
import { madeByOperators, operatorSecrets } from "../csi/catalogue/catalogue.ts";
import type { Manifest } from "../scenario.ts";
import { field, isRecord, text } from "./clues.ts";

interface NamedSecret {
  readonly driver: string;
  readonly namespace: string;
  readonly name: string;
}

/** Returns the missing Secrets that drivers' operators create, with their namespaces. */
export function secretsOfOperators(objects: readonly Manifest[]): readonly Manifest[] {
  return asManifests(objects.flatMap(secretsNamedBy).filter(isOfOperator), objects);
}

/** Like `secretsOfOperators`, with all Secrets that classes and volumes of a running cluster name. */
export function secretsInUse(
  imported: readonly Manifest[],
  objects: readonly Manifest[],
): readonly Manifest[] {
  const ofOperators = objects.flatMap(secretsNamedBy).filter(isOfOperator);
  return asManifests([...imported.flatMap(secretsNamedBy), ...ofOperators], objects);
}

/** Returns everything in an object that influences which Secrets of operators are assumed. */
export function cluesOfSecrets(object: Manifest): readonly string[] {
  const { kind, metadata } = object;
  const name = text(field(metadata, "name"));
  const own =
    kind === "Secret" && madeByOperators.has(name) ? [[field(metadata, "namespace"), name]] : [];
  return [...own, ...secretsNamedBy(object).filter(isOfOperator)].map((clue) =>
    JSON.stringify(clue),
  );
}

function isOfOperator({ driver, name }: NamedSecret): boolean {
  return operatorSecrets(driver).includes(name);
}

/** Returns the Secrets that an object passes to drivers, except those whose names are templates. */
function secretsNamedBy(object: Manifest): readonly NamedSecret[] {
  const named = ((): readonly NamedSecret[] => {
    switch (object["kind"]) {
      case "StorageClass":
        return ofParameters(text(object["provisioner"]), object["parameters"]);
      case "VolumeSnapshotClass":
        return ofParameters(text(object["driver"]), object["parameters"]);
      case "PersistentVolume":
        return ofSource(field(object, "spec", "csi"));
      default:
        return [];
    }
  })();
  return named.filter(({ namespace, name }) => isName(namespace) && isName(name));
}

function isName(given: string): boolean {
  return /^[a-z0-9][a-z0-9.-]*$/.test(given);
}

/** The secret parameters of external-provisioner and external-snapshotter have the same endings. */
function ofParameters(driver: string, parameters: unknown): readonly NamedSecret[] {
  if (!isRecord(parameters)) return [];
  return Object.entries(parameters).flatMap(([key, value]) => {
    const [, before, half] = /^(csi.*secret-?)(name)$/i.exec(key) ?? [];
    if (before === undefined) return [];
    const namespace = parameters[`${before}${half === "Name" ? "Namespace" : "namespace"}`];
    return [{ driver, name: text(value), namespace: text(namespace) }];
  });
}

function ofSource(csi: unknown): readonly NamedSecret[] {
  if (!isRecord(csi)) return [];
  return Object.entries(csi).flatMap(([key, value]) =>
    key.endsWith("SecretRef")
      ? [
          {
            driver: text(csi["driver"]),
            name: text(field(value, "name")),
            namespace: text(field(value, "namespace")),
          },
        ]
      : [],
  );
}

/** Converts Secrets to manifests, leaving out those that a file has. */
function asManifests(
  secrets: readonly NamedSecret[],
  objects: readonly Manifest[],
): readonly Manifest[] {
  const keyOf = (namespace: unknown, name: unknown): string => `${namespace}/${name}`;
  const written = new Set(
    objects
      .filter((object) => object["kind"] === "Secret")
      .map(({ metadata }) => keyOf(field(metadata, "namespace"), field(metadata, "name"))),
  );
  const missing = new Map<string, NamedSecret>();
  for (const secret of secrets) {
    const key = keyOf(secret.namespace, secret.name);
    if (!written.has(key)) missing.set(key, secret);
  }
  const namespaces = new Set([...missing.values()].map(({ namespace }) => namespace));
  return [
    ...[...namespaces].map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
    ...[...missing.values()].map(({ namespace, name }) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace },
    })),
  ];
}
