/** A claim whose driver needs a key that the secret named by the claim's class lacks. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import { knownDriver, knownRefusals } from "../../csi/catalogue/catalogue.ts";
import { secretFor } from "../../matching/class-secret.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { makeVerdict } from "../make-verdict.ts";
import type { RunFacts } from "../run-facts.ts";
import { needIn, type SecretWithoutKey, secretWithoutKey } from "../secret-without-key.ts";
import type { Verdict } from "../verdict.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** The verdict that blames the Secret; undefined if the message is about something else, or the Secret has the key by now. */
export function refusedSecret(
  facts: RunFacts,
  claim: Claim,
  event: EventEntry,
  withinMs: number | undefined,
): Verdict | undefined {
  const { source, message } = event;
  const storageClass = facts.get("StorageClass", undefined, effectiveClassName(claim));
  const need = needIn(knownRefusals(source), message);
  if (storageClass === undefined || need === undefined) return undefined;
  const volume = `pvc-${claim.metadata.uid}`;
  const secret = secretFor("provisioner", storageClass.parameters ?? {}, volume, claim);
  const lacking = secret.ok ? secretWithoutKey(facts, secret.value, need) : undefined;
  if (lacking === undefined) return undefined;
  const { root, link, fixes, why } = lacking;
  return makeVerdict(
    claim,
    "fails",
    `stays Pending: ${source} cannot provision its volume: ${why}`,
    {
      event,
      withinMs,
      root,
      chain: [{ ref: refOf(storageClass), text: "is its class" }, link],
      fixes,
    },
  );
}

/** The Secret that lacks a key for expanding the volume, or for expanding its file system on the node; undefined if none. */
export function refusedGrowth(
  facts: RunFacts,
  volume: KubeObject<"PersistentVolume"> | undefined,
  message: string,
): SecretWithoutKey | undefined {
  const { driver = "", controllerExpandSecretRef, nodeExpandSecretRef } = volume?.spec.csi ?? {};
  const { secretRefusals, expansion } = knownDriver(driver)?.traits ?? {};
  const ofController = needIn(secretRefusals?.ControllerExpandVolume, message);
  if (ofController !== undefined)
    return secretWithoutKey(facts, controllerExpandSecretRef, ofController);
  const ofNode = needIn(expansion?.nodeRefusals, message);
  return ofNode && secretWithoutKey(facts, nodeExpandSecretRef, ofNode);
}
