/**
 * Keys that a driver needs in the secret of a call, as data. Upstream: the beginning of each driver's calls; the catalogue says
 * where it was read.
 */
import { type GivenSecrets, strippedSecrets } from "./messages.ts";

export interface SecretNeed {
  /** The driver needs one of these; the first is the one that its documentation has. */
  readonly oneOf: readonly string[];
  /** All of these together are accepted instead; if present, they are what the documentation has. */
  readonly instead?: readonly string[];
  /** True if the driver ignores the case of keys. */
  readonly foldsCase?: boolean;
  /** The right key by what people mistakenly write instead, in any spelling. */
  readonly mistaken?: Readonly<Record<string, string>>;
}

/** Applies to a call that meets all conditions that are set. */
export interface SecretCondition {
  /** No secret is named for the call. */
  readonly lacksSecrets?: true;
  /** The call's secret lacks this. */
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

/** False for a secret whose keys are unknown, and for no secret at all. */
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
  /** The secret's key that was probably meant as the first of them. */
  readonly writtenAs?: string;
}

/** The keys that a secret lacks, and the one that it has in their place. */
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

/** The key without case and separators, which are often written differently: `user-id`, `USER_ID`. */
function plain(key: string): string {
  return key.replace(/[-_.]/g, "").toLowerCase();
}
