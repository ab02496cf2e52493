/** The calls for which drivers need a secret from classes and volumes, and the keys that they read from it. */
import type { DriverProfile } from "../driver-profile.ts";
import { lacksNeeded, type NeededKeys, neededKeys, type SecretNeed } from "../secret-need.ts";
import { meetsCondition, parametersOf, type VolumeCondition } from "../volume-condition.ts";
import { knownDrivers } from "./catalogue.ts";
import type { Login } from "./entry.ts";
import type { SecretUse } from "./sidecar-parameters.ts";

interface Refusal extends VolumeCondition {
  readonly lacksSecrets?: true;
  readonly secretNeed?: SecretNeed;
  readonly text: string;
}

type Traits = Partial<DriverProfile>;

const byUse: Readonly<
  Partial<Record<SecretUse | "snapshotter", (traits: Traits) => readonly Refusal[]>>
> = {
  provisioner: ({ earlyRefusals = [], creationRefusals = [] }) => [
    ...earlyRefusals,
    ...creationRefusals,
  ],
  nodeStage: ({ stageRefusals = [] }) => stageRefusals,
  nodePublish: ({ mountRefusals = [] }) => mountRefusals,
  controllerExpand: ({ secretRefusals = {} }) => secretRefusals.ControllerExpandVolume ?? [],
  nodeExpand: ({ expansion }) => expansion?.nodeRefusals ?? [],
  snapshotter: ({ secretRefusals = {} }) => secretRefusals.CreateSnapshot ?? [],
};

export interface MissedInSecret extends NeededKeys {
  /** The driver's error text, or what happens without the key. */
  readonly text: string;
  /** True if the driver goes on without the key, which a server may accept. */
  readonly isTried?: true;
}

/**
 * Returns what a driver misses in a secret with these keys, for any access mode, in the order of its checks. `parameters` are
 * the class's, or the volume's attributes.
 */
export function missedInSecret(
  traits: Traits,
  use: SecretUse | "snapshotter",
  parameters: Readonly<Record<string, string>>,
  keys: readonly string[],
): readonly MissedInSecret[] {
  const parameterOf = parametersOf(traits, parameters);
  const refusals = byUse[use]?.(traits) ?? [];
  return refusals.flatMap(({ secretNeed: need, where = [], text }) => {
    if (need === undefined || !meetsCondition({ where }, undefined, parameterOf)) return [];
    return lacksNeeded(need, keys) ? [{ ...neededKeys(need, keys), text }] : [];
  });
}

/** What a driver lacks for logging in. */
export function missedLogin(
  login: Login | undefined,
  keys: readonly string[],
  mountOptions: readonly unknown[],
): readonly MissedInSecret[] {
  if (login === undefined) return [];
  const texts = [...mountOptions, ...keys].map((text) => String(text).toLowerCase());
  if (login.otherwise.some((word) => texts.some((text) => text.includes(word)))) return [];
  return login.needs
    .filter((need) => lacksNeeded(need, keys))
    .map((need) => ({
      ...neededKeys(need, keys),
      text: `it logs in with an empty ${need.oneOf[0]} then`,
      isTried: true,
    }));
}

/** Returns the driver's error text if it gets no secret for this use, for any access mode; undefined if it needs none. */
export function wantedSecret(
  traits: Traits,
  use: SecretUse | "snapshotter",
  parameters: Readonly<Record<string, string>>,
): string | undefined {
  const parameterOf = parametersOf(traits, parameters);
  return byUse[use]?.(traits).find(
    ({ lacksSecrets, where = [] }) =>
      lacksSecrets === true && meetsCondition({ where }, undefined, parameterOf),
  )?.text;
}

/** Keys that satisfy every driver: assumed to be in a Secret whose keys are unknown. */
export const keysForDrivers: readonly string[] = [
  ...new Set(
    knownDrivers.flatMap(({ traits }) =>
      Object.values(byUse).flatMap((refusalsOf) =>
        refusalsOf(traits).flatMap(({ secretNeed }) => secretNeed?.oneOf.slice(0, 1) ?? []),
      ),
    ),
  ),
];
