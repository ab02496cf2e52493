/**
 * The owner references of a StatefulSet's claims. Upstream: pkg/controller/statefulset/stateful_set_utils.go
 * isClaimOwnerUpToDate, updateClaimOwnerRefForSetAndPod, hasUnexpectedController, hasStaleOwnerRef v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import type { OwnerReference } from "../../api/types.ts";
import { isInOrdinalRange } from "../../matching/ordinals.ts";
import { withOwners } from "../workload/claim-children.ts";
import type { StatefulSet } from "./identity.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** A pod of the set. Its uid is empty if it is not created yet. */
export interface Member {
  readonly name: string;
  readonly uid: string;
}

type Owner = "none" | "set" | "pod";

function retention(set: StatefulSet): {
  readonly whenDeleted: string;
  readonly whenScaled: string;
} {
  const { whenDeleted = "Retain", whenScaled = "Retain" } =
    set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  return { whenDeleted, whenScaled };
}

export function retainsScaled(set: StatefulSet): boolean {
  return retention(set).whenScaled !== "Delete";
}

/** The owner that the retention policy requires for this pod's claims. */
function wantedOwner(set: StatefulSet, pod: Member): Owner {
  const { whenDeleted, whenScaled } = retention(set);
  if (whenScaled === "Delete" && !isInOrdinalRange(set, pod.name)) return "pod";
  return whenDeleted === "Delete" ? "set" : "none";
}

function isRefTo(owner: OwnerReference, set: StatefulSet, pod: Member): Owner {
  if (
    owner.kind === "StatefulSet" &&
    owner.apiVersion.startsWith("apps/") &&
    owner.name === set.metadata.name
  )
    return "set";
  return owner.kind === "Pod" && owner.apiVersion === "v1" && owner.name === pod.name
    ? "pod"
    : "none";
}

/** True if the claim belongs to an earlier pod of this name: the garbage collector has to finish first. */
export function hasStalePod(claim: Claim, set: StatefulSet, pod: Member): boolean {
  return ownersOf(claim).some(
    (owner) => isRefTo(owner, set, pod) === "pod" && owner.uid !== pod.uid,
  );
}

function hasStaleSet(claim: Claim, set: StatefulSet, pod: Member): boolean {
  return ownersOf(claim).some(
    (owner) => isRefTo(owner, set, pod) === "set" && owner.uid !== set.metadata.uid,
  );
}

/** True if something else controls the claim; always false if the policy retains claims. */
export function hasUnexpectedController(claim: Claim, set: StatefulSet, pod: Member): boolean {
  const { whenDeleted, whenScaled } = retention(set);
  if (whenDeleted === "Retain" && whenScaled === "Retain") return false;
  return ownersOf(claim).some((owner) => {
    const to = isRefTo(owner, set, pod);
    if (to === "set") return owner.uid !== set.metadata.uid;
    return to === "pod" ? owner.uid !== pod.uid : owner.controller === true;
  });
}

function owns(claim: Claim, uid: string): boolean {
  return ownersOf(claim).some((owner) => owner.uid === uid);
}

function ownersOf(claim: Claim): readonly OwnerReference[] {
  return claim.metadata.ownerReferences ?? [];
}

export function isOwnerUpToDate(claim: Claim, set: StatefulSet, pod: Member): boolean {
  // References to an earlier set or pod of the same name are not touched.
  if (hasStaleSet(claim, set, pod) || hasStalePod(claim, set, pod)) return true;
  const [bySet, byPod] = [owns(claim, set.metadata.uid), owns(claim, pod.uid)];
  if (hasUnexpectedController(claim, set, pod)) return !bySet && !byPod;
  const isOurs = (owner: OwnerReference): boolean =>
    owner.uid === set.metadata.uid || owner.uid === pod.uid;
  if (ownersOf(claim).some((owner) => isOurs(owner) && owner.controller !== true)) return false;
  const wanted = wantedOwner(set, pod);
  return bySet === (wanted === "set") && byPod === (wanted === "pod");
}

/** Returns the claim with the owner that the policy requires; foreign owners are kept. */
export function withClaimOwner(claim: Claim, set: StatefulSet, pod: Member): Claim {
  const others = ownersOf(claim).filter((owner) => isRefTo(owner, set, pod) === "none");
  if (hasUnexpectedController(claim, set, pod)) return withOwners(claim, others);
  const wanted = wantedOwner(set, pod);
  if (wanted === "none") return withOwners(claim, others);
  const to =
    wanted === "set"
      ? {
          apiVersion: "apps/v1",
          kind: "StatefulSet",
          name: set.metadata.name,
          uid: set.metadata.uid,
        }
      : { apiVersion: "v1", kind: "Pod", name: pod.name, uid: pod.uid };
  return withOwners(claim, [...others, { ...to, controller: true, blockOwnerDeletion: true }]);
}
