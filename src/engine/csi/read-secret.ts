/** Reads the Secret that a call passes to its driver, as sidecars and kubelet do. */
import { getLive, type Task } from "../runtime/effects.ts";
import { type GivenSecrets, givenSecrets } from "./messages.ts";

/** A request's secrets; absent if no Secret is named. */
export interface SecretField {
  readonly secrets?: GivenSecrets;
}

export type ReadSecret =
  | { readonly ok: true; readonly field: SecretField }
  | { readonly ok: false; readonly error: string };

/** The reader's message about a Secret that it cannot read; `why`: the API's error. */
type Words = (namespace: string, name: string, why: string) => string;

export function* readSecret(
  secret: { readonly namespace?: string; readonly name?: string } | undefined,
  words: Words,
): Task<ReadSecret> {
  if (secret === undefined) return { ok: true, field: {} };
  const { namespace = "", name = "" } = secret;
  const found = yield* getLive("Secret", namespace, name);
  if (found.ok) return { ok: true, field: { secrets: givenSecrets(found.object) } };
  return { ok: false, error: words(namespace, name, found.error.message) };
}

/** The sidecars' message. Upstream: getCredentials of external-provisioner, external-resizer and external-snapshotter. */
export const errorGettingSecret: Words = (namespace, name, why) =>
  `error getting secret ${name} in namespace ${namespace}: ${why}`;
