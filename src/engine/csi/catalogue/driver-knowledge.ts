/** What is known about drivers: the catalogue, overridden by what the user says about installed drivers. */
import { type CreationRefusal, creationRefusal } from "../creation-refusal.ts";
import { type DriverProfile, driverProfile } from "../driver-profile.ts";
import { type Sized, VolumeSizes } from "../volume-sizes.ts";
import { knownDriver } from "./catalogue.ts";
import type { CatalogueEntry } from "./entry.ts";

export type DriverTrait = Exclude<keyof DriverProfile, "name">;

/** What the user says about a driver. It takes precedence over the catalogue. */
export interface DescribedDriver {
  readonly name: string;
  readonly traits: CatalogueEntry["traits"];
  /** All keys that it reads from StorageClass.parameters; if absent, as in the catalogue. */
  readonly parameters?: readonly string[];
}

/** A driver that only the user has described has no source. */
export interface KnownDriver extends Omit<CatalogueEntry, "source"> {
  readonly source?: CatalogueEntry["source"];
}

export class DriverKnowledge {
  readonly described: ReadonlyMap<string, DescribedDriver>;
  readonly #known: ReadonlyMap<string, KnownDriver>;
  /** Cached, because each claim asks for several traits of the same few drivers. */
  readonly #profiles = new Map<string, DriverProfile>();

  constructor(described: readonly DescribedDriver[]) {
    this.described = new Map(described.map((driver) => [driver.name, driver]));
    this.#known = new Map(described.map((driver) => [driver.name, asDescribed(driver)]));
  }

  /** Undefined if neither the catalogue nor the user describes the driver. */
  find(name: string): KnownDriver | undefined {
    return this.#known.get(name) ?? knownDriver(name);
  }

  /** Undefined if the driver is not described, or the trait is unknown. */
  trait<T extends DriverTrait>(name: string, trait: T): DriverProfile[T] | undefined {
    const entry = this.find(name);
    const isSaid = this.described.get(name)?.traits[trait] !== undefined;
    const isKnown = entry?.source !== undefined && entry.unknown?.includes(trait) !== true;
    if (entry === undefined || !(isSaid || isKnown)) return undefined;
    return this.#profileOf(name, entry)[trait];
  }

  /** The access modes of the driver's new volumes of a volume mode; undefined if not known. */
  accessModes(name: string, volumeMode: string): readonly string[] | undefined {
    const modes = this.trait(name, "accessModes");
    if (this.trait(name, "volumeModes")?.includes(volumeMode) === false) return [];
    return volumeMode === "Block" ? (this.trait(name, "blockAccessModes") ?? modes) : modes;
  }

  /** True if the driver creates a volume of that size, or its sizes are not known. */
  allowsSize(name: string, bytes: bigint, sized: Sized): boolean {
    const entry = this.find(name);
    if (entry === undefined) return true;
    const profile = this.#profileOf(name, entry);
    const sizes = new VolumeSizes(profile);
    const { capability, parameters } = sized;
    const request = {
      parameters,
      volume_capabilities: capability === undefined ? [] : [capability],
    };
    const { creationRefusals = [], cloudRefusals = [] } = profile;
    const ofSize = [...creationRefusals, ...cloudRefusals].filter(
      ({ sizeBelow, sizeAbove }) => sizeBelow !== undefined || sizeAbove !== undefined,
    );
    const refusal = creationRefusal(ofSize, profile, request, sizes.rounded(bytes, sized));
    return refusal === undefined && sizes.allows(bytes, sized);
  }

  #profileOf(name: string, { traits }: KnownDriver): DriverProfile {
    const profile = this.#profiles.get(name) ?? driverProfile({ name, ...traits });
    this.#profiles.set(name, profile);
    return profile;
  }
}

function asDescribed({ name, traits: own, parameters }: DescribedDriver): KnownDriver {
  const usual = knownDriver(name);
  if (usual === undefined)
    return { name, title: name, traits: own, ...(parameters && { parameters }) };
  const traits = {
    ...usual.traits,
    ...own,
    sidecars: { ...usual.traits.sidecars, ...own.sidecars },
  };
  return parameters === undefined ? { ...usual, traits } : readingOnly(parameters, usual, traits);
}

/** Drops what the catalogue says about keys and their values, and lets refusals accept the keys that the driver reads. */
function readingOnly(
  parameters: readonly string[],
  usual: CatalogueEntry,
  traits: CatalogueEntry["traits"],
): KnownDriver {
  const taking = (refusals: readonly CreationRefusal[] = []): readonly CreationRefusal[] =>
    refusals.map((refusal) => {
      const { keyOtherThan: known } = refusal;
      return known === undefined
        ? refusal
        : { ...refusal, keyOtherThan: [...known, ...parameters] };
    });
  const earlyRefusals = taking(traits.earlyRefusals);
  const creationRefusals = taking(traits.creationRefusals);
  return {
    ...usual,
    traits: { ...traits, earlyRefusals, creationRefusals },
    parameters,
    requiredParameters: [],
    parameterPrefixes: [],
    parameterValues: {},
    closedParameters: [],
  };
}

export const catalogueAlone: DriverKnowledge = new DriverKnowledge([]);

export function driverKnowledge(described: readonly DescribedDriver[]): DriverKnowledge {
  return described.length === 0 ? catalogueAlone : new DriverKnowledge(described);
}
