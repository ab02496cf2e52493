/**
 * Places a pod where its bound volumes can be reached and its unbound claims can be served.
 * Upstream: kube-scheduler v1.36 plugins/volumebinding/volume_binding.go.
 */
import { requestedStorage } from "../../api/claim-size.ts";
import { deepEqual } from "../../api/json.ts";
import { keyOf, makeRef, refOf } from "../../api/meta.ts";
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityOf,
} from "../../api/quantity.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import type { Node, PersistentVolumeClaim, StorageClass } from "../../api/types.ts";
import { annotation, annotationOf } from "../../matching/annotations.ts";
import { nodeAffinityText } from "../../matching/node-affinity.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import type { FailedRule } from "../../trace/decision.ts";
import { saysVolumeNodeAffinityConflict } from "../../version-differences.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import { eventObject } from "../framework/cluster-event.ts";
import {
  hint,
  type Plugin,
  type PreFilterResult,
  type Rejection,
  skip,
} from "../framework/plugin.ts";
import { podClaims } from "../volume/pod-claims.ts";
import type {
  Conflict,
  PodVolumePlan,
  PodVolumes,
  VolumeConflict,
} from "../volume/pod-volume-plan.ts";
import { type MostRoom, volumeLimit } from "../volume/storage-capacity.ts";
import type { VolumeBinder } from "../volume/volume-binder.ts";
import type { VolumeCaches } from "../volume/volume-caches.ts";
import type { VolumeDecisions } from "../volume/volume-decisions.ts";

export interface VolumeBindingParts {
  readonly version: KubernetesVersion;
  readonly caches: VolumeCaches;
  readonly binder: VolumeBinder;
  readonly classOf: (name: string) => StorageClass | undefined;
  readonly mostRoom: MostRoom;
  readonly decisions: VolumeDecisions;
}

/** Remembers the running cycle's plan, from which `reserve` takes the volumes of the chosen node. */
export interface VolumeBindingPlugin extends Plugin {
  /** Assumes the volumes of the pod on the node and returns what is to be written; undefined if its claims are all bound. */
  reserve(pod: PodInfo, node: Node): PodVolumes | undefined;
  unreserve(volumes: PodVolumes): void;
  /** Records why no volume matched the claims of the rejected pod; `node` is an example of a node that has none. */
  recordUnmatched(node: Node): void;
}

function reject(reasons: readonly string[], explain?: Rejection["explain"]): Rejection {
  return {
    plugin: "VolumeBinding",
    unresolvable: true,
    reasons,
    ...(explain !== undefined && { explain }),
  };
}

function reasonText(conflict: VolumeConflict, version: KubernetesVersion): string {
  switch (conflict) {
    case "unreachable":
      return saysVolumeNodeAffinityConflict(version)
        ? "node(s) had volume node affinity conflict"
        : "node(s) didn't match PersistentVolume's node affinity";
    case "nothing-to-bind":
      return "node(s) didn't find available persistent volumes to bind";
    case "no-capacity":
      return "node(s) did not have enough free storage";
    case "volume-missing":
      return "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";
  }
}

function explain(
  { conflict, claim, volume }: Conflict,
  { classOf, mostRoom }: VolumeBindingParts,
  node: Node,
): FailedRule {
  const claimRef = refOf(claim);
  const volumeName = claim.spec.volumeName ?? "";
  switch (conflict) {
    case "unreachable":
      return {
        rule: "volume-node-affinity",
        wanted: `a node that can reach volume "${volumeName}"`,
        claim: claimRef,
        volume: makeRef("PersistentVolume", undefined, volumeName),
        found: volume === undefined ? "" : nodeAffinityText(volume),
        foundField: "spec.nodeAffinity",
      };
    case "nothing-to-bind":
      return {
        rule: "volume-to-bind",
        wanted: `a volume for claim "${claim.metadata.name}"`,
        claim: claimRef,
        found: nothingToBind(claim, classOf),
      };
    case "no-capacity":
      return {
        rule: "storage-capacity",
        wanted: requestedStorage(claim) ?? "0",
        claim: claimRef,
        ...roomFound(claim, mostRoom(effectiveClassName(claim), node)),
      };
    case "volume-missing":
      return {
        rule: "volume-exists",
        wanted: volumeName,
        wantedField: "spec.volumeName",
        found: "no such volume",
      };
  }
}

/** Blames the claim's size only if a smaller one would fit. */
function roomFound(
  claim: PersistentVolumeClaim,
  most: Quantity | undefined,
): Pick<FailedRule, "wantedField" | "found"> {
  const className = effectiveClassName(claim);
  if (most === undefined) {
    const found = `no CSIStorageCapacity of class ${className} for the node`;
    return { wantedField: "spec.storageClassName", found };
  }
  const asked = parseQuantity(requestedStorage(claim) ?? "");
  const size = formatQuantity(quantityOf(most.nanos, asked?.format ?? most.format));
  const found = `class ${className} has room for at most ${size} (CSIStorageCapacity)`;
  return { wantedField: "spec.resources.requests.storage", found };
}

function nothingToBind(
  claim: PersistentVolumeClaim,
  classOf: (name: string) => StorageClass | undefined,
): string {
  const selected = annotationOf(claim, annotation.selectedNode);
  if (selected !== undefined) return `selected for node ${selected}`;
  const storageClass = classOf(effectiveClassName(claim));
  return storageClass?.allowedTopologies === undefined
    ? "no volume that fits, and none can be provisioned"
    : "no volume that fits, and the class's allowedTopologies exclude the node";
}

function conflictsOn(plan: PodVolumePlan, node: Node): readonly Conflict[] {
  const found = plan.find(node);
  return found.ok ? [] : found.conflicts;
}

function usesClaim({ allClaimKeys }: PodInfo, claim: PersistentVolumeClaim): boolean {
  return allClaimKeys.includes(keyOf(claim));
}

function unusableClaim(answer: { readonly error: string; readonly claimName: string }): Rejection {
  const { error, claimName } = answer;
  const wanted = `a usable claim "${claimName}"`;
  const explained = { rule: "claim-usable", wanted, wantedField: "spec.volumes", found: error };
  return reject([error], () => [explained]);
}

function unboundClaims(claims: readonly PersistentVolumeClaim[]): Rejection {
  return reject(["pod has unbound immediate PersistentVolumeClaims"], () =>
    claims.map((claim) => ({
      rule: "claim-bound",
      wanted: `claim "${claim.metadata.name}" bound`,
      claim: refOf(claim),
      found: claim.status?.phase ?? "Pending",
      foundField: "status.phase",
    })),
  );
}

/** Nodes with the same kinds of conflict share a rejection. */
function nodeCheck(
  plan: PodVolumePlan,
  parts: VolumeBindingParts,
): (info: { readonly node: Node }) => Rejection | undefined {
  const rejections = new Map<string, Rejection>();
  return ({ node }) => {
    if (plan.suits(node)) return undefined;
    const kinds = conflictsOn(plan, node).map(({ conflict }) => conflict);
    const key = kinds.join();
    let rejection = rejections.get(key);
    if (rejection === undefined) {
      const reasons = kinds.map((kind) => reasonText(kind, parts.version));
      rejection = reject(reasons, (other) =>
        conflictsOn(plan, other.node).map((conflict) => explain(conflict, parts, other.node)),
      );
      rejections.set(key, rejection);
    }
    return rejection;
  };
}

export function volumeBinding(parts: VolumeBindingParts): VolumeBindingPlugin {
  const { caches, binder, classOf, decisions } = parts;
  /** The plan of the running cycle. */
  let plan: PodVolumePlan | undefined;
  const preFilter = ({ pod }: PodInfo): PreFilterResult => {
    const answer = podClaims(pod, caches, classOf);
    plan = undefined;
    if (answer === undefined) return skip;
    if (!answer.ok) return { type: "reject", rejection: unusableClaim(answer) };
    const { immediate } = answer.claims;
    if (immediate.length > 0) return { type: "reject", rejection: unboundClaims(immediate) };
    plan = binder.plan(answer.claims);
    return plan.suitsAnyNode ? skip : { type: "filter", filter: { check: nodeCheck(plan, parts) } };
  };
  return {
    name: "VolumeBinding",
    preFilter,
    reserve: (_, node) => {
      if (plan === undefined || plan.isBound) return undefined;
      const found = plan.find(node);
      if (!found.ok) return undefined;
      for (const { claim, volume } of found.volumes.bindings) {
        const request = plan.requestOn(node, claim);
        if (request !== undefined) decisions.matched(request, volume);
      }
      return binder.assume(found.volumes, node.metadata.name);
    },
    unreserve: (volumes) => binder.revert(volumes),
    recordUnmatched: (node) => {
      const found = plan?.find(node);
      if (found === undefined || found.ok) return;
      for (const { conflict, claim } of found.conflicts) {
        const request = conflict === "nothing-to-bind" ? plan?.requestOn(node, claim) : undefined;
        if (request !== undefined) decisions.unmatched(request);
      }
    },
    hints: volumeBindingHints,
  };
}

const volumeBindingHints: Plugin["hints"] = [
  hint("StorageClassAdd"),
  hint(
    "StorageClassUpdate",
    (_, { before, after }) => !deepEqual(before?.allowedTopologies, after?.allowedTopologies),
  ),
  hint("PersistentVolumeClaimAdd", (pod, event) => usesClaim(pod, eventObject(event))),
  hint("PersistentVolumeClaimUpdate", (pod, event) => usesClaim(pod, eventObject(event))),
  hint("PersistentVolumeAdd"),
  hint("PersistentVolumeUpdate"),
  hint("NodeAdd"),
  hint("NodeUpdateLabel"),
  hint("CSINodeAdd"),
  hint(
    "CSINodeUpdate",
    (_, { before, after }) =>
      before?.metadata.annotations?.[annotation.migratedPlugins] !==
      after?.metadata.annotations?.[annotation.migratedPlugins],
  ),
  hint("CSIStorageCapacityAdd"),
  hint("CSIStorageCapacityUpdate", (_, { before, after }) => {
    const is = after === undefined ? undefined : volumeLimit(after);
    const was = before === undefined ? undefined : volumeLimit(before);
    return is !== undefined && (was === undefined || compareQuantities(is, was) > 0);
  }),
  hint(
    "CSIDriverUpdate",
    ({ pod }, { before, after }) =>
      before?.spec.storageCapacity === true &&
      after?.spec.storageCapacity !== true &&
      (pod.spec.volumes ?? []).some((volume) => volume.csi?.driver === after?.metadata.name),
  ),
];
