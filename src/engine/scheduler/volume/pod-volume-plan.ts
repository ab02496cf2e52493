/**
 * How a pod's claims could be served on each node: by existing volumes or by new ones. What does not depend on the node is
 * computed once. Upstream: kube-scheduler v1.36 plugins/volumebinding/binder.go FindPodVolumes.
 */
import { withFields } from "../../api/json.ts";
import type { Labels } from "../../api/selection/label-selector.ts";
import { topologyTermsMatch } from "../../api/selection/node-selector.ts";
import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from "../../api/types.ts";
import { annotation, annotationOf } from "../../matching/annotations.ts";
import { noProvisioner } from "../../matching/csi-migration.ts";
import { matchRequest } from "../../matching/match-request.ts";
import type { NodeFinder, NodeRequest } from "../../matching/volume-inventory.ts";
import { asPlaced } from "./in-tree-volumes.ts";
import type { PodClaims } from "./pod-claims.ts";
import { type Reach, reachOf } from "./reach.ts";
import type { CapacityCheck } from "./storage-capacity.ts";
import type { VolumeCaches } from "./volume-caches.ts";

/** Why a node cannot serve the claims. */
export type VolumeConflict = "unreachable" | "nothing-to-bind" | "no-capacity" | "volume-missing";

export interface StaticBinding {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

/** What has to be written for a pod to run on a node. */
export interface PodVolumes {
  readonly bindings: readonly StaticBinding[];
  /** Claims that a provisioner has to make a volume for. */
  readonly provisions: readonly PersistentVolumeClaim[];
}

export type NodeVolumes =
  | { readonly ok: true; readonly volumes: PodVolumes }
  /** In the order in which upstream reports them. */
  | { readonly ok: false; readonly conflicts: readonly Conflict[] };

export interface Conflict {
  readonly conflict: VolumeConflict;
  readonly claim: PersistentVolumeClaim;
  readonly volume?: PersistentVolume;
}

/** A bound claim that not every node can serve. */
interface BoundElsewhere {
  readonly claim: PersistentVolumeClaim;
  /** Absent if it does not exist. */
  readonly volume?: PersistentVolume;
  readonly reach: Reach;
}

/** An unbound claim with the requirements on its volume. */
interface Need {
  readonly claim: PersistentVolumeClaim;
  /** The node for which an earlier decision has it provisioned. */
  readonly selectedNode: string | undefined;
  /** Reused for every node, of which there are many; only the node and the excluded volumes change. */
  readonly request: Mutable<NodeRequest>;
  /** Absent if no volume could serve it on any node. */
  readonly findVolume: NodeFinder | undefined;
  /** Why no volume can be provisioned for it on a node; absent if one can be provisioned on any. */
  readonly provisionConflict: ((node: Node) => VolumeConflict | undefined) | undefined;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface PlanParts {
  readonly caches: VolumeCaches;
  readonly classOf: (name: string) => StorageClass | undefined;
  readonly capacityCheck: CapacityCheck;
  readonly attributesClasses: boolean;
}

const noLabels: Labels = {};
const nobodysVolumes: Set<string> = new Set();

export class PodVolumePlan {
  readonly #bound: readonly BoundElsewhere[];
  readonly #needs: readonly Need[];
  /** The needs without a selected node, the smallest first. */
  readonly #toMatch: readonly Need[];
  /** The answer for the unbound claims if it is the same on every node. */
  readonly #onAnyNode: NodeVolumes | undefined;

  /** Valid while nothing changes: for one scheduling cycle. */
  constructor(parts: PlanParts, claims: PodClaims) {
    this.#bound = claims.bound.flatMap((claim) => boundElsewhere(claim, parts));
    this.#needs = claims.delayed.map((claim) => need(claim, parts));
    this.#toMatch = this.#needs
      .filter(({ selectedNode }) => selectedNode === undefined)
      .toSorted(({ request: a }, { request: b }) =>
        a.size < b.size ? -1 : a.size > b.size ? 1 : 0,
      );
    const isSameOnAll = this.#needs.every(
      (n) =>
        n.selectedNode === undefined &&
        n.findVolume === undefined &&
        n.provisionConflict === undefined,
    );
    if (isSameOnAll) this.#onAnyNode = provisioned([], this.#toMatch);
  }

  get isBound(): boolean {
    return this.#needs.length === 0;
  }

  /** True if any node will do. */
  get suitsAnyNode(): boolean {
    return this.#bound.length === 0 && this.#onAnyNode !== undefined;
  }

  /** True if `find` would find no conflict. */
  suits(node: Node): boolean {
    const { name, labels } = node.metadata;
    for (const { reach } of this.#bound) if (!reach(labels)) return false;
    if (this.#onAnyNode !== undefined) return true;
    let isProvisioned = true;
    for (const { selectedNode, findVolume } of this.#needs) {
      if (selectedNode !== undefined && selectedNode !== name) return false;
      if (selectedNode === undefined && findVolume !== undefined) isProvisioned = false;
    }
    if (!isProvisioned) return this.#findForUnbound(node).ok;
    for (const { provisionConflict } of this.#needs)
      if (provisionConflict?.(node) !== undefined) return false;
    return true;
  }

  find(node: Node): NodeVolumes {
    const ofBound = this.#boundConflict(node);
    const unbound = this.#onAnyNode ?? this.#findForUnbound(node);
    if (ofBound === undefined) return unbound;
    const ofUnbound = unbound.ok ? [] : unbound.conflicts;
    return {
      ok: false,
      conflicts:
        ofBound.conflict === "unreachable" ? [ofBound, ...ofUnbound] : [...ofUnbound, ofBound],
    };
  }

  /** The requirements on volumes for an unbound claim; undefined if it has a selected node. */
  requestOn(node: Node, claim: PersistentVolumeClaim): NodeRequest | undefined {
    const { name, labels = noLabels } = node.metadata;
    const asked = this.#toMatch.find((need) => need.claim === claim)?.request;
    return asked === undefined ? undefined : { ...asked, node: { name, labels } };
  }

  /** Upstream: checkBoundClaims. Stops at the first claim whose volume is out of reach. */
  #boundConflict({ metadata: { labels } }: Node): Conflict | undefined {
    for (const { claim, volume, reach } of this.#bound) {
      if (volume === undefined) return { conflict: "volume-missing", claim };
      if (!reach(labels)) return { conflict: "unreachable", claim, volume };
    }
    return undefined;
  }

  #findForUnbound(node: Node): NodeVolumes {
    const { name } = node.metadata;
    const toProvision: Need[] = [];
    for (const need of this.#needs) {
      if (need.selectedNode === name) toProvision.push(need);
      else if (need.selectedNode !== undefined)
        return { ok: false, conflicts: [{ conflict: "nothing-to-bind", claim: need.claim }] };
    }
    const bindings = this.#match(node, toProvision);
    for (const need of toProvision) {
      const conflict = need.provisionConflict?.(node);
      if (conflict !== undefined)
        return { ok: false, conflicts: [{ conflict, claim: need.claim }] };
    }
    return provisioned(bindings, toProvision);
  }

  /**
   * Each volume serves one claim of the pod; claims without a match are added to `toProvision`. Upstream: findMatchingVolumes.
   */
  #match(node: Node, toProvision: Need[]): readonly StaticBinding[] {
    const bindings: StaticBinding[] = [];
    const { name, labels = noLabels } = node.metadata;
    const where = { name, labels };
    const excluded = this.#toMatch.length > 1 ? new Set<string>() : nobodysVolumes;
    for (const need of this.#toMatch) {
      const { claim, request } = need;
      request.node = where;
      request.excluded = excluded;
      const volume = need.findVolume?.(request);
      if (volume === undefined) {
        toProvision.push(need);
        continue;
      }
      bindings.push({ claim, volume });
      if (excluded !== nobodysVolumes) excluded.add(volume.metadata.name);
    }
    return bindings;
  }
}

function boundElsewhere(
  claim: PersistentVolumeClaim,
  { caches }: PlanParts,
): readonly BoundElsewhere[] {
  const known = caches.volume(claim.spec.volumeName ?? "");
  if (known === undefined) return [{ claim, reach: () => false }];
  const volume = asPlaced(known);
  const reach = reachOf(volume);
  return reach === undefined ? [] : [{ claim, volume, reach }];
}

function provisioned(
  bindings: readonly StaticBinding[],
  toProvision: readonly Need[],
): NodeVolumes {
  return { ok: true, volumes: { bindings, provisions: toProvision.map(({ claim }) => claim) } };
}

/** Upstream: checkVolumeProvisions. */
function provisionConflict(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
  capacityCheck: CapacityCheck,
): Need["provisionConflict"] {
  const provisioner = storageClass?.provisioner ?? "";
  if (storageClass === undefined || provisioner === "" || provisioner === noProvisioner)
    return () => "nothing-to-bind";
  const { allowedTopologies } = storageClass;
  const hasRoom = capacityCheck(claim, storageClass);
  if (allowedTopologies === undefined && hasRoom === undefined) return undefined;
  return (node) => {
    if (!topologyTermsMatch(allowedTopologies, node.metadata.labels)) return "nothing-to-bind";
    return hasRoom?.(node) === false ? "no-capacity" : undefined;
  };
}

function need(claim: PersistentVolumeClaim, parts: PlanParts): Need {
  const { attributesClasses, caches, classOf, capacityCheck } = parts;
  const node = { name: "", labels: noLabels };
  const asked = matchRequest(claim, { delayed: true, attributesClasses });
  const request = withFields(asked, { node, excluded: nobodysVolumes });
  return {
    claim,
    selectedNode: annotationOf(claim, annotation.selectedNode),
    request,
    findVolume: caches.inventory.finderFor(request),
    provisionConflict: provisionConflict(claim, classOf(asked.className), capacityCheck),
  };
}
