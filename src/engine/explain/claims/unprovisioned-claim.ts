/** A claim that is to get a new volume and has none: nobody makes it, the binder refuses to ask, or the provisioner fails. */

import { type KubeObject, kindOfRef, makeRef, type Ref, refOf } from "../../api/meta.ts";
import { classNameField, effectiveClassName } from "../../api/storage-class-name.ts";
import { knownTrait } from "../../csi/catalogue/known-traits.ts";
import { meantDriver } from "../../csi/catalogue/mistyped-driver.ts";
import { localPathConfigFile } from "../../csi/catalogue/path-provisioners.ts";
import { annotation, annotationOf } from "../../matching/annotations.ts";
import { migratedDriver, noProvisioner } from "../../matching/csi-migration.ts";
import type { Candidate, Decision } from "../../trace/decision.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { makeVerdict } from "../make-verdict.ts";
import { missingText } from "../refused-object.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix, Link, Place, Verdict } from "../verdict.ts";
import { comesOfItself, type JudgeSource, type Source } from "./awaited-source.ts";
import { claimFixes, nearMissFixes, onlyFailure } from "./claim-fixes.ts";
import { chooseClass, classesFor } from "./class-fixes.ts";
import { wrongPlaces } from "./class-places.ts";
import { keptVerdict } from "./kept-volume.ts";
import { refusedField } from "./refused-claim-field.ts";
import type { RefusedField } from "./refused-field.ts";
import { rivalVerdict } from "./unmatched-claim.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** The binder's events by source; every other source about a claim is a provisioner or resizer. */
export const binderSource = "persistentvolume-controller";

/** The binder has asked for a volume: `event` says so. */
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
  // Of a failure that is often the same the last events may be missing: each object has only so many an hour.
  const decided = facts.lastDecisionEntry(ref, "external-provisioner");
  const endedAt = decided?.decision.reason === "ProvisioningFailed" ? decided.seq : -1;
  if (failed !== undefined && Math.max(failed.seq, endedAt) > (started?.seq ?? -1))
    return provisionerFails(facts, claim, failed, judge);
  const soon = (headline: string): Verdict =>
    makeVerdict(claim, "will-happen", headline, { event });
  if (started !== undefined) return soon(`is Pending while ${provisioner} makes its volume`);
  if (facts.isFresh(ref)) return soon(`is Pending until ${provisioner} takes it up`);
  const isForPod = storageClass?.volumeBindingMode === "WaitForFirstConsumer";
  return isForPod && annotationOf(claim, annotation.selectedNode) === ""
    ? emptyNode(claim, event)
    : nobodyProvisions(facts, claim, event);
}

/** Of an in-tree name the driver that stands in for it. */
function provisionerOf(storageClass: KubeObject<"StorageClass"> | undefined): string {
  const { provisioner = "" } = storageClass ?? {};
  return migratedDriver(provisioner) ?? provisioner;
}

function classLink(claim: Claim, storageClass: KubeObject<"StorageClass"> | undefined): Link {
  const { provisioner: named = "" } = storageClass ?? {};
  const provisioner = provisionerOf(storageClass);
  const standsIn = named === provisioner ? "" : `, for which ${provisioner} stands in`;
  const ref = makeRef("StorageClass", undefined, effectiveClassName(claim));
  return { ref, text: `names the provisioner "${named}"${standsIn}` };
}

/** It is there, and does nothing; undefined where it does something, or nobody is there. */
function idleProvisioner(facts: RunFacts, claim: Claim, event: EventEntry): Verdict | undefined {
  const storageClass = facts.get("StorageClass", undefined, effectiveClassName(claim));
  const provisioner = provisionerOf(storageClass);
  // The binder goes on to say that it waits.
  if (facts.isStopped(provisioner)) {
    const headline = `stays Pending: the controller of ${provisioner} is down`;
    const chain = [classLink(claim, storageClass)];
    return makeVerdict(claim, "waits-for-you", headline, { event, chain });
  }
  const halted = facts.lastDecision(refOf(claim), "path-provisioner");
  if (halted?.reason !== "NotRunning") return undefined;
  const { text = "" } = halted;
  const ref = configOf(facts, claim) ?? refOf(claim);
  const at = { ref, field: `data[${localPathConfigFile}]` };
  const headline = `stays Pending: the provisioner ${provisioner} does not start: ${text}`;
  const fixes = [{ text: "correct its configuration, and start it again", at }];
  return makeVerdict(claim, "stuck", headline, { event, root: at, fixes });
}

/** No provisioner of the class's name is in the cluster, or one that makes no volumes. */
function nobodyProvisions(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const storageClass = facts.get("StorageClass", undefined, effectiveClassName(claim));
  const provisioner = provisionerOf(storageClass);
  const isHandMade = knownTrait(provisioner, "hasController") === false;
  const headline = isHandMade
    ? `stays Pending: driver "${provisioner}" makes no volumes`
    : `stays Pending: nobody in this cluster runs the provisioner "${provisioner}"`;
  const advice = isHandMade ? handMade(provisioner) : installed(provisioner);
  const others = [{ text: advice }, ...chooseClass(claim, facts.list("StorageClass"))];
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

function installed(provisioner: string): string {
  return `install the driver "${provisioner}", or use a class whose driver runs`;
}

/** Of a driver that only mounts what there is. */
function handMade(driver: string): string {
  const isPersistent = knownTrait(driver, "lifecycleModes")?.includes("Persistent") === true;
  const way = isPersistent
    ? `write a PersistentVolume of "${driver}" by hand`
    : `name "${driver}" in a volume of the pod`;
  return `${way}, or use a class whose driver makes volumes`;
}

/**
 * The binder asks whether the annotation is there, the provisioner what it says.
 * Upstream: sig-storage-lib-external-provisioner controller.go shouldProvision.
 */
function emptyNode(claim: Claim, event: EventEntry): Verdict {
  const at = { ref: refOf(claim), field: "metadata.annotations" };
  const headline = `stays Pending: its annotation ${annotation.selectedNode} names no node`;
  const text = `remove the annotation ${annotation.selectedNode}: the scheduler writes it`;
  return makeVerdict(claim, "waits-for-you", headline, { event, root: at, fixes: [{ text, at }] });
}

/** Undefined where the name is no slip of the pen. */
function meantProvisioner(facts: RunFacts, at: Place, provisioner: string): Fix | undefined {
  const meant = meantDriver(provisioner);
  if (meant === undefined) return undefined;
  const text = `correct the provisioner to "${meant}" (make the class anew)`;
  const isThere = facts.get("CSIDriver", undefined, meant) !== undefined;
  return isThere ? { text, at, value: meant } : { text, at };
}

/** The binder itself refuses: no such class, or a class that cannot provision. */
export function cannotProvision(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const className = effectiveClassName(claim);
  const storageClass = facts.get("StorageClass", undefined, className);
  // Somebody else wrote first, or it has not heard of the class yet: the next sync reads what is there now.
  const hasSinceCome = storageClass !== undefined && event.message.endsWith(" not found");
  if (hasSinceCome || event.message.includes("the object has been modified"))
    return makeVerdict(claim, "will-happen", "is Pending until the binder looks again", { event });
  const decision = facts.lastDecision(refOf(claim), "persistentvolume-binder");
  const place = { ref: refOf(claim), field: classNameField(claim) };
  const why =
    storageClass === undefined
      ? `and class "${className}" does not exist to make another`
      : `and class "${className}" cannot make another`;
  const taken = rivalVerdict(facts, claim, event, why) ?? keptVerdict(facts, claim, event, why);
  if (taken !== undefined) return taken;
  if (storageClass === undefined) {
    const volumes = ofSameClass(decision);
    const nearest = onlyFailure(volumes);
    const headline =
      volumes.length === 0
        ? `class "${className}" ${missingText(facts, makeRef("StorageClass", undefined, className))}`
        : `no volume of class "${className}" fits, and the class does not exist to make one`;
    return makeVerdict(claim, "stuck", `stays Pending: ${headline}`, {
      event,
      decision,
      root: { ref: place.ref, field: nearest?.wantedField ?? place.field },
      fixes: [
        ...nearMissFixes(claim, volumes),
        ...chooseClass(claim, facts.list("StorageClass")),
        ...nearMissFixes(claim, ofAnotherClass(decision)).slice(0, 1),
        { text: `make a StorageClass "${className}"` },
      ],
    });
  }
  // A class that is meant to make none is not to blame where but one thing keeps a volume from the claim.
  const nearest =
    storageClass.provisioner === noProvisioner
      ? onlyFailure(decision?.candidates ?? [])
      : undefined;
  return makeVerdict(
    claim,
    "stuck",
    `stays Pending: no volume fits, and class "${className}" cannot make one`,
    {
      event,
      decision,
      root:
        nearest === undefined
          ? { ref: refOf(storageClass), field: "provisioner" }
          : { ref: place.ref, field: nearest.wantedField ?? place.field },
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

/** Volumes that have another class, or none: with the volume's the claim would get it. */
function ofAnotherClass(decision: Decision | undefined): readonly Candidate[] {
  return (decision?.candidates ?? []).filter(({ failed }) =>
    failed.some(({ rule }) => rule === "storage-class"),
  );
}

/** A volume that only its class keeps from the claim is the likeliest to be meant; that the claim's class waits for a pod is the class's doing too. */
function volumeOfAnotherClass(claim: Claim, compared: Decision | undefined): readonly Fix[] {
  const volumes = ofAnotherClass(compared).map(({ ref, failed }) => ({
    ref,
    failed: failed.filter(({ rule }) => rule !== "delayed-binding"),
  }));
  return nearMissFixes(claim, volumes).slice(0, 1);
}

/** `judge` is asked of what the claim is copied from. */
export function provisionerFails(
  facts: RunFacts,
  claim: Claim,
  event: EventEntry,
  judge: JudgeSource,
): Verdict {
  const nowhere = allowedNowhere(facts, claim, event);
  if (nowhere !== undefined) return nowhere;
  const className = effectiveClassName(claim);
  const ref = makeRef("StorageClass", undefined, className);
  const decision = facts.lastDecision(refOf(claim), "external-provisioner");
  const { parameters } = facts.get("StorageClass", undefined, effectiveClassName(claim)) ?? {};
  const refused = sourceByNow(
    facts,
    claim,
    sourceElsewhere(facts, claim, refusedField(claim, event.source, event.message, parameters)),
  );
  const source = awaitedSource(facts, claim, refused);
  const withinMs = facts.untilDue(decision ?? facts.lastDecision(refOf(claim), "path-provisioner"));
  if (source !== undefined && comesOfItself(facts, source, judge)) {
    const chain = [{ ref: refOf(source), text: "is its source" }];
    const headline = `is Pending until ${event.source} tries again: ${refused?.why}`;
    return makeVerdict(claim, "will-happen", headline, { event, withinMs, chain });
  }
  const awaited = source && refOf(source);
  const at = awaited === undefined ? refusedPlace(facts, claim, refused) : { ref: awaited };
  const compared = facts.lastComparison(refOf(claim));
  return makeVerdict(
    claim,
    refused?.isFinal === true ? "stuck" : "fails",
    `stays Pending: ${event.source} cannot make its volume: ${refused?.why ?? answerIn(event.message)}`,
    {
      event,
      withinMs,
      ...(refused !== undefined && { root: at }),
      chain: [
        ...(facts.objects.has(ref) ? [{ ref, text: "is its class" }] : []),
        ...(awaited === undefined ? [] : [{ ref: awaited, text: "is its source" }]),
      ],
      fixes: [
        ...(isOfModes(refused) ? volumeOfAnotherClass(claim, compared) : []),
        ...(refused === undefined ? [] : [refusedFix(refused, at)]),
        ...(isOfModes(refused)
          ? chooseClass(claim, classesFor(claim, facts.list("StorageClass")))
          : []),
        ...nearMissFixes(claim, ofSameClass(compared)),
      ],
    },
  );
}

function isOfModes(refused: RefusedField | undefined): boolean {
  return refused?.field.startsWith("spec.accessModes") === true;
}

/** Without a pod to wait for, a driver is asked for a place that its class names, whether nodes are there or not. */
function allowedNowhere(facts: RunFacts, claim: Claim, event: EventEntry): Verdict | undefined {
  const storageClass = facts.get("StorageClass", undefined, effectiveClassName(claim));
  if (
    storageClass === undefined ||
    !event.message.endsWith(" has no storage in the requested topology")
  )
    return undefined;
  const { root, values, fixes } = wrongPlaces(facts, storageClass);
  if (values.length === 0) return undefined;
  const why = `its class allows volumes where no node is (${values.join(", ")})`;
  return makeVerdict(
    claim,
    "fails",
    `stays Pending: ${event.source} cannot make its volume: ${why}`,
    {
      event,
      root,
      chain: [{ ref: root.ref, text: "limits where its volumes are made" }],
      fixes,
    },
  );
}

/**
 * A source is looked for in the claim's own namespace. Upstream: external-provisioner pkg/controller/controller.go
 * getSnapshotSource, getPVCSource v6.3; another one takes the gate CrossNamespaceVolumeDataSource, which is alpha.
 */
function sourceElsewhere(
  facts: RunFacts,
  claim: Claim,
  refused: RefusedField | undefined,
): RefusedField | undefined {
  if (refused?.missing === undefined) return refused;
  const { kind, name } = refused.missing;
  const other = facts.list(kind).find(({ metadata }) => metadata.name === name)?.metadata.namespace;
  if (other === undefined || other === claim.metadata.namespace) return refused;
  const why = `${refused.why} in namespace "${claim.metadata.namespace}", but in "${other}"`;
  const fix = `make the claim in namespace "${other}": a volume is copied within a namespace`;
  return { ...refused, why, fix };
}

/** A source that was not there when it was looked for, and is by now, is waited for as one that is not Bound. */
function sourceByNow(
  facts: RunFacts,
  claim: Claim,
  refused: RefusedField | undefined,
): RefusedField | undefined {
  if (refused?.missing === undefined) return refused;
  const { kind, name } = refused.missing;
  if (facts.get(kind, claim.metadata.namespace, name) === undefined) return refused;
  const title = `${kind === "VolumeSnapshot" ? "snapshot" : "claim"} "${name}"`;
  return {
    field: refused.field,
    why: `its source, ${title}, was not there yet`,
    awaited: refused.missing,
    fix: `have ${title} ready first`,
  };
}

/** What keeps the source keeps the copy. */
function awaitedSource(
  facts: RunFacts,
  claim: Claim,
  refused: RefusedField | undefined,
): Source | undefined {
  if (refused?.awaited === undefined) return undefined;
  const { kind, name } = refused.awaited;
  const source = facts.get(kind, claim.metadata.namespace, name);
  return source === claim ? undefined : source;
}

const answerLengthMax = 120;

/** What the driver itself says, without those that pass it on. */
function answerIn(message: string): string {
  const answer = message
    .replace(/^failed to provision volume with StorageClass "[^"]*": /, "")
    .replace(/^error generating accessibility requirements: /, "")
    .replace(/^[\s\S]*\brpc error: code = \w+ desc = /, "")
    .replace(/\s+/g, " ")
    .trim();
  return answer.length > answerLengthMax ? `${answer.slice(0, answerLengthMax)}…` : answer;
}

/** The ConfigMap by which a path provisioner goes. */
function configOf(facts: RunFacts, claim: Claim): Ref | undefined {
  const { because = [] } = facts.lastDecision(refOf(claim), "path-provisioner") ?? {};
  return because.find((ref) => kindOfRef(ref) === "ConfigMap");
}

/** Who has made a class without parameters has written its driver's name at most. */
function refusedPlace(facts: RunFacts, claim: Claim, refused: RefusedField | undefined): Place {
  const field = refused?.field ?? "";
  if (refused?.of === undefined) return { ref: refOf(claim), field };
  if (refused.of === "ConfigMap") return { ref: configOf(facts, claim) ?? refOf(claim), field };
  const name =
    refused.of === "StorageClass"
      ? effectiveClassName(claim)
      : (claim.spec.volumeAttributesClassName ?? "");
  const ref = makeRef(refused.of, undefined, name);
  if (field !== "parameters") return { ref, field };
  const { parameters } = facts.get(refused.of, undefined, name) ?? {};
  if (parameters === undefined) return { ref, field: "provisioner" };
  // Drivers read the names in any case.
  const wanted = refused.parameter?.toLowerCase();
  const key = Object.keys(parameters).find((name) => name.toLowerCase() === wanted);
  return { ref, field: key === undefined ? field : `parameters[${key}]` };
}

function refusedFix({ fix: text, doing, value }: RefusedField, at: Place): Fix {
  return { text, at, ...(doing !== undefined && { doing }), ...(value !== undefined && { value }) };
}
