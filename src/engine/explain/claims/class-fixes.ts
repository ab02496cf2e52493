/** Which class a claim could name instead: the likeliest first. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import {
  classNameField,
  effectiveClassName,
  isDefaultClass,
} from "../../api/storage-class-name.ts";
import type { DriverKnowledge } from "../../csi/catalogue/driver-knowledge.ts";
import { makesVolumes, migratedDriver } from "../../matching/csi-migration.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix } from "../verdict.ts";

type StorageClass = KubeObject<"StorageClass">;

/** One change for each other class that may make the volume, or may have been meant. A name that begins as the one that was written comes first, then the default class. */
export function chooseClass(
  { drivers }: RunFacts,
  claim: KubeObject<"PersistentVolumeClaim">,
  classes: readonly StorageClass[],
): readonly Fix[] {
  const field = classNameField(claim);
  const at = { ref: refOf(claim), field };
  const present = effectiveClassName(claim);
  return classes
    .filter(({ metadata: { name } }) => name !== present)
    .filter(({ metadata: { name }, provisioner }) => {
      const mayMakeIt =
        makesVolumes(provisioner) && supportsModes(drivers, claim, provisioner) !== false;
      return mayMakeIt || 2 * commonStart(name, present) >= name.length;
    })
    .sort(byLikelihood(present))
    .map(({ metadata: { name }, provisioner }) =>
      claim.spec.selector !== undefined && makesVolumes(provisioner)
        ? { text: `set ${field} to "${name}", and ${withoutSelector}`, at }
        : { text: `set ${field} to "${name}"`, at, value: name },
    );
}

/** Of claims with a selector, which provisioners refuse. */
const withoutSelector =
  "remove spec.selector, which chooses among volumes that there are: a driver makes a new one";

/** Those whose driver is known to make volumes for the modes that the claim asks for. */
export function classesFor(
  facts: RunFacts,
  claim: KubeObject<"PersistentVolumeClaim">,
): readonly StorageClass[] {
  return facts
    .list("StorageClass")
    .filter(({ provisioner }) => supportsModes(facts.drivers, claim, provisioner) === true);
}

/** Whether the provisioner's new volumes have the modes that the claim asks for; undefined where nobody says. */
export function supportsModes(
  drivers: DriverKnowledge,
  { spec }: KubeObject<"PersistentVolumeClaim">,
  provisioner: string,
): boolean | undefined {
  const volumeMode = spec.volumeMode ?? "Filesystem";
  const modes = drivers.accessModes(migratedDriver(provisioner) ?? provisioner, volumeMode);
  return modes && spec.accessModes?.every((mode) => modes.includes(mode)) === true;
}

function byLikelihood(written: string): (a: StorageClass, b: StorageClass) => number {
  return (a, b) =>
    commonStart(b.metadata.name, written) - commonStart(a.metadata.name, written) ||
    Number(isDefaultClass(b)) - Number(isDefaultClass(a)) ||
    (a.metadata.name < b.metadata.name ? -1 : 1);
}

/** How many first letters two names share. */
function commonStart(name: string, written: string): number {
  let length = 0;
  while (length < name.length && name[length] === written[length]) length++;
  return length;
}
