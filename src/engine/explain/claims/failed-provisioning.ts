/** A claim whose provisioner cannot make the volume: which field it refuses, or which source it waits for. */
import { type KubeObject, makeRef, refOf } from "../../api/meta.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import type { Decision } from "../../trace/decision.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { makeVerdict } from "../make-verdict.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix, Place, Verdict } from "../verdict.ts";
import { comesOfItself, type JudgeSource, type Source } from "./awaited-source.ts";
import { nearMissFixes, ofAnotherClass, ofSameClass } from "./claim-fixes.ts";
import { chooseClass, classesFor } from "./class-fixes.ts";
import { wrongPlaces } from "./class-places.ts";
import { pathConfigOf } from "./refused-by-local-path.ts";
import { refusedField } from "./refused-claim-field.ts";
import type { RefusedField } from "./refused-field.ts";
import { refusedSecret } from "./refused-secret.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** `judge` is for the source that the claim is copied from. */
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
  const withinMs = facts.untilDue(decision ?? facts.lastDecision(refOf(claim), "path-provisioner"));
  const ofSecret = refusedSecret(facts, claim, event, withinMs);
  if (ofSecret !== undefined) return ofSecret;
  const { volumeAttributesClassName: attributes = "" } = claim.spec;
  const parameters = {
    ofClass: facts.get("StorageClass", undefined, className)?.parameters,
    ofAttributes: facts.get("VolumeAttributesClass", undefined, attributes)?.parameters,
  };
  const refused = sourceByNow(
    facts,
    claim,
    sourceElsewhere(facts, claim, refusedField(claim, event.source, event.message, parameters)),
  );
  const source = awaitedSource(facts, claim, refused);
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
    `stays Pending: ${event.source} cannot provision its volume: ${refused?.why ?? answerIn(event.message)}`,
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
        ...(isOfModes(refused) ? chooseClass(facts, claim, classesFor(facts, claim)) : []),
        ...nearMissFixes(claim, ofSameClass(compared)),
      ],
    },
  );
}

/** The fix for the nearest volume that only its class, or the delayed binding of the claim's class, keeps from the claim. */
function volumeOfAnotherClass(claim: Claim, compared: Decision | undefined): readonly Fix[] {
  const volumes = ofAnotherClass(compared).map(({ ref, failed }) => ({
    ref,
    failed: failed.filter(({ rule }) => rule !== "delayed-binding"),
  }));
  return nearMissFixes(claim, volumes).slice(0, 1);
}

function isOfModes(refused: RefusedField | undefined): boolean {
  return refused?.field.startsWith("spec.accessModes") === true;
}

/** Blames allowedTopologies: with Immediate binding the driver is asked for a place in them, whether or not a node is there. */
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
    `stays Pending: ${event.source} cannot provision its volume: ${why}`,
    {
      event,
      root,
      chain: [{ ref: root.ref, text: "limits where its volumes are provisioned" }],
      fixes,
    },
  );
}

/**
 * Says so if the missing source exists in another namespace: only the claim's own is searched. Upstream: external-provisioner
 * pkg/controller/controller.go getSnapshotSource, getPVCSource v6.3; others need the alpha gate CrossNamespaceVolumeDataSource.
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
  const fix = `create the claim in namespace "${other}": a volume is copied within a namespace`;
  return { ...refused, why, fix };
}

/** A source that was missing, but exists by now, is awaited like one that is not bound. */
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

/** The source that the claim has to wait for; undefined if none, or if it is the claim itself. */
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

/** The driver's own text, without the prefixes that others put before it. */
function answerIn(message: string): string {
  const answer = message
    .replace(/^failed to provision volume with StorageClass "[^"]*": /, "")
    .replace(/^error generating accessibility requirements: /, "")
    .replace(/^[\s\S]*\brpc error: code = \w+ desc = /, "")
    .replace(/\s+/g, " ")
    .trim();
  return answer.length > answerLengthMax ? `${answer.slice(0, answerLengthMax)}…` : answer;
}

/** The place of the refused field; for parameters of a class that has none, its provisioner. */
function refusedPlace(facts: RunFacts, claim: Claim, refused: RefusedField | undefined): Place {
  const field = refused?.field ?? "";
  if (refused?.of === undefined) return { ref: refOf(claim), field };
  if (refused.of === "ConfigMap") return { ref: pathConfigOf(facts, claim) ?? refOf(claim), field };
  const name =
    refused.of === "StorageClass"
      ? effectiveClassName(claim)
      : (claim.spec.volumeAttributesClassName ?? "");
  const ref = makeRef(refused.of, undefined, name);
  if (field !== "parameters") return { ref, field };
  const { parameters } = facts.get(refused.of, undefined, name) ?? {};
  if (parameters === undefined) return { ref, field: "provisioner" };
  // Drivers ignore the case of parameter names.
  const wanted = refused.parameter?.toLowerCase();
  const key = Object.keys(parameters).find((name) => name.toLowerCase() === wanted);
  return { ref, field: key === undefined ? field : `parameters[${key}]` };
}

function refusedFix({ fix: text, doing, value }: RefusedField, at: Place): Fix {
  return { text, at, ...(doing !== undefined && { doing }), ...(value !== undefined && { value }) };
}
