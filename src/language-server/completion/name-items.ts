/** Names that exist: objects that a field may refer to, namespaces, volumes of the same pod. */
import { isNamespaced, type Kind, makeRef } from "../../engine/api/meta.ts";
import { knownDrivers } from "../../engine/csi/catalogue/catalogue.ts";
import { noProvisioner } from "../../engine/matching/csi-migration.ts";
import type { Analysis } from "../analysis.ts";
import { madeNames } from "../names/made-names.ts";
import { writableNames } from "../names/names-in-cluster.ts";
import { own } from "../own.ts";
import { assumedManifest } from "../workspace/objects/assumed-manifest.ts";
import { referencesOf } from "../workspace/references.ts";
import { printScalar } from "../yaml/edits.ts";
import { type ManifestObject, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { mark } from "../yaml/word-place.ts";
import { type Item, type Place, withText } from "./item.ts";

/**
 * Objects that the reference at the place may name. For drivers also those that other objects name and those of the catalogue;
 * for classes also names that only volumes have, and `""` for no class.
 */
export function referenceItems({ analysis, probe, object, path }: Place): readonly Item[] {
  const reference = referencesOf(object).find(({ name }) => name === mark);
  if (reference === undefined || analysis === undefined) return [];
  const { kind, namespace } = reference;
  // A volume's claimRef may not have its claim's namespace yet.
  const names = writableNames(analysis, kind, namespace === "" ? undefined : namespace);
  if (kind === "StorageClass")
    return [
      ...names.map((name) => classItem(analysis, name)),
      ...namedByOthers(analysis, "StorageClass", object, ["PersistentVolume"])
        .filter((name) => !names.includes(name))
        .map((name) => ({ ...classItem(analysis, name), detail: "class of volumes" })),
      ...(path.at(-1) === "storageClassName" && !probe.isQuoted ? noClassItems(object.kind) : []),
    ];
  const items = names.map((name) => objectItem(kind, namespace, name));
  if (kind === "PersistentVolumeClaim")
    return [
      ...items,
      ...madeNames(analysis.environment)
        .filter((made) => made.kind === kind && ["", made.namespace].includes(namespace))
        .filter(({ name }) => !names.includes(name))
        .map((made) => objectItem(kind, made.namespace, made.name)),
    ];
  if (kind !== "CSIDriver") return items;
  const used = namedByOthers(analysis, "CSIDriver", object).filter((name) => !names.includes(name));
  const others = knownDrivers.filter(({ name }) => !names.includes(name) && !used.includes(name));
  return [
    ...items,
    ...used.map((name) => driverItem(name, "named in these files")),
    ...others.map(({ name, title }) => driverItem(name, title)),
    ...(object.kind === "StorageClass"
      ? [driverItem(noProvisioner, "volumes are made by hand")]
      : []),
  ];
}

/** The names by which other objects refer to objects of a kind; only referring objects of `kinds` count, if given. */
function namedByOthers(
  { environment }: Analysis,
  kind: Kind,
  asking: ManifestObject,
  kinds?: readonly string[],
): readonly string[] {
  const names = new Set<string>();
  for (const { object } of environment.objects) {
    if (object.ref === asking.ref || kinds?.includes(object.kind) === false) continue;
    for (const reference of referencesOf(object))
      if (reference.kind === kind && reference.name !== "") names.add(reference.name);
  }
  return [...names];
}

/** Shows the provisioner, by which people choose a class. */
function classItem({ environment, assumed }: Analysis, name: string): Item {
  const item = objectItem("StorageClass", "", name);
  const ref = makeRef("StorageClass", undefined, name);
  const written = environment.byRef.get(ref)?.[0]?.object;
  const provisioner = valueAt(written?.value ?? assumedManifest(assumed.cluster, ref), [
    "provisioner",
  ]);
  return typeof provisioner === "string" ? { ...item, detail: provisioner } : item;
}

const meaningsOfNoClass: Readonly<Record<string, string>> = {
  PersistentVolume: 'The volume belongs to no class: claims with `storageClassName: ""` find it.',
  PersistentVolumeClaim:
    "No dynamic provisioning: the claim waits for a volume that belongs to no class, whatever the default class is.",
};

function noClassItems(kind: string): readonly Item[] {
  // All others with the field make claims, but a capacity always belongs to a class.
  if (kind === "CSIStorageCapacity") return [];
  const text = own(meaningsOfNoClass, kind) ?? meaningsOfNoClass["PersistentVolumeClaim"] ?? "";
  return [withText({ label: '""', kind: "value", detail: "no class", insert: '""' }, text)];
}

function driverItem(name: string, detail: string): Item {
  return { label: name, kind: "value", detail, insert: printScalar(name) };
}

/** For `metadata.namespace`, and for namespaces in references. */
export function namespaceItems({ analysis, path }: Place): readonly Item[] {
  const last = path.at(-1);
  const isNamespace =
    last === "namespace" || (typeof last === "string" && last.endsWith("-namespace"));
  if (!isNamespace || analysis === undefined) return [];
  const used = analysis.environment.objects.map(({ object }) => object.namespace);
  const names = new Set([...analysis.names.names("Namespace"), ...used, "default"]);
  return [...names]
    .filter((name) => name !== "")
    .sort()
    .map((name) => objectItem("Namespace", "", name));
}

/** `volumeMounts[].name` and `volumeDevices[].name`: the volumes of the pod. A claim template replaces a volume of its name. */
export function podVolumeItems({ object, path }: Place): readonly Item[] {
  const list = path.at(-3);
  if (path.at(-1) !== "name" || (list !== "volumeMounts" && list !== "volumeDevices")) return [];
  const podSpec = path.slice(0, -5);
  const volumes = names(object.value, [...podSpec, "volumes"], ["name"]);
  const templates =
    object.kind === "StatefulSet"
      ? names(object.value, ["spec", "volumeClaimTemplates"], ["metadata", "name"])
      : [];
  const details = new Map([
    ...volumes.map((name) => [name, "volume of the pod"] as const),
    ...templates.map((name) => [name, "volume claim template"] as const),
  ]);
  return [...details].map(([name, detail]) => ({
    label: name,
    kind: "object",
    detail,
    insert: printScalar(name),
  }));
}

function names(value: unknown, list: Path, name: Path): readonly string[] {
  const items = valueAt(value, list);
  if (!Array.isArray(items)) return [];
  return items
    .map((item: unknown) => valueAt(item, name))
    .filter((text): text is string => typeof text === "string" && text !== "");
}

function objectItem(kind: Kind, namespace: string, name: string): Item {
  const about = {
    type: "object",
    kind,
    namespace: isNamespaced(kind) ? namespace : "",
    name,
  } as const;
  return { label: name, kind: "object", detail: kind, insert: printScalar(name), about };
}
