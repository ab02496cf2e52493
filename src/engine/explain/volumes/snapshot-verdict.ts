/** Whether a snapshot can be restored from. */

import { type KubeObject, makeRef, refOf } from "../../api/meta.ts";
import { knownDriver } from "../../csi/catalogue/catalogue.ts";
import { hasAnnotation } from "../../matching/annotations.ts";
import {
  type Content,
  isDefaultFor,
  type Snapshot,
  snapshotAnnotation,
} from "../../matching/snapshots.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { comesOfItself } from "../claims/awaited-source.ts";
import { claimsToMakeFrom } from "../claims/claims-made-from.ts";
import type { JudgeClaim } from "../claims/judge-claim.ts";
import { wordsOf } from "../driver-words.ts";
import { unlessKept } from "../kept-by-finalizers.ts";
import { makeVerdict, type VerdictParts } from "../make-verdict.ts";
import { absenceText } from "../refused-object.ts";
import type { RunFacts } from "../run-facts.ts";
import type { SecretWithoutKey } from "../secret-without-key.ts";
import { downText, startAgain } from "../stopped-driver.ts";
import { isGood, type Link, type Verdict } from "../verdict.ts";
import { driverOf } from "./bound-pair.ts";
import { wrongSnapshotSecret } from "./snapshot-secret.ts";

/** Judges the claim that a snapshot is taken of or is restored to; undefined if that claim must not be judged here. */
type JudgeNeighbor = (...of: Parameters<JudgeClaim>) => Verdict | undefined;

export function snapshotVerdict(
  facts: RunFacts,
  snapshot: Snapshot,
  judge: JudgeNeighbor,
): Verdict {
  const ref = refOf(snapshot);
  const { persistentVolumeClaimName: claim } = snapshot.spec.source;
  const chain =
    claim === undefined
      ? namedContent(facts, snapshot)
      : [
          {
            ref: makeRef("PersistentVolumeClaim", snapshot.metadata.namespace, claim),
            text: "is its source",
          },
        ];
  if (snapshot.metadata.deletionTimestamp !== undefined)
    return unlessKept(snapshot, deletedSnapshot(facts, snapshot, judge), isOfSnapshots);
  if (snapshot.status?.readyToUse === true)
    return makeVerdict(
      snapshot,
      "healthy",
      `is ready to use${snapshot.status.restoreSize === undefined ? "" : `, ${snapshot.status.restoreSize}`}`,
      { chain },
    );
  const ofContent = failingContent(facts, snapshot, chain);
  if (ofContent !== undefined) return ofContent;
  const untaken = unheardContent(facts, snapshot);
  if (untaken !== undefined && !facts.isFresh(refOf(untaken)))
    return (
      ofOtherDriver(facts, snapshot, untaken, chain) ??
      nobodyVerdict(
        facts,
        snapshot,
        untaken,
        "cannot be taken",
        "delete the snapshot and copy what the volume holds instead",
      )
    );
  const event = facts.lastEvent(ref, (e) => e.eventType === "Warning");
  const message = snapshot.status?.error?.message;
  // Errors from before the content was made are out of date.
  if (untaken === undefined && (event !== undefined || message !== undefined))
    return failingSnapshot(facts, snapshot, { event, message, chain }, judge);
  return makeVerdict(snapshot, "will-happen", "is being taken", { chain });
}

/** Blames a class of another driver than the volume's: that driver does not know the volume, and the volume's is not asked. */
function ofOtherDriver(
  facts: RunFacts,
  snapshot: Snapshot,
  content: Content,
  chain: readonly Link[],
): Verdict | undefined {
  const claim = sourceOf(facts, snapshot);
  const driver = claim && driverOf(facts, claim);
  const { driver: asked, volumeSnapshotClassName: name } = content.spec;
  if (driver === undefined || driver === asked || name === undefined) return undefined;
  const at = { ref: refOf(snapshot), field: "spec.volumeSnapshotClassName" };
  const headline = `cannot be taken: class "${name}" is for ${asked}, and the volume is of ${driver}`;
  return makeVerdict(snapshot, "stuck", headline, {
    root: at,
    chain: [
      ...chain,
      { ref: makeRef("VolumeSnapshotClass", undefined, name), text: "is its class" },
    ],
    fixes: [{ text: `name a VolumeSnapshotClass of ${driver} (recreate the snapshot)`, at }],
  });
}

/** The error in the content's status, from driver or sidecar: it is newer than any error from before the content was made. */
function failingContent(
  facts: RunFacts,
  snapshot: Snapshot,
  chain: readonly Link[],
): Verdict | undefined {
  const isMadeByHand = snapshot.spec.source.volumeSnapshotContentName !== undefined;
  const content = isMadeByHand ? undefined : contentOf(facts, snapshot);
  const message = content?.status?.error?.message;
  if (content === undefined || message === undefined) return undefined;
  const event = facts.lastEvent(refOf(content), (e) => e.message === message);
  const said = { event, message };
  const wrong =
    wrongParameters(facts, snapshot, message) ??
    wrongSnapshotSecret(facts, content, "CreateSnapshot", message);
  if (wrong === undefined)
    return makeVerdict(snapshot, "fails", "cannot be taken", {
      ...said,
      root: { ref: refOf(snapshot), field: "spec" },
      chain,
    });
  return blaming(snapshot, wrong, { ...said, chain });
}

function blaming(
  snapshot: Snapshot,
  { root, link, fixes, why }: SecretWithoutKey,
  said: VerdictParts & { readonly chain: readonly Link[] },
): Verdict {
  return makeVerdict(snapshot, "fails", `cannot be taken: ${why}`, {
    ...said,
    root,
    chain: [...said.chain, link],
    fixes,
  });
}

/** The sidecars' messages about those parameters of a class that are for the sidecars. */
const ofParameters =
  /template from params: |CSI Parameters of prefixed keys: |is not a valid (namespace|secret) name"?$/;

function wrongParameters(
  facts: RunFacts,
  { spec }: Snapshot,
  message: string,
): SecretWithoutKey | undefined {
  const named = facts.get("VolumeSnapshotClass", undefined, spec.volumeSnapshotClassName ?? "");
  if (named === undefined) return undefined;
  if (!ofParameters.test(message) && !refusesParameters(named.driver, message)) return undefined;
  const root = { ref: refOf(named), field: "parameters" };
  return {
    root,
    link: { ref: root.ref, text: "is its class" },
    fixes: [{ text: "correct the parameters of the class", at: root }],
    why: "the parameters of its class are wrong",
  };
}

/** True if the driver refuses a class's parameters with this message, in which the driver's text is quoted. */
function refusesParameters(driver: string, message: string): boolean {
  const said = message.replace(/"$/, "").replaceAll('\\"', '"');
  const refusals = knownDriver(driver)?.traits.snapshotRefusals ?? [];
  return refusals.some(({ text }) => wordsOf(text).test(said));
}

/** `said` holds the last error, and the chain to the snapshot's claim or content. */
function failingSnapshot(
  facts: RunFacts,
  snapshot: Snapshot,
  said: VerdictParts & { readonly chain: readonly Link[] },
  judge: JudgeNeighbor,
): Verdict {
  const ref = refOf(snapshot);
  const { persistentVolumeClaimName: claim, volumeSnapshotContentName: named } =
    snapshot.spec.source;
  if (named !== undefined) {
    const root = { ref, field: "spec.source.volumeSnapshotContentName" };
    const headline = `cannot be bound to content "${named}"`;
    return makeVerdict(snapshot, "fails", headline, { ...said, root });
  }
  if (said.chain.some((link) => !facts.objects.has(link.ref))) {
    const at = { ref, field: "spec.source.persistentVolumeClaimName" };
    const text = `create claim "${claim}" first, or correct the name (recreate the snapshot)`;
    return makeVerdict(snapshot, "fails", `cannot be taken: its claim "${claim}" does not exist`, {
      ...said,
      root: at,
      chain: said.chain.map((link) => ({ ...link, text: "does not exist" })),
      fixes: [{ text, at }],
    });
  }
  const found = classByNow(facts, snapshot, said.event);
  if (found !== undefined) {
    const headline = `is taken when the snapshot-controller tries again: it did not find class "${found}" yet`;
    return makeVerdict(snapshot, "will-happen", headline, said);
  }
  const wrong = wrongParameters(facts, snapshot, said.event?.message ?? said.message ?? "");
  if (wrong !== undefined) return blaming(snapshot, wrong, said);
  const isTooEarly = lacksClaim.test(said.event?.message ?? said.message ?? "");
  const source = isTooEarly ? sourceOf(facts, snapshot) : undefined;
  if (source !== undefined && comesOfItself(facts, source, judge))
    return makeVerdict(snapshot, "will-happen", `is taken once claim "${claim}" is bound`, said);
  const root = source === undefined ? { ref, field: "spec" } : { ref: refOf(source) };
  return makeVerdict(snapshot, "fails", "cannot be taken", { ...said, root });
}

/** The class that the event says was missing, if it exists by now; undefined if it does not, or is for another driver. */
function classByNow(
  facts: RunFacts,
  snapshot: Snapshot,
  event: EventEntry | undefined,
): string | undefined {
  const claim = sourceOf(facts, snapshot);
  const driver = claim && driverOf(facts, claim);
  const { volumeSnapshotClassName: named = "" } = snapshot.spec;
  if (driver === undefined) return undefined;
  if (event?.reason === "GetSnapshotClassFailed") {
    const found = facts.get("VolumeSnapshotClass", undefined, named);
    return found?.driver === driver ? named : undefined;
  }
  if (event?.reason !== "SetDefaultSnapshotClassFailed") return undefined;
  const [found, ...others] = facts
    .list("VolumeSnapshotClass")
    .filter((snapshotClass) => isDefaultFor(driver, snapshotClass));
  return others.length === 0 ? found?.metadata.name : undefined;
}

/**
 * Messages about a claim that is not bound, whose cause is then the snapshot's too, or about a missing one, which may exist by
 * now. Upstream: snapshot-controller, getVolumeFromVolumeSnapshot, getClaimFromVolumeSnapshot.
 */
const lacksClaim =
  /\bthe PVC \S+ is not yet bound to a PV, |failed to retrieve PVC \S+ from the lister: |cannot get claim from snapshot$/;

function sourceOf(
  facts: RunFacts,
  { metadata, spec }: Snapshot,
): KubeObject<"PersistentVolumeClaim"> | undefined {
  const { persistentVolumeClaimName: name = "" } = spec.source;
  return facts.get("PersistentVolumeClaim", metadata.namespace, name);
}

/** The content that a pre-provisioned snapshot names, and whether that content names the snapshot; empty if it names none. */
function namedContent(facts: RunFacts, { metadata, spec }: Snapshot): readonly Link[] {
  const name = spec.source.volumeSnapshotContentName;
  if (name === undefined) return [];
  const ref = makeRef("VolumeSnapshotContent", undefined, name);
  const meant = facts.get("VolumeSnapshotContent", undefined, name)?.spec.volumeSnapshotRef;
  if (meant === undefined) return [{ ref, text: absenceText(facts, ref) }];
  const isThis = meant.name === metadata.name && meant.namespace === metadata.namespace;
  return [
    { ref, text: isThis ? "is its content" : `names snapshot ${meant.namespace}/${meant.name}` },
  ];
}

function contentOf(facts: RunFacts, snapshot: Snapshot): Content | undefined {
  const name = snapshot.status?.boundVolumeSnapshotContentName ?? "";
  return facts.get("VolumeSnapshotContent", undefined, name);
}

/** The content, if no snapshotter has begun to work on it. */
function unheardContent(facts: RunFacts, snapshot: Snapshot): Content | undefined {
  const content = contentOf(facts, snapshot);
  if (content?.status !== undefined) return undefined;
  const isMarked = content !== undefined && hasAnnotation(content, snapshotAnnotation.beingCreated);
  return isMarked ? undefined : content;
}

function nobodyVerdict(
  facts: RunFacts,
  snapshot: Snapshot,
  content: Content,
  headline: string,
  byHand: string,
): Verdict {
  const { driver } = content.spec;
  const root = { ref: refOf(content), field: "spec.driver" };
  const chain = [{ ref: refOf(content), text: `is left to ${driver}` }];
  return facts.isStopped(driver)
    ? makeVerdict(snapshot, "waits-for-you", `${headline}: ${downText(driver)}`, {
        chain,
        fixes: startAgain(driver),
      })
    : makeVerdict(
        snapshot,
        "stuck",
        `${headline}: nothing in this cluster takes snapshots of ${driver}`,
        {
          root,
          chain,
          fixes: [
            {
              text: `run the controller of ${driver} with an external-snapshotter, or ${byHand}`,
            },
          ],
        },
      );
}

/** True for finalizers that the snapshot controller, or a provisioner that restores from the snapshot, removes. */
function isOfSnapshots(name: string): boolean {
  return /^(snapshot|provisioner)\.storage\.kubernetes\.io\//.test(name);
}

function deletedSnapshot(facts: RunFacts, snapshot: Snapshot, judge: JudgeNeighbor): Verdict {
  const ref = refOf(snapshot);
  const content = contentOf(facts, snapshot);
  const claims = claimsToMakeFrom(facts, ref);
  const pending = facts.lastEvent(ref, (e) => e.reason === "SnapshotDeletePending");
  if (pending !== undefined && claims.length > 0) {
    const headline =
      "is being deleted, but stays until the claim that is restored from it is bound";
    const restored = claims.map((c) => judge(facts, c)).find((v) => v !== undefined && !isGood(v));
    return restored === undefined
      ? makeVerdict(snapshot, "will-happen", headline, { event: pending })
      : makeVerdict(snapshot, restored.kind, headline, {
          event: pending,
          root: restored.root,
          chain: [{ ref: restored.ref, text: restored.headline }, ...restored.chain],
          fixes: restored.fixes,
        });
  }
  const event =
    content === undefined
      ? undefined
      : facts.lastEvent(refOf(content), (e) => e.reason === "SnapshotDeleteError");
  if (event !== undefined && content !== undefined) {
    return undeletedSnapshot(facts, snapshot, content, event);
  }
  const unheard = unheardContent(facts, snapshot);
  if (unheard !== undefined)
    return nobodyVerdict(
      facts,
      snapshot,
      unheard,
      "cannot be deleted",
      "delete it in its storage and take the finalizers from it and its content",
    );
  return makeVerdict(snapshot, "will-happen", "is being deleted");
}

function undeletedSnapshot(
  facts: RunFacts,
  snapshot: Snapshot,
  content: Content,
  event: EventEntry,
): Verdict {
  const headline = "is being deleted, but its driver cannot delete it";
  const { text = event.message } = facts.lastDecision(refOf(content), "csi-snapshotter") ?? {};
  const wrong = wrongSnapshotSecret(facts, content, "DeleteSnapshot", text);
  if (wrong === undefined) {
    const chain = [{ ref: refOf(content), text: "is its content" }];
    return makeVerdict(snapshot, "fails", headline, { event, chain });
  }
  const { root, link, fixes, why } = wrong;
  return makeVerdict(snapshot, "fails", `${headline}: ${why}`, {
    event,
    root,
    chain: [link],
    fixes,
  });
}
