/** A volume that is being recycled, that is, emptied for another claim: the progress, or what holds it up. */
import { type KubeObject, keyOf, refOf } from "../../api/meta.ts";
import { claimKeyOf } from "../../matching/claim-reference.ts";
import { isPodTerminated } from "../../matching/pod-state.ts";
import { makeVerdict } from "../make-verdict.ts";
import { podVerdict } from "../pods/pod-verdict.ts";
import { podsNaming } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";
import { claimOf } from "./bound-pair.ts";

type Volume = KubeObject<"PersistentVolume">;
type Pod = KubeObject<"Pod">;

/** The verdict; undefined if no recycler pod exists and no pod names the claim: the binder tries at each sync then. */
export function recycledVolume(facts: RunFacts, volume: Volume): Verdict | undefined {
  const state = `is ${volume.status?.phase}`;
  const recycler = facts.get("Pod", "default", `recycler-for-${volume.metadata.name}`);
  if (recycler !== undefined) return whileRecycling(facts, volume, recycler, state);
  const user = claimOf(facts, volume) === undefined ? userOf(facts, volume) : undefined;
  if (user === undefined) return undefined;
  const root = { ref: refOf(user) };
  const headline = `${state}, and is emptied once pod "${user.metadata.name}", which names its claim, is gone or finished`;
  return makeVerdict(volume, "waits-for-you", headline, {
    event: facts.lastEvent(refOf(volume), (e) => e.reason === "VolumeFailedRecycle"),
    root,
    chain: [{ ref: root.ref, text: "names the claim that is gone" }],
    fixes: [{ text: `delete pod "${user.metadata.name}"` }],
  });
}

function whileRecycling(facts: RunFacts, volume: Volume, recycler: Pod, state: string): Verdict {
  const { kind, headline, reason, message, root, chain, fixes } = podVerdict(facts, recycler);
  const link = { ref: refOf(recycler), text: headline };
  if (isGood({ kind }))
    return makeVerdict(volume, "will-happen", `${state} and being emptied`, { chain: [link] });
  const text = `${state}, and pod "${keyOf(recycler)}", which is to empty it, ${headline}`;
  return makeVerdict(volume, kind, text, {
    reason,
    message,
    root,
    chain: [link, ...chain.slice(1)],
    fixes,
  });
}

/** A pod that still names the volume's claim. Upstream: pv_controller.go recycleVolumeOperation, findPodsByPVCKey. */
function userOf(facts: RunFacts, volume: Volume): Pod | undefined {
  return podsNaming(facts, claimKeyOf(volume) ?? "").find((pod) => !isPodTerminated(pod));
}
