/** For which calls drivers want a secret of classes and volumes, and which keys they look for in it. */
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
  /** The driver's words, or what it does without the key. */
  readonly text: string;
  /** The driver goes on without the key, and a server may let it. */
  readonly isTried?: true;
}

/**
 * What a driver misses in a secret with these keys, whatever the access modes, first what it looks for first. Parameters are the
 * class's, or the volume's attributes.
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

/** What a driver misses to log in with. */
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

/** The driver's words where it is given no secret for that, whatever the access modes; undefined where it needs none. */
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

/** With these no driver misses anything: of a Secret whose keys nobody knows they are taken to be there. */
export const keysForDrivers: readonly string[] = [
  ...new Set(
    knownDrivers.flatMap(({ traits }) =>
      Object.values(byUse).flatMap((refusalsOf) =>
        refusalsOf(traits).flatMap(({ secretNeed }) => secretNeed?.oneOf.slice(0, 1) ?? []),
      ),
    ),
  ),
];
