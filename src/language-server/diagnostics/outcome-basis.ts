/** What a predicted outcome hangs on: which objects of the files, and whether something of the assumed cluster. */
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
        // Binding compares names; only what the cluster has filled in, or not, is a guess.
        const ref = makeRef("PersistentVolumeClaim", claim.metadata.namespace, claim.metadata.name);
        if (!namesClass(ref, prediction)) return true;
        return effectiveClassName(claim) !== "" && !isBinding;
      }),
  };
}

/** The other end of a binding. */
function partnersOf(object: KubeObject | undefined): readonly Ref[] {
  if (object?.kind === "PersistentVolumeClaim" && object.spec.volumeName !== undefined)
    return [makeRef("PersistentVolume", undefined, object.spec.volumeName)];
  if (object?.kind !== "PersistentVolume") return [];
  const { namespace, name } = object.spec.claimRef ?? {};
  return name === undefined ? [] : [makeRef("PersistentVolumeClaim", namespace, name)];
}

/** The claims that an outcome has to do with: the claim itself, the one that a volume is reserved for, those of a pod. */
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

/** Whether the file gives a claim its class, and not admission. */
export function namesClass(ref: Ref, { environment }: Prediction): boolean {
  const spec = environment.byRef.get(ref)?.at(-1)?.object.value["spec"];
  return typeof spec === "object" && spec !== null && "storageClassName" in spec;
}

/** The labels and taints of nodes that nobody has named or described are our guess. */
export function hasGuessedNodes(prediction: Prediction): boolean {
  const { profileFrom } = prediction;
  return (profileFrom === "guess" || profileFrom === "default") && hasAssumedNodes(prediction);
}

/** No file holds them: who names a distribution says nothing of its zones and pools. */
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

// Each outcome asks it anew.
const haveOwnNodes = new WeakMap<Prediction["environment"]["objects"], boolean>();
