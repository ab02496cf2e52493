/** What a predicted outcome depends on: objects in files, and possibly parts of the assumed cluster. */
import { type KubeObject, makeRef, type Ref } from "../../engine/api/meta.ts";
import { effectiveClassName } from "../../engine/api/storage-class-name.ts";
import type { PersistentVolumeClaim } from "../../engine/api/types.ts";
import { claimNames } from "../../engine/explain/pods-using.ts";
import type { Verdict } from "../../engine/explain/verdict.ts";
import type { Prediction } from "../prediction/prediction.ts";
import type { ObjectReport } from "./rule.ts";

type Basis = Required<Pick<ObjectReport, "restsOn" | "assumes">>;

export function outcomeBasis({ ref, root, reason }: Verdict, prediction: Prediction): Basis {
  const { environment } = prediction;
  const { facts } = prediction.trials;
  const object = facts.objects.get(ref);
  const refs = [ref, ...(root === undefined ? [] : [root.ref]), ...partnersOf(object)];
  const claims = claimsOf(object, prediction);
  const classes = claims.map((claim) =>
    makeRef("StorageClass", undefined, effectiveClassName(claim)),
  );
  const isBinding = reason === "VolumeMismatch" || reason === "FailedBinding";
  return {
    restsOn: [...refs, ...classes].flatMap((other) => environment.byRef.get(other)?.at(-1) ?? []),
    assumes:
      (object?.kind === "Pod" && hasGuessedNodes(prediction)) ||
      claims.some((claim, i) => {
        if (environment.byRef.has(classes[i] ?? "")) return false;
        // Binding compares class names only. So only a class that the cluster has filled in, or has not, is an assumption.
        const ref = makeRef("PersistentVolumeClaim", claim.metadata.namespace, claim.metadata.name);
        if (!namesClass(ref, prediction)) return true;
        return effectiveClassName(claim) !== "" && !isBinding;
      }),
  };
}

/** The other side of a binding. */
function partnersOf(object: KubeObject | undefined): readonly Ref[] {
  if (object?.kind === "PersistentVolumeClaim" && object.spec.volumeName !== undefined)
    return [makeRef("PersistentVolume", undefined, object.spec.volumeName)];
  if (object?.kind !== "PersistentVolume") return [];
  const { namespace, name } = object.spec.claimRef ?? {};
  return name === undefined ? [] : [makeRef("PersistentVolumeClaim", namespace, name)];
}

/** The claims that an outcome involves: the object itself, the claim that a volume is reserved for, or those of a pod. */
export function claimsOf(
  object: KubeObject | undefined,
  { trials: { facts } }: Prediction,
): readonly PersistentVolumeClaim[] {
  if (object?.kind === "PersistentVolumeClaim") return [object];
  const find = (namespace: string | undefined, name: string): readonly PersistentVolumeClaim[] => {
    const claim = facts.get("PersistentVolumeClaim", namespace, name);
    return claim === undefined ? [] : [claim];
  };
  if (object?.kind === "Pod")
    return claimNames(object).flatMap((name) => find(object.metadata.namespace, name));
  if (object?.kind !== "PersistentVolume") return [];
  const { namespace, name = "" } = object.spec.claimRef ?? {};
  return find(namespace, name);
}

/** True if the claim's manifest sets its class, so that admission does not. */
export function namesClass(ref: Ref, { environment }: Prediction): boolean {
  const spec = environment.byRef.get(ref)?.at(-1)?.object.value["spec"];
  return typeof spec === "object" && spec !== null && "storageClassName" in spec;
}

/** True if the nodes' labels and taints are guessed: no file has nodes, and nobody has named the distribution. */
export function hasGuessedNodes(prediction: Prediction): boolean {
  const { profileFrom } = prediction;
  return (profileFrom === "guess" || profileFrom === "default") && hasAssumedNodes(prediction);
}

/** True if no file has nodes: a distribution's name says nothing about zones and pools. */
export function hasAssumedNodes({ profileFrom, environment }: Prediction): boolean {
  return profileFrom !== "imported" && !hasOwnNodes(environment);
}

function hasOwnNodes({ objects }: Prediction["environment"]): boolean {
  const known = haveOwnNodes.get(objects);
  if (known !== undefined) return known;
  const found = objects.some(({ object }) => object.kind === "Node");
  haveOwnNodes.set(objects, found);
  return found;
}

// Cached because it is asked for each outcome.
const haveOwnNodes = new WeakMap<Prediction["environment"]["objects"], boolean>();
