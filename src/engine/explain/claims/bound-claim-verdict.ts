/** Whether a bound claim has what it requests: an expansion or a change of VolumeAttributesClass may be in progress. */
import { grantedStorage, requestedStorage } from "../../api/claim-size.ts";
import { type KubeObject, makeRef, refOf } from "../../api/meta.ts";
import { compareQuantityTexts } from "../../api/quantity.ts";
import { makeVerdict } from "../make-verdict.ts";
import type { RunFacts } from "../run-facts.ts";
import { downText, startAgain } from "../stopped-driver.ts";
import type { Place, Verdict } from "../verdict.ts";
import { driverOf, volumeLink, volumeOf } from "../volumes/bound-pair.ts";
import type { JudgeClaim } from "./judge-claim.ts";
import { growsOnNode } from "./node-growth.ts";
import { refusedGrowth } from "./refused-secret.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** `judge` is for other claims that hold up a pod which has to mount this one. */
export function boundClaimVerdict(facts: RunFacts, claim: Claim, judge: JudgeClaim): Verdict {
  return (
    growthVerdict(facts, claim, judge) ??
    modificationVerdict(facts, claim) ??
    healthyClaim(facts, claim)
  );
}

function healthyClaim(facts: RunFacts, claim: Claim): Verdict {
  const volume = claim.spec.volumeName ?? "";
  const size = grantedStorage(claim);
  const link = volumeLink(claim);
  const decision = facts.lastComparison(refOf(claim));
  return makeVerdict(
    claim,
    "healthy",
    `is bound to volume "${volume}"${size === undefined ? "" : ` of ${size}`}`,
    { chain: [link], decision: decision?.chosen === link.ref ? decision : undefined },
  );
}

function isDriverStopped(facts: RunFacts, claim: Claim): boolean {
  return facts.isStopped(driverOf(facts, claim) ?? "");
}

const growthEnds: ReadonlySet<string> = new Set([
  "VolumeResizeFailed",
  "FileSystemResizeFailed",
  "FileSystemResizeRequired",
  "FileSystemResizeSuccessful",
  "VolumeResizeSuccessful",
]);

/** The verdict on an expansion; undefined if the claim has the size it requests, or its status has no size. */
function growthVerdict(facts: RunFacts, claim: Claim, judge: JudgeClaim): Verdict | undefined {
  const wanted = requestedStorage(claim);
  const size = grantedStorage(claim);
  if (wanted === undefined || size === undefined) return undefined;
  if (compareQuantityTexts(wanted, size) <= 0) return undefined;
  const ref = refOf(claim);
  const root = { ref, field: "spec.resources.requests.storage" };
  const chain = [volumeLink(claim)];
  const conditions = claim.status?.conditions ?? [];
  const error = conditions.find(
    ({ type }) => type === "ControllerResizeError" || type === "NodeResizeError",
  );
  const event = facts.lastEvent(ref, (e) => growthEnds.has(e.reason));
  const isForNode = conditions.some(
    ({ type }) => type === "FileSystemResizePending" || type === "NodeResizeError",
  );
  if (isDriverStopped(facts, claim) && !isForNode) {
    return nobodyVerdict(facts, claim, `stays at ${size} instead of ${wanted}`, "resizes", root);
  }
  // The kubelet's events about a failure are the pod's: the claim's own last event may be good news.
  const warning = event?.eventType === "Warning" ? event : undefined;
  if (error !== undefined || warning !== undefined) {
    const decision = facts.lastDecision(ref, "external-resizer");
    const told = warning?.message ?? error?.message ?? "";
    const ofSecret = refusedGrowth(facts, volumeOf(facts, claim), told);
    const why = ofSecret === undefined ? "" : `: ${ofSecret.why}`;
    return makeVerdict(claim, "fails", `is ${size}, and cannot grow to ${wanted}${why}`, {
      event: warning,
      reason: error?.type,
      message: error?.message,
      withinMs: facts.untilDue(decision),
      root: ofSecret?.root ?? root,
      chain: ofSecret === undefined ? chain : [...chain, ofSecret.link],
      fixes: ofSecret?.fixes,
    });
  }
  if (conditions.some(({ type }) => type === "FileSystemResizePending")) {
    return growsOnNode(facts, claim, wanted, event, judge);
  }
  if (conditions.some(({ type }) => type === "Resizing")) {
    return makeVerdict(claim, "will-happen", `is growing from ${size} to ${wanted}`, { chain });
  }
  const seen = facts.lastDecision(ref, "external-resizer");
  if (seen?.reason === "AwaitsResync") {
    const headline = `grows from ${size} to ${wanted} at the resizer's next look at all claims`;
    return makeVerdict(claim, "will-happen", headline, { chain, withinMs: facts.untilDue(seen) });
  }
  return nobodyVerdict(facts, claim, `stays at ${size} instead of ${wanted}`, "resizes", root);
}

/** The verdict on a change of attributes; undefined if the volume has those that the claim requests. */
function modificationVerdict(facts: RunFacts, claim: Claim): Verdict | undefined {
  const wanted = claim.spec.volumeAttributesClassName ?? "";
  const { currentVolumeAttributesClassName: current = "", modifyVolumeStatus } = claim.status ?? {};
  if (modifyVolumeStatus === undefined && wanted === current) return undefined;
  const ref = refOf(claim);
  const root = { ref, field: "spec.volumeAttributesClassName" };
  const isPending = modifyVolumeStatus?.status === "Pending";
  // While the requested class is missing, the status names the class that was tried before.
  const target = isPending
    ? wanted
    : (modifyVolumeStatus?.targetVolumeAttributesClassName ?? wanted);
  const chain = [
    volumeLink(claim),
    { ref: makeRef("VolumeAttributesClass", undefined, target), text: "is the class it asks for" },
  ];
  const event = facts.lastEvent(ref, (e) => e.reason === "VolumeModifyFailed");
  const error = claim.status?.conditions?.find(({ type }) => type === "ModifyVolumeError");
  if (isPending) {
    const isThere = facts.get("VolumeAttributesClass", undefined, target) !== undefined;
    const why = isThere ? "did not exist when it was looked for" : "does not exist";
    const again = "remove spec.volumeAttributesClassName and set it again";
    const text = isThere ? again : `create a VolumeAttributesClass "${target}", then ${again}`;
    const headline = `keeps its attributes: class "${target}" ${why}`;
    return makeVerdict(claim, "waits-for-you", headline, {
      event,
      root,
      chain,
      fixes: [{ text: `${text}: nothing looks for the class again on its own`, at: root }],
    });
  }
  const unmodified = `keeps its attributes instead of those of class "${target}"`;
  if (isDriverStopped(facts, claim)) {
    return nobodyVerdict(facts, claim, unmodified, "modifies", root);
  }
  if (error !== undefined || modifyVolumeStatus?.status === "Infeasible") {
    return makeVerdict(claim, "fails", `does not get the attributes of class "${target}"`, {
      event,
      message: error?.message,
      withinMs: facts.untilDue(facts.lastDecision(ref, "external-resizer")),
      root,
      chain,
    });
  }
  if (modifyVolumeStatus !== undefined) {
    return makeVerdict(claim, "will-happen", `is getting the attributes of class "${target}"`, {
      chain,
    });
  }
  return nobodyVerdict(facts, claim, unmodified, "modifies", root);
}

/** The API server accepted the change, but no component has begun with it. */
function nobodyVerdict(
  facts: RunFacts,
  claim: Claim,
  headline: string,
  does: string,
  root: Place,
): Verdict {
  const driver = driverOf(facts, claim);
  const event = facts.lastEvent(refOf(claim), (e) => e.reason === "ExternalExpanding");
  const chain = [volumeLink(claim)];
  if (driver !== undefined && facts.isStopped(driver)) {
    return makeVerdict(claim, "waits-for-you", `${headline}: ${downText(driver)}`, {
      event,
      root,
      chain,
      fixes: startAgain(driver),
    });
  }
  if (driver !== undefined && facts.isFresh(refOf(claim)))
    return makeVerdict(claim, "will-happen", `${headline}, until ${driver} takes it up`, {
      event,
      chain,
    });
  const whose = driver === undefined ? "volumes of this type" : `volumes of ${driver}`;
  const fix =
    driver === undefined
      ? "create a new volume and claim with what is wanted, and copy the data of this one"
      : `run the controller of ${driver} with an external-resizer`;
  return makeVerdict(claim, "stuck", `${headline}: nothing in this cluster ${does} ${whose}`, {
    event,
    root,
    chain,
    fixes: [{ text: fix }],
  });
}
