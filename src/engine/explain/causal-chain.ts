/**
 * The chain from an object to everything behind it: workload, pod, claim, class, volume, driver, attachment, node. Each step
 * says what is there and which event shows it; the last wrong step is the place to begin.
 */
import { type KubeObject, makeRef, type Ref, refOf } from "../api/meta.ts";
import { effectiveClassName } from "../api/storage-class-name.ts";
import { makesVolumes, migratedDriver, noProvisioner } from "../matching/csi-migration.ts";
import { type ChainStep, classStep, driverStep, nodeStep, volumeText } from "./chain-steps.ts";
import { claimNames, podsOf, podsUsing } from "./pods-using.ts";
import { absenceText } from "./refused-object.ts";
import type { RunFacts } from "./run-facts.ts";
import { isGood, type Verdict } from "./verdict.ts";
import { verdictOn } from "./verdicts.ts";
import { attachmentsFor } from "./volumes/attachments-of.ts";
import { claimOf, volumeOf } from "./volumes/bound-pair.ts";

type Pod = KubeObject<"Pod">;
type Claim = KubeObject<"PersistentVolumeClaim">;
type Volume = KubeObject<"PersistentVolume">;

/** How many claims of one pod are followed. */
const claimCountMax = 5;

/** The steps, each object once; empty for an object that is not in the cluster. */
export function causalChain(facts: RunFacts, ref: Ref): readonly ChainStep[] {
  const object = facts.objects.get(ref);
  if (object === undefined) return [];
  const steps = withRoot(stepsFrom(facts, object), verdictOn(facts, object));
  return steps.filter((step, i) => steps.findIndex((other) => other.ref === step.ref) === i);
}

/** Marks the step at the verdict's root as wrong, even if it looks right by itself; a missing step is added from its chain. */
function withRoot(steps: readonly ChainStep[], verdict: Verdict | undefined): readonly ChainStep[] {
  if (verdict?.root === undefined || isGood(verdict)) return steps;
  const { root, chain } = verdict;
  if (steps.some(({ ref }) => ref === root.ref))
    return steps.map((step) => (step.ref === root.ref ? { ...step, state: "wrong" } : step));
  const link = chain.find(({ ref }) => ref === root.ref);
  return link === undefined ? steps : [...steps, { ...link, state: "wrong" }];
}

function stepsFrom(facts: RunFacts, object: KubeObject): readonly ChainStep[] {
  switch (object.kind) {
    case "Pod":
      return podSteps(facts, object);
    case "PersistentVolumeClaim":
      return [...claimSteps(facts, object), ...consumerSteps(facts, object)];
    case "PersistentVolume":
      return volumeSteps(facts, object);
    case "StorageClass":
      return [classStep(facts, object.metadata.name), ...provisionerSteps(facts, object, "open")];
    case "CSIDriver":
      return [driverStep(facts, object.metadata.name, "open")];
    case "Node":
      return [nodeStep(facts, object.metadata.name, [])];
    case "VolumeSnapshot":
      return snapshotSteps(facts, object);
    default:
      return workloadSteps(facts, object);
  }
}

/** The steps of one of its pods: the first that is not fine, or the first if all are fine. */
function workloadSteps(facts: RunFacts, workload: KubeObject): readonly ChainStep[] {
  const own = verdictStep(facts, workload);
  const pods = podsOf(facts, workload.metadata.uid);
  const bad = pods.find((pod) => !isFine(facts, pod));
  const [first = bad] = bad === undefined ? pods : [bad];
  return [...own, ...(first === undefined ? [] : podSteps(facts, first))];
}

function isFine(facts: RunFacts, object: KubeObject): boolean {
  const verdict = verdictOn(facts, object);
  return verdict === undefined || isGood(verdict);
}

function podSteps(facts: RunFacts, pod: Pod): readonly ChainStep[] {
  const { namespace } = pod.metadata;
  const steps = [...verdictStep(facts, pod)];
  const drivers: string[] = [];
  for (const name of claimNames(pod).slice(0, claimCountMax)) {
    const claim = facts.get("PersistentVolumeClaim", namespace, name);
    if (claim === undefined) {
      const ref = makeRef("PersistentVolumeClaim", namespace, name);
      steps.push({ ref, state: "wrong", text: absenceText(facts, ref) });
      continue;
    }
    steps.push(...claimSteps(facts, claim));
    const driver = volumeOf(facts, claim)?.spec.csi?.driver;
    if (driver !== undefined) drivers.push(driver);
  }
  const node = pod.spec.nodeName;
  if (node === undefined) return steps;
  const attachments = attachmentsFor(facts, pod, node);
  steps.push(...attachments.flatMap((attachment) => verdictStep(facts, attachment)));
  return [...steps, nodeStep(facts, node, drivers)];
}

/** The pod that a claim waits for explains the claim. Any other pod that uses the claim only suffers from it: no step. */
function consumerSteps(facts: RunFacts, claim: Claim): readonly ChainStep[] {
  const event = facts.lastEvent(refOf(claim));
  if (event?.reason !== "WaitForPodScheduled") return [];
  const waiting = podsUsing(facts, claim).find((pod) => pod.spec.nodeName === undefined);
  return waiting === undefined ? [] : verdictStep(facts, waiting);
}

function claimSteps(facts: RunFacts, claim: Claim): readonly ChainStep[] {
  const steps = [...verdictStep(facts, claim)];
  const isBound = claim.status?.phase === "Bound";
  const className = effectiveClassName(claim);
  const storageClass = facts.get("StorageClass", undefined, className);
  // A missing class matters only to a claim that is not bound yet.
  if (storageClass !== undefined || (className !== "" && !isBound))
    steps.push(classStep(facts, className));
  const volume = volumeOf(facts, claim);
  if (volume !== undefined) steps.push(volumeStep(facts, volume));
  const driver = volume?.spec.csi?.driver;
  if (driver !== undefined) steps.push(driverStep(facts, driver, isBound ? "open" : "wrong"));
  else if (!isBound) steps.push(...provisionerSteps(facts, storageClass, "wrong"));
  return steps;
}

function provisionerSteps(
  facts: RunFacts,
  storageClass: KubeObject<"StorageClass"> | undefined,
  missing: "wrong" | "open",
): readonly ChainStep[] {
  const name = storageClass?.provisioner ?? noProvisioner;
  return makesVolumes(name) ? [driverStep(facts, migratedDriver(name) ?? name, missing)] : [];
}

function volumeStep(facts: RunFacts, volume: Volume): ChainStep {
  const [step] = verdictStep(facts, volume);
  const text = volumeText(volume);
  return step === undefined
    ? { ref: refOf(volume), state: "right", text: `has ${text}` }
    : { ...step, text: `${step.text} (${text})` };
}

function volumeSteps(facts: RunFacts, volume: Volume): readonly ChainStep[] {
  const { csi } = volume.spec;
  const steps = [volumeStep(facts, volume)];
  const claim = claimOf(facts, volume);
  if (claim !== undefined) steps.push(...verdictStep(facts, claim));
  const className = effectiveClassName(volume);
  if (facts.get("StorageClass", undefined, className) !== undefined)
    steps.push(classStep(facts, className));
  if (csi !== undefined) steps.push(driverStep(facts, csi.driver, "open"));
  return steps;
}

function snapshotSteps(
  facts: RunFacts,
  snapshot: KubeObject<"VolumeSnapshot">,
): readonly ChainStep[] {
  const { persistentVolumeClaimName = "" } = snapshot.spec.source;
  const claim = facts.get(
    "PersistentVolumeClaim",
    snapshot.metadata.namespace,
    persistentVolumeClaimName,
  );
  return [
    ...verdictStep(facts, snapshot),
    ...(claim === undefined ? [] : claimSteps(facts, claim)),
  ];
}

function verdictStep(facts: RunFacts, object: KubeObject): readonly ChainStep[] {
  const verdict = verdictOn(facts, object);
  if (verdict === undefined) return [];
  const { ref, headline, reason, message } = verdict;
  return [
    {
      ref,
      state: stateOf(verdict),
      text: headline,
      ...(reason !== undefined && { reason }),
      ...(message !== undefined && { message }),
    },
  ];
}

function stateOf({ kind }: Verdict): ChainStep["state"] {
  if (kind === "healthy") return "right";
  return kind === "will-happen" ? "open" : "wrong";
}
