/** Why a claim has the volume it has, or none. Reads the events and decisions of persistentvolume-binder and provisioner. */
import { type KubeObject, keyOf, makeRef, refOf } from "../api/meta.ts";
import { effectiveClassName } from "../api/storage-class-name.ts";
import { annotation, hasAnnotation } from "../matching/annotations.ts";
import { hasClaimUid } from "../matching/claim-reference.ts";
import type { EventEntry } from "../trace/trace.ts";
import { boundClaimVerdict } from "./bound-claim-verdict.ts";
import { claimFixes, mismatchFixes } from "./fixes.ts";
import { makeVerdict } from "./make-verdict.ts";
import { podsUsing } from "./pods-using.ts";
import type { RunFacts } from "./run-facts.ts";
import { snapshotVerdict } from "./snapshot-verdict.ts";
import { unscheduledPodVerdict } from "./unscheduled-pod.ts";
import type { Fix, Verdict } from "./verdict.ts";

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
      return makeVerdict(claim, "waits-for-you", "waits for a pod that uses it; none does", {
        event,
        fixes: [{ text: "make a pod that mounts the claim" }],
      });
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
        fixes: [{ text: "name another volume, or none", at: place, value: null }],
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
          ? [{ text: "name another volume, or none", at: place, value: null }]
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
  const rival = rivalVerdict(facts, claim, event, `and ${why}`);
  if (rival !== undefined) return rival;
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
        ...classFixes(facts, claim),
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
  if (storageClass === undefined) {
    return makeVerdict(claim, "stuck", `stays Pending: class "${className}" does not exist`, {
      event,
      decision,
      root: place,
      fixes: [...classFixes(facts, claim), { text: `make a StorageClass "${className}"` }],
    });
  }
  const rival = rivalVerdict(facts, claim, event, `and class "${className}" cannot make another`);
  if (rival !== undefined) return rival;
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

function provisionerFails(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const className = effectiveClassName(claim);
  const ref = makeRef("StorageClass", undefined, className);
  const decision = facts.lastDecision(refOf(claim), "external-provisioner");
  const refused = refusedFields.find(({ says }) => says.test(event.message));
  const at = { ref: refOf(claim), field: refused?.field ?? "" };
  return makeVerdict(
    claim,
    refused?.isFinal === true ? "stuck" : "fails",
    `stays Pending: ${event.source} cannot make its volume`,
    {
      event,
      withinMs: facts.untilDue(decision ?? facts.lastDecision(refOf(claim), "path-provisioner")),
      ...(refused !== undefined && { root: at }),
      chain: facts.objects.has(ref) ? [{ ref, text: "is its class" }] : [],
      fixes: refused === undefined ? [] : [{ text: refused.fix, at }],
    },
  );
}

/** What provisioners that are no CSI drivers say of a claim's fields; one of them is said once and not tried again. */
const refusedFields: readonly {
  readonly says: RegExp;
  readonly field: string;
  readonly isFinal?: boolean;
  readonly fix: string;
}[] = [
  {
    says: /claim(\.Spec\.| )Selector is not supported/,
    field: "spec.selector",
    fix: "leave out spec.selector: it chooses among volumes that exist",
  },
  {
    says: /NodePath only supports ReadWriteOnce/,
    field: "spec.accessModes",
    fix: "ask for ReadWriteOnce only, or use a class whose volumes can be shared",
  },
  {
    says: /does not support block volume provisioning$/,
    field: "spec.volumeMode",
    isFinal: true,
    fix: "make the claim again as Filesystem, or use a class that makes block volumes",
  },
];

function classFixes(facts: RunFacts, claim: Claim): readonly Fix[] {
  const at = { ref: refOf(claim), field: "spec.storageClassName" };
  return facts
    .list("StorageClass")
    .map((c) => c.metadata.name)
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => ({ text: `set spec.storageClassName to "${name}"`, at, value: name }));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
