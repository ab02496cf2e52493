/** What is known of a CSI driver by its name. Rules on what drivers can do are silent where nobody has described one. */
import { knownDriver } from "../../../engine/csi/catalogue/catalogue.ts";
import { type DriverProfile, driverProfile } from "../../../engine/csi/driver-profile.ts";
import { migratedDriver } from "../../../engine/matching/csi-migration.ts";
import type { Environment } from "../../workspace/environment.ts";
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";

export type DriverTrait = Exclude<keyof DriverProfile, "name">;

/** A trait of a described driver; undefined where nobody says. The user's own CSIDriver object comes first. */
export function driverTrait<T extends DriverTrait>(
  environment: Environment,
  name: string,
  trait: T,
): DriverProfile[T] | undefined {
  const declared = declaredTraits(environment, name);
  if (trait in declared) return (declared as Partial<DriverProfile>)[trait] as DriverProfile[T];
  const entry = knownDriver(name);
  if (entry === undefined || entry.unknown?.includes(trait) === true) return undefined;
  const profile = profiles.get(name) ?? driverProfile({ name, ...entry.traits });
  profiles.set(name, profile);
  return profile[trait];
}

// Each claim asks for several traits of the same few drivers.
const profiles = new Map<string, DriverProfile>();

/** Access modes of the driver's new volumes; undefined where nobody says. */
export function supportedModes(
  environment: Environment,
  driver: string,
  volumeMode: string,
): readonly string[] | undefined {
  const volumeModes = driverTrait(environment, driver, "volumeModes");
  if (volumeModes === undefined) return undefined;
  if (!volumeModes.includes(volumeMode)) return [];
  const modes = driverTrait(environment, driver, "accessModes");
  if (volumeMode !== "Block") return modes;
  return driverTrait(environment, driver, "blockAccessModes") ?? modes;
}

/** The name of the CSI driver behind a provisioner, be it an in-tree one. */
export function driverOfProvisioner(provisioner: string): string {
  return migratedDriver(provisioner) ?? provisioner;
}

type DeclaredTraits = Partial<Pick<DriverProfile, "attachRequired" | "fsGroupPolicy">>;

function declaredTraits({ byRef }: Environment, name: string): DeclaredTraits {
  const object = byRef.get(`CSIDriver//${name}`)?.at(-1)?.object;
  if (object === undefined) return {};
  const policy = textAt(object.value, "spec", "fsGroupPolicy");
  return {
    attachRequired: fieldsAt(object.value, "spec")["attachRequired"] !== false,
    fsGroupPolicy: policy === "File" || policy === "None" ? policy : "ReadWriteOnceWithFSType",
  };
}
