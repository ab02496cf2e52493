/** A driver cannot delete a volume because its Secret is gone, lacks a key, or was never written into its annotations. */
import { refOf } from "../../api/meta.ts";
import type { PersistentVolume } from "../../api/types.ts";
import { knownDriver } from "../../csi/catalogue/catalogue.ts";
import { annotation, annotationOf } from "../../matching/annotations.ts";
import type { RunFacts } from "../run-facts.ts";
import {
  needIn,
  type SecretWithoutKey,
  secretWithoutKey,
  wantsSecret,
} from "../secret-without-key.ts";

/** Without a link if the volume itself is to blame. */
type WrongSecret = Omit<SecretWithoutKey, "link"> & Partial<Pick<SecretWithoutKey, "link">>;

/** The cause and fix; undefined if the message is about something else, or the mistake has been corrected by now. */
export function wrongDeletionSecret(
  facts: RunFacts,
  volume: PersistentVolume,
  driver: string,
  message: string,
): WrongSecret | undefined {
  const refusals = knownDriver(driver)?.traits.secretRefusals?.DeleteVolume;
  const name = annotationOf(volume, annotation.deletionSecretName) ?? "";
  const namespace = annotationOf(volume, annotation.deletionSecretNamespace) ?? "";
  const need = needIn(refusals, message);
  if (need !== undefined) return secretWithoutKey(facts, { name, namespace }, need);
  const isThere = facts.get("Secret", namespace, name) !== undefined;
  if (isThere || !wantsSecret(refusals, message)) return undefined;
  const root = { ref: refOf(volume), field: "metadata.annotations" };
  const [why, text] =
    name === ""
      ? [
          `${driver} wants a secret, and the volume names none for that`,
          `name one in the annotations ${annotation.deletionSecretName} and -namespace`,
        ]
      : [
          `Secret ${namespace}/${name}, which its driver is to be given, does not exist`,
          `make Secret "${name}" in namespace "${namespace}" again`,
        ];
  return {
    root,
    fixes: [{ text, at: root }],
    why,
  };
}
