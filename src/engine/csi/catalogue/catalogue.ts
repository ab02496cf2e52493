/** Finds a driver's entry by its name. An unlisted driver gets no invented traits. */
import type { CreationRefusal } from "../creation-refusal.ts";
import { amazonDrivers } from "./amazon.ts";
import { fsxDrivers } from "./amazon-fsx.ts";
import { asianCloudDrivers } from "./asia.ts";
import { azureDrivers } from "./azure.ts";
import { azureAccountDrivers } from "./azure-accounts.ts";
import { cephDrivers, rookDrivers } from "./ceph.ts";
import type { CatalogueEntry } from "./entry.ts";
import { googleDrivers } from "./google.ts";
import { localDrivers } from "./local.ts";
import { networkDrivers } from "./network.ts";
import { regionalClouds } from "./regional-clouds.ts";
import { smallerClouds } from "./smaller-clouds.ts";
import { vendorDrivers } from "./vendors.ts";
import { virtualisationDrivers } from "./virtual.ts";

export const knownDrivers: readonly CatalogueEntry[] = [
  ...amazonDrivers,
  ...fsxDrivers,
  ...googleDrivers,
  ...azureDrivers,
  ...azureAccountDrivers,
  ...asianCloudDrivers,
  ...virtualisationDrivers,
  ...cephDrivers,
  ...networkDrivers,
  ...localDrivers,
  ...vendorDrivers,
  ...smallerClouds,
  ...regionalClouds,
];

const byName = new Map(knownDrivers.map((entry) => [entry.name, entry]));

/** Undefined if the catalogue lacks the driver. Rook puts its operator's namespace before Ceph's names. */
export function knownDriver(name: string): CatalogueEntry | undefined {
  const exact = byName.get(name);
  if (exact !== undefined) return exact;
  return rookDrivers.find((entry) => name.endsWith(`.${entry.name}`));
}

export const madeByOperators: ReadonlySet<string> = new Set(
  [...knownDrivers, ...rookDrivers].flatMap((entry) => entry.operatorSecrets ?? []),
);

/** Secrets that the driver's operator creates for it; none if not known. */
export function operatorSecrets(driver: string): readonly string[] {
  return knownDriver(driver)?.operatorSecrets ?? [];
}

/** What the driver itself is known to refuse to create, in the order of its checks. */
export function knownRefusals(driver: string): readonly CreationRefusal[] {
  const { earlyRefusals = [], creationRefusals = [] } = knownDriver(driver)?.traits ?? {};
  return [...earlyRefusals, ...creationRefusals];
}
