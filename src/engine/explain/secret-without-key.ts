/** A driver misses a key in a secret that it is given: which Secret that is, what it has in the key's place, and what would help. */
import { makeRef } from "../api/meta.ts";
import { lacksNeeded, neededKeys, type SecretNeed } from "../csi/secret-need.ts";
import { wordsOf } from "./driver-words.ts";
import type { RunFacts } from "./run-facts.ts";
import type { Fix, Link, Place } from "./verdict.ts";

export interface SecretWithoutKey {
  readonly root: Place;
  readonly link: Link;
  readonly fixes: readonly Fix[];
  /** Behind a headline. */
  readonly why: string;
}

interface OfSecret {
  readonly lacksSecrets?: true;
  readonly secretNeed?: SecretNeed;
  readonly text: string;
}

/** Of the refusal whose words the message has. */
export function needIn(
  refusals: readonly OfSecret[] | undefined,
  message: string,
): SecretNeed | undefined {
  return refusals?.find(
    ({ secretNeed, text }) => secretNeed !== undefined && wordsOf(text).test(message),
  )?.secretNeed;
}

/** The message is what the driver says where it is given no secret at all. */
export function wantsSecret(refusals: readonly OfSecret[] | undefined, message: string): boolean {
  return (
    refusals?.some(
      ({ lacksSecrets, text }) => lacksSecrets === true && wordsOf(text).test(message),
    ) === true
  );
}

/** Undefined where the Secret is gone, or has got by now what was missed. */
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
