/**
 * Volumes and classes that an import's claims refer to, if none of that kind were saved: they are cluster-scoped, so users with
 * access to a single namespace cannot get them. A bound claim tells nearly everything about its volume, including its
 * provisioner, but not its node affinity. Upstream: nothing.
 */
import { attacherFinalizer } from "../controllers/external-attacher/attachment-sync.ts";
import type { DriverKnowledge, KnownDriver } from "../csi/catalogue/driver-knowledge.ts";
import { mayBeCsi } from "../csi/catalogue/path-provisioners.ts";
import { annotation, finalizer } from "../matching/annotations.ts";
import type { Manifest } from "../scenario.ts";
import { field, text } from "./clues.ts";

/** Returns the import with the volumes of its bound claims; the same list each time for the same driver knowledge. */
export function withUnsavedVolumes(
  imported: readonly Manifest[],
  knowledge: DriverKnowledge,
): readonly Manifest[] {
  const known = completed.get(imported);
  if (known?.knowledge === knowledge) return known.all;
  const made = isSaved("PersistentVolume", imported) ? [] : volumesOf(imported, knowledge);
  const all = made.length === 0 ? imported : [...imported, ...made];
  completed.set(imported, { knowledge, all });
  return all;
}

// The same list matters because the state that is read from an import is cached by its list.
const completed = new WeakMap<
  readonly Manifest[],
  { readonly knowledge: DriverKnowledge; readonly all: readonly Manifest[] }
>();

/** Returns the classes of its bound claims. What cannot be known of them is assumed to allow what is requested. */
export function unsavedClasses(imported: readonly Manifest[]): readonly Manifest[] {
  if (isSaved("StorageClass", imported)) return [];
  const classes = new Map<string, Manifest>();
  for (const claim of boundClaims(imported)) {
    const [name, provisioner] = [text(field(claim, "spec", "storageClassName")), makerOf(claim)];
    if (name === "" || provisioner === "" || classes.has(name)) continue;
    classes.set(name, {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name },
      provisioner,
      allowVolumeExpansion: true,
      volumeBindingMode: nodeOf(claim) === "" ? "Immediate" : "WaitForFirstConsumer",
    });
  }
  return [...classes.values()];
}

function isSaved(kind: string, imported: readonly Manifest[]): boolean {
  return imported.some((object) => object["kind"] === kind);
}

function boundClaims(imported: readonly Manifest[]): readonly Manifest[] {
  return imported.filter(
    (object) =>
      object["kind"] === "PersistentVolumeClaim" &&
      field(object, "status", "phase") === "Bound" &&
      text(field(object, "spec", "volumeName")) !== "",
  );
}

function volumesOf(imported: readonly Manifest[], knowledge: DriverKnowledge): readonly Manifest[] {
  const classes = new Map(
    imported
      .filter((object) => object["kind"] === "StorageClass")
      .map((object) => [text(field(object, "metadata", "name")), object]),
  );
  return boundClaims(imported).map((claim) =>
    volumeOf(claim, classes, knowledge.find(makerOf(claim))?.traits ?? {}),
  );
}

function volumeOf(
  claim: Manifest,
  classes: ReadonlyMap<string, Manifest>,
  traits: KnownDriver["traits"],
): Manifest {
  const { metadata, spec, status } = claim;
  const className = text(field(spec, "storageClassName"));
  const name = text(field(spec, "volumeName"));
  const maker = makerOf(claim);
  const attributesClass = field(status, "currentVolumeAttributesClassName");
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name,
      creationTimestamp: field(metadata, "creationTimestamp"),
      finalizers: finalizersOf(maker, traits),
      ...(maker !== "" && { annotations: { [annotation.provisionedBy]: maker } }),
    },
    spec: {
      accessModes: field(status, "accessModes") ?? field(spec, "accessModes"),
      capacity: field(status, "capacity") ?? field(spec, "resources", "requests"),
      claimRef: {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        namespace: field(metadata, "namespace"),
        name: field(metadata, "name"),
        uid: field(metadata, "uid"),
      },
      persistentVolumeReclaimPolicy: field(classes.get(className), "reclaimPolicy") ?? "Delete",
      storageClassName: className,
      volumeMode: field(spec, "volumeMode") ?? "Filesystem",
      ...(attributesClass !== undefined && { volumeAttributesClassName: attributesClass }),
      ...sourceOf(claim, name, traits),
    },
    status: { phase: "Bound" },
  };
}

/** The finalizers that its sidecars would otherwise add at once. */
function finalizersOf(
  maker: string,
  { attachRequired = true }: KnownDriver["traits"],
): readonly string[] {
  if (!isCsi(maker)) return [finalizer.volumeProtection];
  const ofAttacher = attachRequired ? [attacherFinalizer(maker)] : [];
  return [finalizer.externalProvisioner, finalizer.volumeProtection, ...ofAttacher];
}

function isCsi(maker: string): boolean {
  return maker !== "" && mayBeCsi(maker);
}

/** A directory if the provisioner creates directories or is unknown; otherwise a volume of the CSI driver. */
function sourceOf(claim: Manifest, name: string, { sidecars }: KnownDriver["traits"]): Manifest {
  const maker = makerOf(claim);
  if (isCsi(maker)) {
    const fsType = sidecars?.defaultFsType;
    const isFormatted = fsType !== undefined && field(claim, "spec", "volumeMode") !== "Block";
    return { csi: { driver: maker, volumeHandle: name, ...(isFormatted && { fsType }) } };
  }
  const node = nodeOf(claim);
  const expression = { key: "kubernetes.io/hostname", operator: "In", values: [node] };
  const terms = [{ matchExpressions: [expression] }];
  return {
    hostPath: { path: `/opt/${name}`, type: "DirectoryOrCreate" },
    ...(node !== "" && { nodeAffinity: { required: { nodeSelectorTerms: terms } } }),
  };
}

/** Returns the claim's provisioner; "" if its volume was created by hand. */
function makerOf(claim: Manifest): string {
  const { storageProvisioner, betaStorageProvisioner } = annotation;
  const [maker = ""] = [storageProvisioner, betaStorageProvisioner]
    .map((key) => text(field(claim, "metadata", "annotations", key)))
    .filter((name) => name !== "");
  return maker;
}

/** Returns the node that the volume was made for; "" if it was made before any pod used it. */
function nodeOf(claim: Manifest): string {
  return text(field(claim, "metadata", "annotations", annotation.selectedNode));
}
