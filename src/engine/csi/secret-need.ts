/**
 * Keys that a driver looks for in the secret that it is given, as data. Upstream: the beginning of each driver's calls; the
 * catalogue says where it was read.
 */
import { type GivenSecrets, strippedSecrets } from "./messages.ts";

export interface SecretNeed {
  /** One of these is what the driver looks for, the first what its documentation names. */
  readonly oneOf: readonly string[];
  /** All of these do instead, and are what its documentation names. */
  readonly instead?: readonly string[];
  /** The driver takes them in any case. */
  readonly foldsCase?: boolean;
  /** By what people write where another key is looked for, however they write it: that key. */
  readonly mistaken?: Readonly<Record<string, string>>;
}

/** It holds for a call for which all that is given holds. */
export interface SecretCondition {
  /** Nothing names a secret for the call. */
  readonly lacksSecrets?: true;
  /** The secret that comes with the call lacks this. */
  readonly secretNeed?: SecretNeed;
}

export function meetsSecretCondition(
  { lacksSecrets, secretNeed }: SecretCondition,
  secrets: GivenSecrets | undefined,
): boolean {
  return (
    (lacksSecrets !== true || secrets === undefined) &&
    (secretNeed === undefined || lacksNeeded(secretNeed, secrets))
  );
}

/** Nothing is missed in a secret whose keys nobody knows, nor where there is none at all. */
export function lacksNeeded(need: SecretNeed, secrets: GivenSecrets | undefined): boolean {
  if (secrets === undefined || secrets === strippedSecrets) return false;
  const { oneOf, instead } = need;
  const missing = missingIn(need, secrets);
  return (
    missing(oneOf).length === oneOf.length && (instead === undefined || missing(instead).length > 0)
  );
}

export interface NeededKeys {
  /** The keys to add. */
  readonly keys: readonly string[];
  /** The key of the secret that is meant to be the first of them. */
  readonly writtenAs?: string;
}

/** What a secret lacks, and what it has in its place. */
export function neededKeys(need: SecretNeed, given: readonly string[]): NeededKeys {
  const { oneOf, instead, mistaken = {} } = need;
  const missing = missingIn(need, given);
  const slips = Object.entries(mistaken).map(([slip, key]) => [plain(slip), key] as const);
  for (const key of [...(instead === undefined ? [] : missing(instead)), ...oneOf]) {
    const names = [key, ...slips.flatMap(([slip, meant]) => (meant === key ? slip : []))].map(
      plain,
    );
    const writtenAs = given.find((other) => names.includes(plain(other)));
    if (writtenAs !== undefined) return { keys: [key], writtenAs };
  }
  return { keys: instead === undefined ? oneOf.slice(0, 1) : missing(instead) };
}

function missingIn(
  { foldsCase = false }: SecretNeed,
  given: readonly string[],
): (keys: readonly string[]) => readonly string[] {
  const fold = (key: string): string => (foldsCase ? key.toLowerCase() : key);
  const there = new Set(given.map(fold));
  return (keys) => keys.filter((key) => !there.has(fold(key)));
}

/** Without what is often written otherwise: `user-id`, `USER_ID`. */
function plain(key: string): string {
  return key.replace(/[-_.]/g, "").toLowerCase();
}
