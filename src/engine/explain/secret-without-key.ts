/** A Secret that lacks a key its driver needs: which Secret, what it has in the key's place, and the fix. */
import { makeRef } from "../api/meta.ts";
import { lacksNeeded, neededKeys, type SecretNeed } from "../csi/secret-need.ts";
import { wordsOf } from "./driver-words.ts";
import type { RunFacts } from "./run-facts.ts";
import type { Fix, Link, Place } from "./verdict.ts";

export interface SecretWithoutKey {
  readonly root: Place;
  readonly link: Link;
  readonly fixes: readonly Fix[];
  /** The clause that a headline ends with. */
  readonly why: string;
}

interface OfSecret {
  readonly lacksSecrets?: true;
  readonly secretNeed?: SecretNeed;
  readonly text: string;
}

/** The keys needed according to the refusal whose text is in the message; undefined if none is. */
export function needIn(
  refusals: readonly OfSecret[] | undefined,
  message: string,
): SecretNeed | undefined {
  return refusals?.find(
    ({ secretNeed, text }) => secretNeed !== undefined && wordsOf(text).test(message),
  )?.secretNeed;
}

/** True if the message is what the driver says if it is given no Secret at all. */
export function wantsSecret(refusals: readonly OfSecret[] | undefined, message: string): boolean {
  return (
    refusals?.some(
      ({ lacksSecrets, text }) => lacksSecrets === true && wordsOf(text).test(message),
    ) === true
  );
}

/** The cause and fix for a Secret that lacks keys; undefined if it does not exist, or has the keys by now. */
export function secretWithoutKey(
  facts: RunFacts,
  named: { readonly namespace?: string; readonly name?: string } | undefined,
  need: SecretNeed,
): SecretWithoutKey | undefined {
  const { namespace, name = "" } = named ?? {};
  const secret = facts.get("Secret", namespace, name);
  const given = Object.keys(secret?.data ?? {});
  if (secret === undefined || !lacksNeeded(need, given)) return undefined;
  const { keys, writtenAs } = neededKeys(need, given);
  const title = `Secret "${namespace}/${name}"`;
  const missing = keys.join(" and ");
  const root = {
    ref: makeRef("Secret", namespace, name),
    field: writtenAs === undefined ? "data" : `data[${writtenAs}]`,
  };
  const text =
    writtenAs === undefined
      ? `add ${missing} to ${title}`
      : `rename ${writtenAs} to ${missing} in ${title}`;
  return {
    root,
    link: { ref: root.ref, text: "is the secret that its driver is given" },
    fixes: [{ text, at: root }],
    why: `${title} has no ${missing}`,
  };
}
