/** What a pod that has a node still lacks: volumes attached and mounted, containers started. */
import { type KubeObject, nameOfRef, refOf } from "../../api/meta.ts";
import { podCondition } from "../../matching/pod-condition.ts";
import { isPodTerminated } from "../../matching/pod-state.ts";
import type { EventEntry } from "../../trace/entry.ts";
import type { JudgeClaim } from "../claims/judge-claim.ts";
import { makeVerdict, type VerdictParts } from "../make-verdict.ts";
import { podsUsingVolume } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import { isGood, type Place, type Verdict } from "../verdict.ts";
import { attachmentVerdict } from "../volumes/attachment-verdict.ts";
import { attachableOf, attachmentsFor, attachmentsOf } from "../volumes/attachments-of.ts";
import { linksToVolumes, volumesOf } from "./decided-volumes.ts";
import {
  containerPlace,
  containerText,
  finishedContainer,
  lastExit,
  waitingStatus,
} from "./ended-container.ts";
import { awaitedImageVolume, isOfImageVolume } from "./image-volume.ts";
import { leavingVolume } from "./leaving-volume.ts";
import { missingEnvironment } from "./missing-environment.ts";
import { hasSinceBound, mountCause, volumeNamedIn } from "./mount-cause.ts";
import { apartFixes, heldVolume } from "./multi-attach.ts";
import { withoutItsTemplate } from "./outdated-pod.ts";
import { sharedDisk } from "./shared-disk.ts";
import { hasSinceBeenMade } from "./since-made.ts";
import { hasSinceRegistered } from "./since-registered.ts";
import { unmadeProbe } from "./unmade-probe.ts";

type Pod = KubeObject<"Pod">;

/** `judge` is for claims that hold up the pod. */
export function startingPod(facts: RunFacts, pod: Pod, node: string, judge: JudgeClaim): Verdict {
  return withoutItsTemplate(facts, pod, placedPod(facts, pod, node, judge));
}

function placedPod(facts: RunFacts, pod: Pod, node: string, judge: JudgeClaim): Verdict {
  return (
    warnedOf(facts, pod, node, judge) ??
    waitingContainer(facts, pod, node) ??
    partlyEnded(pod, node) ??
    gated(pod, node) ??
    unmapped(facts, pod, node) ??
    sharedDisk(facts, pod, node) ??
    unattached(facts, pod, node, judge) ??
    probed(facts, pod, node) ??
    makeVerdict(pod, "will-happen", `is starting on ${node}`)
  );
}

/** A message that only repeats an event before it, which says which image name is invalid and why. */
const saidAlready = "Error: InvalidImageName";

/** Reasons of warnings that keep a pod from starting. */
const blocking: ReadonlySet<string> = new Set([
  "FailedMount",
  "FailedAttachVolume",
  "FailedMapVolume",
  "InspectFailed",
  "Failed",
  "FailedCreatePodSandBox",
  "BackOff",
  "VolumeAttachmentLimitExceeded",
]);

function warnedOf(facts: RunFacts, pod: Pod, node: string, judge: JudgeClaim): Verdict | undefined {
  const warning = facts.lastEvent(
    refOf(pod),
    (told) =>
      told.eventType === "Warning" &&
      (isBlocking(pod, told) || unmadeProbe(pod, told.container, told.message) !== undefined),
  );
  if (warning === undefined || hasSinceAttached(facts, pod, warning)) return undefined;
  if (hasSinceBound(facts, warning.message)) return undefined;
  if (hasSinceRegistered(facts, node, warning.message)) return undefined;
  if (hasSinceBeenMade(facts, pod, warning.message)) return undefined;
  const awaited =
    forcedDetach(facts, pod, node, warning) ?? leavingVolume(facts, pod, node, warning);
  if (awaited !== undefined) return awaited;
  const held = heldVolume(facts, pod, warning.message);
  const state = stateOf(pod, warning.container);
  const { why, ...cause } = mountCause(facts, pod, warning.message, judge);
  const fault = whatFails(pod, warning) + (why === undefined ? "" : `: ${why}`);
  return makeVerdict(pod, "fails", `${state} on ${node}: ${fault}`, {
    event: warning,
    root: placeOf(pod, warning),
    fixes: held && apartFixes(facts, pod, held),
    ...missingEnvironment(facts, pod, warning.container, warning.message),
    ...fixOfProbe(pod, warning),
    ...cause,
  });
}

function isBlocking(pod: Pod, warning: EventEntry): boolean {
  if (isOfImageVolume(warning)) return awaitedImageVolume(pod, warning) !== undefined;
  return blocking.has(warning.reason) && warning.message !== saidAlready;
}

/** What a container that does not run does to its pod: keeps it from starting, or from being ready if it runs already. */
function stateOf(pod: Pod, container: string | undefined): string {
  const isUp = pod.status?.phase === "Running" && container !== undefined;
  return isUp ? "is not ready" : "does not start";
}

function placeOf(pod: Pod, warning: EventEntry): Place {
  const { reason, container } = warning;
  return (
    awaitedImageVolume(pod, warning)?.place ?? placeIn(pod, container, reason === "InspectFailed")
  );
}

function placeIn(pod: Pod, container: string | undefined, isImage: boolean): Place {
  const place = containerPlace(pod, container);
  return isImage && place.field !== undefined ? { ...place, field: `${place.field}.image` } : place;
}

function hasSinceAttached(
  facts: RunFacts,
  pod: Pod,
  { seq, reason, message }: EventEntry,
): boolean {
  if (reason !== "FailedAttachVolume") return false;
  const volume = volumeNamedIn(message);
  return facts
    .events(refOf(pod))
    .some(
      (later) =>
        later.seq > seq &&
        later.reason === "SuccessfulAttachVolume" &&
        volumeNamedIn(later.message) === volume,
    );
}

function fixOfProbe(pod: Pod, { container, message }: EventEntry): VerdictParts {
  const unmade = unmadeProbe(pod, container, message);
  return unmade === undefined ? {} : { root: unmade.root, fixes: unmade.fixes };
}

function whatFails(pod: Pod, warning: EventEntry): string {
  const { reason, message, container } = warning;
  const imageVolume = awaitedImageVolume(pod, warning);
  if (imageVolume !== undefined) return `the image of volume "${imageVolume.name}" cannot be had`;
  const unmade = unmadeProbe(pod, container, message);
  if (unmade !== undefined) return unmade.what;
  const name = volumeNamedIn(message);
  const volume = name === undefined ? "a volume" : `volume "${name}"`;
  switch (reason) {
    case "FailedAttachVolume":
      return `${volume} cannot be attached`;
    case "FailedMount":
      return `${volume} cannot be mounted`;
    case "FailedMapVolume":
      return `${volume} cannot be mapped`;
    default:
      if (container === undefined) return "a container cannot start";
      return message.startsWith("Back-off restarting")
        ? keepsEnding(pod, container)
        : cannotStart(pod, container);
  }
}

function keepsEnding(pod: Pod, container: string): string {
  return `${containerText(pod, container)} keeps exiting${lastExit(pod, container)}`;
}

function cannotStart(pod: Pod, container: string): string {
  return `${containerText(pod, container)} cannot start`;
}

/** The verdict on a running pod with a container that has ended for good: not ready if it failed. Undefined if none has. */
function partlyEnded(pod: Pod, node: string): Verdict | undefined {
  const finished = finishedContainer(pod);
  if (finished === undefined) return undefined;
  const { name, failed } = finished;
  const how = `${containerText(pod, name)} has ended${lastExit(pod, name)}`;
  return failed
    ? makeVerdict(pod, "fails", `is not ready on ${node}: ${how} and is not started again`, {
        root: containerPlace(pod, name),
      })
    : makeVerdict(pod, "healthy", `runs on ${node}, where ${how}`);
}

/**
 * The verdict on a pod whose containers are ready, but not its readiness gates; else undefined.
 * Upstream: pkg/kubelet/status/generate.go GeneratePodReadyCondition v1.36.
 */
function gated(pod: Pod, node: string): Verdict | undefined {
  const gates = (pod.spec.readinessGates ?? []).map(({ conditionType }) => conditionType);
  const shut = gates.filter((type) => podCondition(pod, type)?.status !== "True");
  if (shut.length === 0 || podCondition(pod, "ContainersReady")?.status !== "True")
    return undefined;
  const { reason, message } = podCondition(pod, "Ready") ?? {};
  const at = { ref: refOf(pod), field: "spec.readinessGates" };
  const headline = `runs on ${node}, but is not ready before somebody sets its condition ${shut.join(", ")}`;
  const doing = `leave out ${at.field}`;
  return makeVerdict(pod, "waits-for-you", headline, {
    reason,
    message,
    root: at,
    fixes: [{ text: `run what sets the condition, or ${doing}`, doing, at, value: null }],
  });
}

/** Reads the container's status, as an imported cluster may lack the event. */
function waitingContainer(facts: RunFacts, pod: Pod, node: string): Verdict | undefined {
  const found = waitingStatus(pod);
  if (found === undefined || hasSinceBeenMade(facts, pod, found.message ?? "")) return undefined;
  const { name, reason, message } = found;
  const what = reason === "CrashLoopBackOff" ? keepsEnding(pod, name) : cannotStart(pod, name);
  return makeVerdict(pod, "fails", `${stateOf(pod, name)} on ${node}: ${what}`, {
    reason,
    message,
    root: placeIn(pod, name, reason.includes("Image")),
  });
}

/** The verdict on a pod that only waits for its probes, which are assumed to succeed; else undefined. */
function probed(facts: RunFacts, pod: Pod, node: string): Verdict | undefined {
  const decision = facts.lastDecision(refOf(pod), "kubelet");
  if (decision?.reason !== "WaitsForProbe") return undefined;
  const isUp = pod.status?.phase === "Running";
  const headline = isUp ? `runs on ${node} and is not ready yet` : `is starting on ${node}`;
  const withinMs = facts.untilDue(decision);
  return makeVerdict(pod, "will-happen", headline, { message: decision.text, withinMs });
}

function unmapped(facts: RunFacts, pod: Pod, node: string): Verdict | undefined {
  const decision = facts.lastDecision(refOf(pod), "kubelet");
  if (decision?.reason !== "NoBlockPlugin") return undefined;
  return makeVerdict(pod, "fails", `does not start on ${node}: no plugin maps its raw device`, {
    message: decision.text,
    chain: linksToVolumes(decision, "is of a type that has no raw devices"),
  });
}

function unattached(
  facts: RunFacts,
  pod: Pod,
  node: string,
  judge: JudgeClaim,
): Verdict | undefined {
  const decision = facts.lastDecision(refOf(pod), "kubelet");
  if (decision?.reason !== "WaitForAttach" || pod.status?.phase === "Running") return undefined;
  const message = decision.text;
  const hopeless = hopelessAttachment(facts, pod, node);
  if (hopeless !== undefined)
    return makeVerdict(pod, hopeless.kind, `does not start on ${node}: ${hopeless.headline}`, {
      message,
      root: hopeless.root,
      chain: hopeless.chain.slice(1),
      fixes: hopeless.fixes,
    });
  for (const ref of volumesOf(decision)) {
    const other = userElsewhere(facts, nameOfRef(ref), node);
    if (other === undefined) continue;
    const name = nameOfRef(ref);
    const { nodeName = "" } = other.spec;
    const what = `${name} is on ${nodeName}, and may be attached to one node at a time`;
    const cause = mountCause(facts, pod, `for volume "${name}"`, judge);
    const user = { ref: refOf(other), text: `uses it on ${nodeName}` };
    return makeVerdict(pod, "stuck", `does not start on ${node}: ${what}`, {
      message,
      ...cause,
      chain: [...(cause.chain ?? []), user],
      fixes: [{ text: `end pod "${other.metadata.name}", or have both pods on one node` }],
    });
  }
  return makeVerdict(pod, "will-happen", `waits on ${node} for a volume to be attached`, {
    message,
    chain: linksToVolumes(decision, "is not attached yet"),
  });
}

/** The verdict on the first attachment that the pod needs and that will not be completed by itself; undefined if none. */
function hopelessAttachment(facts: RunFacts, pod: Pod, node: string): Verdict | undefined {
  return attachmentsFor(facts, pod, node)
    .map((attachment) => attachmentVerdict(facts, attachment))
    .find((verdict) => !isGood(verdict));
}

/**
 * The pod that keeps a single-node volume on another node. The attach-detach controller reports it once, to the pods that wait
 * at that time, but not to later ones. Upstream: attachdetach desired_state_of_world.go, SetMultiAttachError.
 */
function userElsewhere(facts: RunFacts, name: string, node: string): Pod | undefined {
  const attachable = attachableOf(facts, name);
  if (attachable === undefined || attachable.isMultiAttachAllowed) return undefined;
  const nodes = attachmentsOf(facts, name).map(({ spec }) => spec.nodeName);
  if (nodes.includes(node)) return undefined;
  return podsUsingVolume(facts, name).find(
    (pod) =>
      nodes.includes(pod.spec.nodeName ?? "") &&
      pod.metadata.deletionTimestamp === undefined &&
      !isPodTerminated(pod),
  );
}

/** The verdict on a pod whose volume will be detached by force from a node that does not answer; else undefined. */
function forcedDetach(
  facts: RunFacts,
  pod: Pod,
  node: string,
  event: EventEntry,
): Verdict | undefined {
  if (event.reason !== "FailedAttachVolume") return undefined;
  const volume = volumeNamedIn(event.message);
  for (const attachment of attachmentsOf(facts, volume ?? "")) {
    const { nodeName } = attachment.spec;
    if (nodeName === node) continue;
    const decision = facts.lastDecision(refOf(attachment), "attachdetach-controller");
    const withinMs = facts.untilDue(decision);
    if (withinMs === undefined) continue;
    return makeVerdict(pod, "will-happen", `waits on ${node} for a volume of ${nodeName}`, {
      event,
      withinMs,
      chain: [{ ref: refOf(attachment), text: "is ended by force" }],
    });
  }
  return undefined;
}
