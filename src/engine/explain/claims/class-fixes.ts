/** Which classes a claim could name instead, most likely first. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import { quantityBytes } from "../../api/quantity.ts";
import {
  classNameField,
  effectiveClassName,
  isDefaultClass,
} from "../../api/storage-class-name.ts";
import { makesBuckets } from "../../csi/catalogue/bucket-provisioners.ts";
import type { DriverKnowledge } from "../../csi/catalogue/driver-knowledge.ts";
import { makesVolumes, migratedDriver } from "../../matching/csi-migration.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix, Place } from "../verdict.ts";
import { driverOf } from "../volumes/bound-pair.ts";

type StorageClass = KubeObject<"StorageClass">;
type Claim = KubeObject<"PersistentVolumeClaim">;

/**
 * One fix for each other class that may make the volume, or whose name resembles the present one. Names that share the longest
 * beginning with it come first, then the default class.
 */
export function chooseClass(
  facts: RunFacts,
  claim: Claim,
  classes: readonly StorageClass[],
): readonly Fix[] {
  const field = classNameField(claim);
  const at = { ref: refOf(claim), field };
  const present = effectiveClassName(claim);
  return classes
    .filter(({ metadata: { name } }) => name !== present)
    .filter((one) => mayMake(facts, claim, one) || isLikeWritten(one, present))
    .sort(byLikelihood(present))
    .map(({ metadata: { name }, provisioner }) =>
      claim.spec.selector !== undefined && makesVolumes(provisioner)
        ? { text: `set ${field} to "${name}", and ${withoutSelector}`, at }
        : { text: `set ${field} to "${name}"`, at, value: name },
    );
}

/** Part of a fix for claims with a selector, which provisioners refuse. */
const withoutSelector =
  "remove spec.selector, which chooses among volumes that there are: a driver makes a new one";

/** For a class whose provisioner is of no use any more: the CSI driver that replaces it, if there is one. */
export function insteadOfProvisioner(driver: string | undefined, at: Place): readonly Fix[] {
  if (driver === undefined) return [];
  const text = `use CSI driver "${driver}" instead, with its own parameters (recreate the class)`;
  return [{ text, at }];
}

/** The classes whose driver is known to support the claim's access modes, and not known to refuse its size. */
export function classesFor(facts: RunFacts, claim: Claim): readonly StorageClass[] {
  return facts
    .list("StorageClass")
    .filter(
      (one) =>
        supportsModes(facts.drivers, claim, one.provisioner) === true &&
        isLargeEnough(facts, claim, one),
    );
}

/** False if it is known that the class's provisioner cannot make the claim's volume. */
export function mayMake(facts: RunFacts, claim: Claim, storageClass: StorageClass): boolean {
  const { provisioner } = storageClass;
  const driver = migratedDriver(provisioner) ?? provisioner;
  const wanted = [sourceDriver(facts, claim), attributesDriver(facts, claim)];
  return (
    makesVolumes(provisioner) &&
    !makesBuckets(provisioner) &&
    supportsModes(facts.drivers, claim, provisioner) !== false &&
    isLargeEnough(facts, claim, storageClass) &&
    wanted.every((name) => name === undefined || name === driver)
  );
}

/** The driver of the claim's VolumeAttributesClass; undefined if it names none, or one that does not exist. */
function attributesDriver(facts: RunFacts, { spec }: Claim): string | undefined {
  const { volumeAttributesClassName = "" } = spec;
  return facts.get("VolumeAttributesClass", undefined, volumeAttributesClassName)?.driverName;
}

/** The driver of the claim's source, the only one that can copy it; undefined without a source, or if it has no driver yet. */
function sourceDriver(facts: RunFacts, { metadata, spec }: Claim): string | undefined {
  const { kind, name = "" } = spec.dataSource ?? {};
  if (kind === "PersistentVolumeClaim") {
    const source = facts.get(kind, metadata.namespace, name);
    return source && driverOf(facts, source);
  }
  if (kind !== "VolumeSnapshot") return undefined;
  const content = facts.get(kind, metadata.namespace, name)?.status?.boundVolumeSnapshotContentName;
  return facts.get("VolumeSnapshotContent", undefined, content ?? "")?.spec.driver;
}

/** Whether the provisioner's volumes support the access modes that the claim requests; undefined if that is not known. */
function supportsModes(
  drivers: DriverKnowledge,
  { spec }: Claim,
  provisioner: string,
): boolean | undefined {
  const volumeMode = spec.volumeMode ?? "Filesystem";
  const modes = drivers.accessModes(migratedDriver(provisioner) ?? provisioner, volumeMode);
  return modes && spec.accessModes?.every((mode) => modes.includes(mode)) === true;
}

/** False if it is known that the class's driver refuses the size that the claim requests. */
function isLargeEnough(facts: RunFacts, { spec }: Claim, storageClass: StorageClass): boolean {
  const { provisioner, parameters = {} } = storageClass;
  const bytes = quantityBytes(spec.resources?.requests?.["storage"]);
  const fsType = parameters["csi.storage.k8s.io/fstype"];
  const capability =
    spec.volumeMode === "Block" ? { block: {} } : { mount: fsType ? { fs_type: fsType } : {} };
  const driver = migratedDriver(provisioner) ?? provisioner;
  return facts.drivers.allowsSize(driver, bytes, { capability, parameters });
}

/** True if the written name may be a misspelling of the class's. */
function isLikeWritten(
  { metadata: { name }, provisioner }: StorageClass,
  written: string,
): boolean {
  return !makesBuckets(provisioner) && 2 * commonStart(name, written) >= name.length;
}

function byLikelihood(written: string): (a: StorageClass, b: StorageClass) => number {
  return (a, b) =>
    commonStart(b.metadata.name, written) - commonStart(a.metadata.name, written) ||
    Number(isDefaultClass(b)) - Number(isDefaultClass(a)) ||
    (a.metadata.name < b.metadata.name ? -1 : 1);
}

/** The length of the longest common prefix. */
function commonStart(name: string, written: string): number {
  let length = 0;
  while (length < name.length && name[length] === written[length]) length++;
  return length;
}
