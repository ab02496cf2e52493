/** The size that a driver gives a volume: from the requested range, its rounding, and its limits for volumes of that kind. */
import { quantityBytes } from "../api/quantity.ts";
import type { DriverProfile } from "./driver-profile.ts";
import type { CapacityRange, VolumeCapability } from "./messages.ts";
import { type Refusal, refuse } from "./rpc.ts";
import { largestSize, roundUpTo, sizeText } from "./size.ts";
import { meetsCondition, parametersOf } from "./volume-condition.ts";

interface Sizes {
  readonly roundUpTo: bigint;
  readonly roundLargeUpTo: bigint;
  readonly largeAbove: bigint;
  readonly minSize: bigint;
  readonly maxSize: bigint;
}

type SizeTraits = Pick<
  DriverProfile,
  "roundUpTo" | "roundLargeUpTo" | "largeAbove" | "minSize" | "maxSize"
>;

function sizesOf(traits: SizeTraits): Sizes {
  const { roundUpTo, roundLargeUpTo = roundUpTo, largeAbove = "1Gi" } = traits;
  return {
    roundUpTo: quantityBytes(roundUpTo),
    roundLargeUpTo: quantityBytes(roundLargeUpTo),
    largeAbove: quantityBytes(largeAbove),
    minSize: quantityBytes(traits.minSize),
    maxSize: traits.maxSize === undefined ? largestSize : quantityBytes(traits.maxSize),
  };
}

/** What a size may depend on: how the volume is used, and its class's parameters. */
export interface Sized {
  readonly capability: VolumeCapability | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

export class VolumeSizes {
  readonly #profile: DriverProfile;
  readonly #usual: Sizes;
  /** The size of a volume if none is requested. */
  readonly defaultSize: bigint;
  /** The maximum for volumes without one of their own. */
  readonly largest: bigint;

  constructor(profile: DriverProfile) {
    this.#profile = profile;
    this.#usual = sizesOf(profile);
    this.largest = this.#usual.maxSize;
    this.defaultSize = quantityBytes(profile.defaultSize);
  }

  /** The size that the driver gives for a capacity range; `least` is that of the source. */
  inRange(range: CapacityRange | undefined, least: bigint, sized: Sized): bigint | Refusal {
    const { maxSize } = this.#sizesFor(sized);
    const required = BigInt(range?.required_bytes ?? 0);
    const limit = BigInt(range?.limit_bytes ?? 0);
    const text = sizeText(required);
    if (limit !== 0n && required > limit) {
      return refuse(
        "InvalidArgument",
        `required size ${text} is above the limit ${sizeText(limit)}`,
      );
    }
    if (required !== 0n && required < least) {
      return refuse("OutOfRange", `size ${text} is below ${sizeText(least)}`);
    }
    const size = this.rounded(required !== 0n ? required : least, sized);
    const above = (what: string, bound: bigint): Refusal =>
      refuse("OutOfRange", `size ${sizeText(size)} is above the ${what} ${sizeText(bound)}`);
    if (limit !== 0n && size > limit) return above("limit", limit);
    if (size > maxSize) {
      const own = this.#profile.maxSizeRefusal
        ?.replaceAll("<SIZE>", sizeText(size))
        .replaceAll("<BYTES>", String(size))
        .replaceAll("<MAX>", String(maxSize));
      return own === undefined ? above("maximum", maxSize) : refuse("OutOfRange", own);
    }
    return size;
  }

  /** True if the driver would create a volume of that size, after rounding. */
  allows(asked: bigint, sized: Sized): boolean {
    return this.rounded(asked, sized) <= this.#sizesFor(sized).maxSize;
  }

  /** The size after rounding; for 0 the driver's default. */
  rounded(asked: bigint, sized: Sized): bigint {
    const { minSize, largeAbove, roundUpTo: small, roundLargeUpTo: large } = this.#sizesFor(sized);
    const given = asked === 0n ? this.defaultSize : asked;
    const raised = given > minSize ? given : minSize;
    return roundUpTo(raised, raised > largeAbove ? large : small);
  }

  #sizesFor({ capability, parameters }: Sized): Sizes {
    const { sizesWhere } = this.#profile;
    if (sizesWhere === undefined) return this.#usual;
    const parameterOf = parametersOf(this.#profile, parameters);
    const own = sizesWhere.find((sizes) => meetsCondition(sizes, capability, parameterOf));
    return own === undefined ? this.#usual : sizesOf({ ...this.#profile, ...own });
  }
}
