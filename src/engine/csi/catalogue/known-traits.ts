/** What is known of a driver's traits by its name. */
import type { CreationRefusal } from "../creation-refusal.ts";
import { type DriverProfile, driverProfile } from "../driver-profile.ts";
import { knownDriver } from "./catalogue.ts";

export type DriverTrait = Exclude<keyof DriverProfile, "name">;

/** Undefined where nobody has described the driver, or has looked at this of it. */
export function knownTrait<T extends DriverTrait>(
  name: string,
  trait: T,
): DriverProfile[T] | undefined {
  const entry = knownDriver(name);
  if (entry === undefined || entry.unknown?.includes(trait) === true) return undefined;
  const profile = profiles.get(name) ?? driverProfile({ name, ...entry.traits });
  profiles.set(name, profile);
  return profile[trait];
}

// Each claim asks for several traits of the same few drivers.
const profiles = new Map<string, DriverProfile>();

/** All that the driver itself is known to refuse to make, first what it looks at first. */
export function knownRefusals(driver: string): readonly CreationRefusal[] {
  const { earlyRefusals = [], creationRefusals = [] } = knownDriver(driver)?.traits ?? {};
  return [...earlyRefusals, ...creationRefusals];
}

/** Access modes of the driver's new volumes of a mode; undefined where nobody says. */
export function knownAccessModes(
  driver: string,
  volumeMode: string,
): readonly string[] | undefined {
  const volumeModes = knownTrait(driver, "volumeModes");
  if (volumeModes === undefined) return undefined;
  if (!volumeModes.includes(volumeMode)) return [];
  const modes = knownTrait(driver, "accessModes");
  return volumeMode === "Block" ? (knownTrait(driver, "blockAccessModes") ?? modes) : modes;
}
