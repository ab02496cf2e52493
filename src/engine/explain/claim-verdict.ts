/** Why a claim has the volume it has, or none. Reads the events and decisions of persistentvolume-binder and provisioner. */
import { type KubeObject, keyOf, makeRef, refOf } from "../api/meta.ts";
import { effectiveClassName } from "../api/storage-class-name.ts";
import { annotation, hasAnnotation } from "../matching/annotations.ts";
import { hasClaimUid } from "../matching/claim-reference.ts";
import type { Candidate, Decision } from "../trace/decision.ts";
import type { EventEntry } from "../trace/trace.ts";
import { boundClaimVerdict } from "./bound-claim-verdict.ts";
import { chooseClass } from "./class-fixes.ts";
import { claimFixes, mismatchFixes, nearMissFixes } from "./fixes.ts";
import { makeVerdict } from "./make-verdict.ts";
import { podsUsing } from "./pods-using.ts";
import { type RefusedField, refusedField } from "./refused-claim.ts";
import { releasedVerdict } from "./released-volume.ts";
import type { RunFacts } from "./run-facts.ts";
import { snapshotVerdict } from "./snapshot-verdict.ts";
import { unscheduledPodVerdict } from "./unscheduled-pod.ts";
import type { Fix, Place, Verdict } from "./verdict.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** The binder's events by source; every other source about a claim is a provisioner or resizer. */
const binder = "persistentvolume-controller";

export function claimVerdict(facts: RunFacts, claim: Claim): Verdict {
  if (claim.metadata.deletionTimestamp !== undefined) return deletedClaim(facts, claim);
  switch (claim.status?.phase) {
    case "Bound":
      return boundClaimVerdict(facts, claim);
    case "Lost":
      return lostClaim(facts, claim);
    default:
      return pendingClaim(facts, claim);
  }
}

function deletedClaim(facts: RunFacts, claim: Claim): Verdict {
  const pods = podsUsing(facts, claim);
  if (pods.length === 0) return leavingClaim(facts, claim);
  const names = pods.map((pod) => pod.metadata.name).join(", ");
  return makeVerdict(
    claim,
    "waits-for-you",
    `is being deleted, but stays until no pod uses it: ${names}`,
    {
      chain: pods.map((pod) => ({ ref: refOf(pod), text: "uses the claim" })),
      fixes: [{ text: `delete ${names}` }],
    },
  );
}

const snapshotSource = "snapshot.storage.kubernetes.io/pvc-as-source-protection";

/** No pod holds it any more; a snapshot that is being taken of it, or somebody's finalizer may. */
function leavingClaim(facts: RunFacts, claim: Claim): Verdict {
  const held = (claim.metadata.finalizers ?? []).filter(
    (f) => f !== "kubernetes.io/pvc-protection",
  );
  if (held.length === 0) return makeVerdict(claim, "will-happen", "is being deleted");
  const { namespace, name } = claim.metadata;
  const snapshot = facts
    .list("VolumeSnapshot")
    .find(
      (s) =>
        s.metadata.namespace === namespace &&
        s.spec.source.persistentVolumeClaimName === name &&
        s.status?.readyToUse !== true,
    );
  if (held.includes(snapshotSource) && snapshot !== undefined) {
    const cause = snapshotVerdict(facts, snapshot);
    const text = `is being deleted, but stays until snapshot "${snapshot.metadata.name}" is taken`;
    const { kind, root, chain } = cause;
    return makeVerdict(claim, kind === "healthy" ? "will-happen" : kind, text, { root, chain });
  }
  return makeVerdict(
    claim,
    "waits-for-you",
    `is being deleted, but stays until its finalizers are removed: ${held.join(", ")}`,
    { root: { ref: refOf(claim), field: "metadata.finalizers" } },
  );
}

function lostClaim(facts: RunFacts, claim: Claim): Verdict {
  const event = facts.lastEvent(
    refOf(claim),
    (e) => e.reason === "ClaimLost" || e.reason === "ClaimMisbound",
  );
  return makeVerdict(claim, "stuck", "is Lost: its volume is gone, or belongs to another claim", {
    event,
    root: { ref: refOf(claim), field: "spec.volumeName" },
    fixes: [
      {
        text: "restore the volume with the claim's uid in its claimRef, or delete the claim and make it anew",
      },
    ],
  });
}

function pendingClaim(facts: RunFacts, claim: Claim): Verdict {
  const ref = refOf(claim);
  const event = facts.lastEvent(ref, (e) => e.reason !== "Provisioning");
  if (event === undefined) return silentClaim(facts, claim);
  switch (event.reason) {
    case "VolumeMismatch":
      return makeVerdict(claim, "stuck", `stays Pending: ${lowerFirst(event.message)}`, {
        event,
        root: { ref, field: "spec.volumeName" },
        fixes: mismatchFixes(facts, claim, event.message),
      });
    case "FailedBinding":
      return event.eventType === "Warning"
        ? takenVolume(facts, claim, event)
        : noVolume(facts, claim, event);
    case "WaitForFirstConsumer":
      return waitingForConsumer(facts, claim, event);
    case "WaitForPodScheduled":
      return waitingForPod(facts, claim, event);
    case "ExternalProvisioning":
      return provisioning(facts, claim, event);
    case "ProvisioningFailed":
      return event.source === binder
        ? cannotProvision(facts, claim, event)
        : provisionerFails(facts, claim, event);
    default:
      return makeVerdict(
        claim,
        event.eventType === "Warning" ? "fails" : "will-happen",
        `is Pending: ${lowerFirst(event.message)}`,
        { event },
      );
  }
}

/** No event: the binder says nothing of a claim that names a missing volume. */
function silentClaim(facts: RunFacts, claim: Claim): Verdict {
  const { volumeName } = claim.spec;
  if (volumeName === undefined || volumeName === "")
    return makeVerdict(claim, "will-happen", "is Pending");
  if (facts.get("PersistentVolume", undefined, volumeName) !== undefined)
    return makeVerdict(
      claim,
      "will-happen",
      `is Pending until volume "${volumeName}" is bound to it`,
    );
  return makeVerdict(
    claim,
    "waits-for-you",
    `stays Pending: it names volume "${volumeName}", which does not exist`,
    {
      root: { ref: refOf(claim), field: "spec.volumeName" },
      fixes: [
        {
          text: `make a volume "${volumeName}", or remove spec.volumeName`,
          at: { ref: refOf(claim), field: "spec.volumeName" },
          value: null,
        },
      ],
    },
  );
}

function takenVolume(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const volume = facts.get("PersistentVolume", undefined, claim.spec.volumeName ?? "");
  const owner = volume?.spec.claimRef;
  const other = facts.get("PersistentVolumeClaim", owner?.namespace, owner?.name ?? "");
  const place = { ref: refOf(claim), field: "spec.volumeName" };
  const chain =
    volume === undefined
      ? []
      : [{ ref: refOf(volume), text: `belongs to claim ${owner?.namespace}/${owner?.name}` }];
  if (
    other !== undefined &&
    other.metadata.uid === owner?.uid &&
    other.metadata.uid !== claim.metadata.uid
  ) {
    return makeVerdict(
      claim,
      "depends-on-order",
      `stays Pending: claim ${owner?.namespace}/${owner?.name} got volume "${claim.spec.volumeName}" first`,
      {
        event,
        root: place,
        chain,
        fixes: [{ text: "remove spec.volumeName, or name another volume", at: place, value: null }],
      },
    );
  }
  return makeVerdict(
    claim,
    "stuck",
    `stays Pending: volume "${claim.spec.volumeName}" remembers another claim`,
    {
      event,
      // Reserved by name only: whoever wrote the claim could have known.
      root:
        volume === undefined || !hasClaimUid(volume)
          ? place
          : { ref: refOf(volume), field: "spec.claimRef" },
      chain,
      fixes:
        volume === undefined || !hasClaimUid(volume)
          ? [{ text: "remove spec.volumeName, or name another volume", at: place, value: null }]
          : [
              {
                text: "remove spec.claimRef.uid from the volume, if its data may be reused",
                at: { ref: refOf(volume), field: "spec.claimRef.uid" },
                value: null,
              },
            ],
    },
  );
}

function noVolume(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const decision = facts.lastDecision(refOf(claim), "persistentvolume-binder");
  const named = claim.spec.storageClassName === "";
  const count = decision?.candidateCount ?? 0;
  const volumes =
    count === 0
      ? "there is no volume"
      : count === 1
        ? "the one volume does not fit"
        : `none of ${count} volumes fits`;
  const why = named ? 'class "" is never provisioned' : "the cluster has no default class";
  const taken =
    rivalVerdict(facts, claim, event, `and ${why}`) ??
    releasedVerdict(facts, claim, event, `and ${why}`);
  if (taken !== undefined) return taken;
  return makeVerdict(claim, "stuck", `stays Pending: ${volumes} and ${why}`, {
    event,
    decision,
    root: { ref: refOf(claim), field: named ? "spec.storageClassName" : "spec" },
    fixes: claimFixes(facts, claim, decision),
  });
}

/** Another claim came first to a volume that would have done for this one too, and nobody had reserved it. */
function rivalVerdict(
  facts: RunFacts,
  claim: Claim,
  event: EventEntry,
  why: string,
): Verdict | undefined {
  const decision = facts.lastDecision(refOf(claim), "persistentvolume-binder");
  const taken = decision?.candidates?.find(
    ({ failed }) =>
      failed.some(({ rule }) => rule === "claim-ref") &&
      failed.every(({ rule }) => rule === "claim-ref" || rule === "phase"),
  );
  const volume = facts.get("PersistentVolume", undefined, taken?.ref.split("/")[2] ?? "");
  if (volume === undefined) return undefined;
  const { claimRef } = volume.spec;
  const owner = facts.get("PersistentVolumeClaim", claimRef?.namespace, claimRef?.name ?? "");
  const isFirstCome =
    owner?.metadata.uid === claimRef?.uid &&
    hasAnnotation(volume, annotation.boundByController) &&
    owner !== undefined &&
    hasAnnotation(owner, annotation.boundByController);
  if (!isFirstCome) return undefined;
  const named = claim.spec.storageClassName !== undefined;
  return makeVerdict(
    claim,
    "depends-on-order",
    `stays Pending: claim ${keyOf(owner)} got volume "${volume.metadata.name}" first, ${why}`,
    {
      event,
      decision,
      root: { ref: refOf(claim), field: named ? "spec.storageClassName" : "spec" },
      chain: [{ ref: refOf(volume), text: `belongs to claim ${keyOf(owner)}` }],
      fixes: [
        { text: `make one more volume like "${volume.metadata.name}"` },
        ...claimFixes(facts, claim, decision),
      ],
    },
  );
}

/** A pod that names its node itself is no consumer: the scheduler, which would choose the node for the claim, never sees it. */
function waitingForConsumer(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const pod = podsUsing(facts, claim).find(
    ({ spec, metadata }) => spec.nodeName !== undefined && metadata.deletionTimestamp === undefined,
  );
  const node = pod?.spec.nodeName;
  if (pod === undefined || node === undefined)
    return makeVerdict(claim, "waits-for-you", "waits for a pod that uses it; none does", {
      event,
      fixes: [{ text: "make a pod that mounts the claim" }],
    });
  const at = { ref: refOf(pod), field: "spec.nodeName" };
  return makeVerdict(
    claim,
    "stuck",
    `stays Pending: pod "${pod.metadata.name}" names its node, so that no scheduler chooses one for the claim`,
    {
      event,
      root: at,
      chain: [{ ref: refOf(pod), text: `names node ${node}` }],
      fixes: [
        {
          text: `choose the node by spec.nodeSelector kubernetes.io/hostname: ${node} instead`,
          at,
        },
      ],
    },
  );
}

function waitingForPod(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const pod = podsUsing(facts, claim).find((p) => p.spec.nodeName === undefined);
  const cause = pod === undefined ? undefined : unscheduledPodVerdict(facts, pod, claimVerdict);
  if (pod === undefined || cause === undefined)
    return makeVerdict(claim, "will-happen", "is Pending until its pod is scheduled", { event });
  return makeVerdict(
    claim,
    cause.kind,
    `stays Pending: pod "${pod.metadata.name}" cannot be scheduled`,
    {
      event,
      root: cause.root,
      chain: cause.chain,
      decision: facts.lastDecision(refOf(pod), "kube-scheduler"),
      fixes: cause.fixes,
    },
  );
}

function provisioning(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const className = effectiveClassName(claim);
  const storageClass = facts.get("StorageClass", undefined, className);
  const provisioner = storageClass?.provisioner ?? "";
  const started = facts.lastEvent(refOf(claim), (e) => e.reason === "Provisioning");
  const failed = facts.lastEvent(
    refOf(claim),
    (e) => e.reason === "ProvisioningFailed" && e.source !== binder,
  );
  // The binder goes on to say that it waits.
  if (facts.isStopped(provisioner)) {
    const headline = `stays Pending: the controller of ${provisioner} is down`;
    const ref = makeRef("StorageClass", undefined, className);
    return makeVerdict(claim, "waits-for-you", headline, {
      event,
      chain: [{ ref, text: `names the provisioner "${provisioner}"` }],
    });
  }
  if (failed !== undefined && failed.seq > (started?.seq ?? -1))
    return provisionerFails(facts, claim, failed);
  if (started !== undefined)
    return makeVerdict(claim, "will-happen", `is Pending while ${provisioner} makes its volume`, {
      event,
    });
  const place = { ref: makeRef("StorageClass", undefined, className), field: "provisioner" };
  return makeVerdict(
    claim,
    "stuck",
    `stays Pending: nobody in this cluster runs the provisioner "${provisioner}"`,
    {
      event,
      root: storageClass === undefined ? { ref: refOf(claim) } : place,
      chain:
        storageClass === undefined
          ? []
          : [{ ref: place.ref, text: `names the provisioner "${provisioner}"` }],
      fixes: [
        { text: `install the driver "${provisioner}", or use a class whose driver runs` },
        ...chooseClass(claim, facts.list("StorageClass")),
      ],
    },
  );
}

/** The binder itself refuses: no such class, or a class that cannot provision. */
function cannotProvision(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const className = effectiveClassName(claim);
  const decision = facts.lastDecision(refOf(claim), "persistentvolume-binder");
  const place = { ref: refOf(claim), field: "spec.storageClassName" };
  const storageClass = facts.get("StorageClass", undefined, className);
  const why =
    storageClass === undefined
      ? `and class "${className}" does not exist to make another`
      : `and class "${className}" cannot make another`;
  const taken = rivalVerdict(facts, claim, event, why) ?? releasedVerdict(facts, claim, event, why);
  if (taken !== undefined) return taken;
  if (storageClass === undefined) {
    const volumes = ofSameClass(decision);
    const nearest = volumes.find(({ failed }) => failed.length === 1)?.failed[0];
    const headline =
      volumes.length === 0
        ? `class "${className}" does not exist`
        : `no volume of class "${className}" fits, and the class does not exist to make one`;
    return makeVerdict(claim, "stuck", `stays Pending: ${headline}`, {
      event,
      decision,
      root: { ref: place.ref, field: nearest?.wantedField ?? place.field },
      fixes: [
        ...nearMissFixes(claim, volumes),
        ...chooseClass(claim, facts.list("StorageClass")),
        { text: `make a StorageClass "${className}"` },
      ],
    });
  }
  return makeVerdict(
    claim,
    "stuck",
    `stays Pending: no volume fits, and class "${className}" cannot make one`,
    {
      event,
      decision,
      root: { ref: refOf(storageClass), field: "provisioner" },
      chain: [{ ref: refOf(storageClass), text: `has provisioner "${storageClass.provisioner}"` }],
      fixes: claimFixes(facts, claim, decision),
    },
  );
}

/** Volumes that fail for another reason than their class; who names a class that is none means them. */
function ofSameClass(decision: Decision | undefined): readonly Candidate[] {
  return (decision?.candidates ?? []).filter(
    ({ failed }) => !failed.some(({ rule }) => rule === "storage-class"),
  );
}

function provisionerFails(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const className = effectiveClassName(claim);
  const ref = makeRef("StorageClass", undefined, className);
  const decision = facts.lastDecision(refOf(claim), "external-provisioner");
  const refused = refusedField(claim, event.message);
  const at = { ref: refOf(claim), field: refused?.field ?? "" };
  const compared = facts.lastComparison(refOf(claim));
  return makeVerdict(
    claim,
    refused?.isFinal === true ? "stuck" : "fails",
    `stays Pending: ${event.source} cannot make its volume${refused?.why === undefined ? "" : `: ${refused.why}`}`,
    {
      event,
      withinMs: facts.untilDue(decision ?? facts.lastDecision(refOf(claim), "path-provisioner")),
      ...(refused !== undefined && { root: at }),
      chain: facts.objects.has(ref) ? [{ ref, text: "is its class" }] : [],
      fixes: [
        ...(refused === undefined ? [] : [refusedFix(refused, at)]),
        ...nearMissFixes(claim, compared?.candidates ?? []),
      ],
    },
  );
}

function refusedFix({ fix: text, value }: RefusedField, at: Place): Fix {
  return value === undefined ? { text, at } : { text, at, value };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
