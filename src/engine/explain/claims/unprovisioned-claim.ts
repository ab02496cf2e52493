/** A claim that has no volume yet, though the binder has asked a provisioner for one. */
import { type ApiError, type KubeObject, makeRef, refOf } from "../../api/meta.ts";
import { classNameField, effectiveClassName } from "../../api/storage-class-name.ts";
import { makesBuckets } from "../../csi/catalogue/bucket-provisioners.ts";
import type { DriverKnowledge } from "../../csi/catalogue/driver-knowledge.ts";
import { isNobody, meantDriver } from "../../csi/catalogue/mistyped-driver.ts";
import { localPathConfigFile } from "../../csi/catalogue/path-provisioners.ts";
import { annotation, annotationOf } from "../../matching/annotations.ts";
import { migratedDriver } from "../../matching/csi-migration.ts";
import type { Decision } from "../../trace/decision.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { makeVerdict } from "../make-verdict.ts";
import type { RunFacts } from "../run-facts.ts";
import { downText, startAgain } from "../stopped-driver.ts";
import type { Fix, Link, Place, Verdict } from "../verdict.ts";
import type { JudgeSource } from "./awaited-source.ts";
import { hasLateVolume } from "./binder-resync.ts";
import { chooseClass } from "./class-fixes.ts";
import { provisionerFails } from "./failed-provisioning.ts";
import { pathConfigOf } from "./refused-by-local-path.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** The source of the binder's events; all other events about claims are from provisioners or resizers. */
export const binderSource = "persistentvolume-controller";

/** `event` is the binder's, which says that it has asked for a volume. */
export function provisioning(
  facts: RunFacts,
  claim: Claim,
  event: EventEntry,
  judge: JudgeSource,
): Verdict {
  const ref = refOf(claim);
  const storageClass = facts.get("StorageClass", undefined, effectiveClassName(claim));
  const provisioner = provisionerOf(storageClass);
  const idle = idleProvisioner(facts, claim, event);
  if (idle !== undefined) return idle;
  const started = facts.lastEvent(ref, (e) => e.reason === "Provisioning");
  const failed = facts.lastEvent(
    ref,
    (e) => e.reason === "ProvisioningFailed" && e.source !== binderSource,
  );
  // The last events of a repeated failure may be missing, as events about an object are rate-limited: decisions are not.
  const decided = facts.lastDecisionEntry(ref, "external-provisioner");
  const endedAt = decided?.decision.reason === "ProvisioningFailed" ? decided.seq : -1;
  if (failed !== undefined && Math.max(failed.seq, endedAt) > (started?.seq ?? -1))
    return provisionerFails(facts, claim, failed, judge);
  const refusal = refusedVolume(facts, decided?.decision);
  if (refusal !== undefined) {
    const headline = `stays Pending: the API server refuses the volume that ${provisioner} made for it`;
    const { reason, message } = refusal;
    return makeVerdict(claim, "fails", headline, { reason, message });
  }
  const soon = (headline: string): Verdict =>
    makeVerdict(claim, "will-happen", headline, { event });
  if (started !== undefined) return soon(`is Pending while ${provisioner} makes its volume`);
  if (facts.isFresh(ref)) return soon(`is Pending until ${provisioner} takes it up`);
  if (hasLateVolume(facts, claim, event.at)) return soon("is Pending until the binder looks again");
  const isForPod = storageClass?.volumeBindingMode === "WaitForFirstConsumer";
  return isForPod && annotationOf(claim, annotation.selectedNode) === ""
    ? emptyNode(claim, event)
    : nobodyProvisions(facts, claim, event);
}

/** Why the volume that was made cannot be saved: the provisioner retries forever, and no event says so. */
function refusedVolume(facts: RunFacts, decision: Decision | undefined): ApiError | undefined {
  const { chosen } = decision ?? {};
  if (chosen === undefined || facts.objects.has(chosen)) return undefined;
  return facts.refusal(chosen, "external-provisioner");
}

/** The class's provisioner; for an in-tree one the CSI driver that it is migrated to. */
function provisionerOf(storageClass: KubeObject<"StorageClass"> | undefined): string {
  const { provisioner = "" } = storageClass ?? {};
  return migratedDriver(provisioner) ?? provisioner;
}

/** Says which name the class has instead, if the provisioner is the CSI driver that an in-tree one is migrated to. */
function stoodInFor(storageClass: KubeObject<"StorageClass"> | undefined): string {
  const { provisioner = "" } = storageClass ?? {};
  return migratedDriver(provisioner) === undefined ? "" : `, which stands in for ${provisioner}`;
}

function classLink(claim: Claim, storageClass: KubeObject<"StorageClass"> | undefined): Link {
  const { provisioner: named = "" } = storageClass ?? {};
  const provisioner = provisionerOf(storageClass);
  const standsIn = named === provisioner ? "" : `, for which ${provisioner} stands in`;
  const ref = makeRef("StorageClass", undefined, effectiveClassName(claim));
  return { ref, text: `names the provisioner "${named}"${standsIn}` };
}

/** The verdict for a provisioner that is installed, but stopped or misconfigured; undefined in all other cases. */
function idleProvisioner(facts: RunFacts, claim: Claim, event: EventEntry): Verdict | undefined {
  const storageClass = facts.get("StorageClass", undefined, effectiveClassName(claim));
  const provisioner = provisionerOf(storageClass);
  // A stopped controller shows in no event: the binder keeps saying that it waits.
  if (facts.isStopped(provisioner)) {
    const headline = `stays Pending: ${downText(provisioner)}`;
    const chain = [classLink(claim, storageClass)];
    const fixes = startAgain(provisioner);
    return makeVerdict(claim, "waits-for-you", headline, { event, chain, fixes });
  }
  const halted = facts.lastDecision(refOf(claim), "path-provisioner");
  if (halted?.reason !== "NotRunning") return undefined;
  const { text = "" } = halted;
  const ref = pathConfigOf(facts, claim) ?? refOf(claim);
  const at = { ref, field: `data[${localPathConfigFile}]` };
  const headline = `stays Pending: the provisioner ${provisioner} does not start: ${text}`;
  const fixes = [{ text: "correct its configuration, and start it again", at }];
  return makeVerdict(claim, "stuck", headline, { event, root: at, fixes });
}

/** The cluster has no provisioner of the class's name, or it makes no volumes. */
function nobodyProvisions(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const storageClass = facts.get("StorageClass", undefined, effectiveClassName(claim));
  const provisioner = provisionerOf(storageClass);
  if (makesBuckets(provisioner)) return bucketClass(facts, claim, event, provisioner);
  const isHandMade = facts.drivers.trait(provisioner, "hasController") === false;
  const headline = isHandMade
    ? `stays Pending: driver "${provisioner}" makes no volumes`
    : `stays Pending: nothing in this cluster runs the provisioner "${provisioner}"${stoodInFor(storageClass)}`;
  const advice = isHandMade ? handMade(facts.drivers, provisioner) : installed(provisioner);
  const others = [{ text: advice }, ...chooseClass(facts, claim, facts.list("StorageClass"))];
  if (storageClass === undefined)
    return makeVerdict(claim, "stuck", headline, {
      event,
      root: { ref: refOf(claim) },
      fixes: others,
    });
  const root = { ref: refOf(storageClass), field: "provisioner" };
  const meant = meantProvisioner(facts, root, provisioner);
  return makeVerdict(claim, "stuck", headline, {
    event,
    root,
    chain: [classLink(claim, storageClass)],
    fixes: meant === undefined ? others : [meant],
  });
}

/** The class is as it should be, but for ObjectBucketClaims: the claim is to blame for naming it. */
function bucketClass(
  facts: RunFacts,
  claim: Claim,
  event: EventEntry,
  provisioner: string,
): Verdict {
  const headline = `stays Pending: "${provisioner}" makes buckets for ObjectBucketClaims, and no volumes`;
  const root = { ref: refOf(claim), field: classNameField(claim) };
  return makeVerdict(claim, "stuck", headline, {
    event,
    root,
    fixes: [
      { text: "create an ObjectBucketClaim, or use a class whose driver makes volumes" },
      ...chooseClass(facts, claim, facts.list("StorageClass")),
    ],
  });
}

function installed(provisioner: string): string {
  return isNobody(provisioner)
    ? "create a PersistentVolume that fits, or use a class whose driver runs"
    : `install the driver "${provisioner}", or use a class whose driver runs`;
}

/** Advice for a driver that only mounts existing storage. */
function handMade(drivers: DriverKnowledge, driver: string): string {
  const isPersistent = drivers.trait(driver, "lifecycleModes")?.includes("Persistent") === true;
  const way = isPersistent
    ? `write a PersistentVolume of "${driver}" by hand`
    : `name "${driver}" in a volume of the pod`;
  return `${way}, or use a class whose driver makes volumes`;
}

/**
 * The binder checks only that the annotation exists; the provisioner needs its value.
 * Upstream: sig-storage-lib-external-provisioner controller.go shouldProvision.
 */
function emptyNode(claim: Claim, event: EventEntry): Verdict {
  const at = { ref: refOf(claim), field: "metadata.annotations" };
  const headline = `stays Pending: its annotation ${annotation.selectedNode} names no node`;
  const text = `remove the annotation ${annotation.selectedNode}: the scheduler writes it`;
  return makeVerdict(claim, "waits-for-you", headline, { event, root: at, fixes: [{ text, at }] });
}

/** The fix for a mistyped provisioner; undefined if the name resembles no known driver's. */
function meantProvisioner(facts: RunFacts, at: Place, provisioner: string): Fix | undefined {
  const meant = meantDriver(provisioner);
  if (meant === undefined) return undefined;
  const text = `correct the provisioner to "${meant}" (recreate the class)`;
  const isThere = facts.get("CSIDriver", undefined, meant) !== undefined;
  return isThere ? { text, at, value: meant } : { text, at };
}
