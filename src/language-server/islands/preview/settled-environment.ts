/**
 * An environment whose complete run has ended, indexed to find what an edit affects: what is coupled with what, which volumes
 * are free, which claims have none, and what all pods have taken from the nodes.
 */

import { push } from "../../../engine/api/go/multi-map.ts";
import { makeRef, type Ref, refOf } from "../../../engine/api/meta.ts";
import { nanosPerOne } from "../../../engine/api/quantity.ts";
import { podTotalWithOverhead } from "../../../engine/api/resource-totals.ts";
import { defaultStorageClass, effectiveClassName } from "../../../engine/api/storage-class-name.ts";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  VolumeAttachment,
} from "../../../engine/api/types.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { sourceOf } from "../../prediction/source-of.ts";
import { lastWritten } from "../../workspace/environment.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { defaultClassNames, Shelf } from "../parting/shelf.ts";
import { CouplingIndex } from "./coupling-index.ts";

/** What one pod or one attached volume takes of a node. */
interface Taking {
  readonly node: string;
  /** By resource, in billionths of a unit. */
  readonly amounts: ReadonlyMap<string, bigint>;
  /** Driver of the attached volume; absent for a pod. */
  readonly driver?: string;
}

/** What is taken of a node in total. */
export class TakenOfNode {
  readonly amounts: Map<string, bigint> = new Map();
  /** Attached volumes, by driver. */
  readonly volumeCounts: Map<string, number> = new Map();

  copy(): TakenOfNode {
    const copy = new TakenOfNode();
    for (const [resource, nanos] of this.amounts) copy.amounts.set(resource, nanos);
    for (const [driver, count] of this.volumeCounts) copy.volumeCounts.set(driver, count);
    return copy;
  }

  count({ amounts, driver }: Taking, by: 1 | -1): void {
    for (const [resource, nanos] of amounts)
      this.amounts.set(resource, (this.amounts.get(resource) ?? 0n) + BigInt(by) * nanos);
    if (driver !== undefined)
      this.volumeCounts.set(driver, (this.volumeCounts.get(driver) ?? 0) + by);
  }
}

export class SettledEnvironment {
  readonly prediction: Prediction;
  readonly couplings: CouplingIndex;
  readonly shelf: Shelf;
  readonly #claims = new Map<WorkspaceObject, PersistentVolumeClaim[]>();
  readonly #claimOwners = new Map<Ref, WorkspaceObject>();
  /** By class, the volumes that files define. */
  readonly #volumes = new Map<string, WorkspaceObject[]>();
  /** Those among them that are not bound. */
  readonly #freeVolumes = new Map<string, WorkspaceObject[]>();
  /** By class, the claims without a volume. */
  readonly #waitingClaims = new Map<string, PersistentVolumeClaim[]>();
  /** By node, what all pods and volumes take. */
  readonly #taken = new Map<string, TakenOfNode>();
  readonly #takings = new Map<WorkspaceObject, Taking[]>();

  private constructor(prediction: Prediction, couplings: CouplingIndex) {
    this.prediction = prediction;
    this.couplings = couplings;
    const { environment } = prediction;
    this.shelf = new Shelf(environment, defaultClassNames(environment.objects));
  }

  /** Yields often. */
  static *of(prediction: Prediction): Generator<void, SettledEnvironment> {
    const couplings = yield* CouplingIndex.of(prediction.environment);
    const settled = new SettledEnvironment(prediction, couplings);
    const { facts } = prediction;
    for (const claim of facts.list("PersistentVolumeClaim")) {
      settled.#addClaim(claim);
      yield;
    }
    for (const volume of facts.list("PersistentVolume")) settled.#addVolume(volume);
    for (const pod of facts.list("Pod")) {
      settled.#addPod(pod);
      yield;
    }
    for (const attachment of facts.list("VolumeAttachment")) settled.#addAttachment(attachment);
    return settled;
  }

  /** The object in the files that led to an object of the run. */
  #ownerOf(ref: Ref): WorkspaceObject | undefined {
    return sourceOf(this.prediction, ref)?.entry;
  }

  #addClaim(claim: PersistentVolumeClaim): void {
    const owner = this.#ownerOf(refOf(claim));
    if (owner === undefined) return;
    push(this.#claims, owner, claim);
    this.#claimOwners.set(refOf(claim), owner);
    if (claim.spec.volumeName === undefined)
      push(this.#waitingClaims, effectiveClassName(claim), claim);
  }

  #addVolume(volume: PersistentVolume): void {
    const own = this.volumeEntry(volume.metadata.name ?? "");
    if (own === undefined) return;
    const className = effectiveClassName(volume);
    push(this.#volumes, className, own);
    if (volume.spec.claimRef === undefined) push(this.#freeVolumes, className, own);
  }

  #addPod(pod: Pod): void {
    const { nodeName } = pod.spec;
    const { phase } = pod.status ?? {};
    if (nodeName === undefined || phase === "Succeeded" || phase === "Failed") return;
    const amounts = new Map([["pods", nanosPerOne]]);
    for (const [resource, { nanos }] of podTotalWithOverhead(pod.spec, "requests"))
      amounts.set(resource, nanos);
    this.#take({ node: nodeName, amounts }, this.#ownerOf(refOf(pod)));
  }

  #take(taking: Taking, owner: WorkspaceObject | undefined): void {
    const ofNode = this.#taken.get(taking.node) ?? new TakenOfNode();
    this.#taken.set(taking.node, ofNode);
    ofNode.count(taking, 1);
    if (owner !== undefined) push(this.#takings, owner, taking);
  }

  #addAttachment({ spec }: VolumeAttachment): void {
    const volume = this.#volume(spec.source.persistentVolumeName ?? "");
    const owner = volume === undefined ? undefined : this.holderOf(volume);
    const { nodeName: node, attacher: driver } = spec;
    this.#take({ node, amounts: new Map(), driver }, owner);
  }

  #volume(name: string): PersistentVolume | undefined {
    return this.prediction.facts.get("PersistentVolume", undefined, name);
  }

  /** The entry of a volume that files define. */
  volumeEntry(name: string): WorkspaceObject | undefined {
    return lastWritten(this.prediction.environment, "PersistentVolume", undefined, name);
  }

  /** The volumes, as far as files define them, that are bound to claims made by an object. */
  *volumesOf(entry: WorkspaceObject): Iterable<WorkspaceObject> {
    for (const { spec } of this.#claims.get(entry) ?? []) {
      const volume = this.volumeEntry(spec.volumeName ?? "");
      if (volume !== undefined) yield volume;
    }
  }

  /** Volumes that claims made by an object almost got. */
  *missedBy(entry: WorkspaceObject): Iterable<PersistentVolume> {
    for (const claim of this.#claims.get(entry) ?? [])
      for (const { ref } of this.prediction.verdictOf.get(refOf(claim))?.candidates ?? []) {
        const volume = this.prediction.facts.objects.get(ref);
        if (volume?.kind === "PersistentVolume") yield volume;
      }
  }

  /** The object whose claim has a volume; undefined if the volume is free. */
  holderOf({ spec }: PersistentVolume): WorkspaceObject | undefined {
    const { namespace, name } = spec.claimRef ?? {};
    if (name === undefined) return undefined;
    return this.#claimOwners.get(makeRef("PersistentVolumeClaim", namespace, name));
  }

  holderOfVolume({ object }: WorkspaceObject): WorkspaceObject | undefined {
    const volume = this.#volume(object.name);
    return volume === undefined ? undefined : this.holderOf(volume);
  }

  volumesOfClass(className: string): readonly WorkspaceObject[] {
    return this.#volumes.get(className) ?? [];
  }

  freeVolumes(className: string): readonly WorkspaceObject[] {
    return this.#freeVolumes.get(className) ?? [];
  }

  /** True if an object's claim has no volume yet because a pod must be scheduled first. */
  waitsForPods(entry: WorkspaceObject): boolean {
    return (this.#claims.get(entry) ?? []).some(
      (claim) => claim.spec.volumeName === undefined && !this.#isInVain(claim),
    );
  }

  /** True if a claim has failed to get a volume. */
  #isInVain(claim: PersistentVolumeClaim): boolean {
    const { reason } = this.prediction.verdictOf.get(refOf(claim)) ?? {};
    return reason === "FailedBinding" || reason === "ProvisioningFailed";
  }

  /** The objects with unbound claims of a class: all that the named volume was a near miss for, and some of the others. */
  waitingFor(className: string, volume: string, otherCountMax: number): readonly WorkspaceObject[] {
    const ref = makeRef("PersistentVolume", "", volume);
    const { verdictOf } = this.prediction;
    const isNear = (claim: PersistentVolumeClaim): boolean =>
      verdictOf.get(refOf(claim))?.candidates.some((candidate) => candidate.ref === ref) === true;
    const waiting = this.#waitingClaims.get(className) ?? [];
    const others = waiting
      .filter((claim) => !isNear(claim) && this.#isInVain(claim))
      .slice(0, otherCountMax);
    return [...waiting.filter(isNear), ...others].flatMap(
      (claim) => this.#claimOwners.get(refOf(claim)) ?? [],
    );
  }

  get defaultClass(): string | undefined {
    return defaultStorageClass(this.prediction.facts.list("StorageClass"))?.metadata.name;
  }

  /** What is taken of each node, without the pods and claims of some objects. */
  takenWithout(left: Iterable<WorkspaceObject>): ReadonlyMap<string, TakenOfNode> {
    const taken = new Map(this.#taken);
    for (const owner of left)
      for (const taking of this.#takings.get(owner) ?? []) {
        const before = taken.get(taking.node) ?? new TakenOfNode();
        const ofNode = before === this.#taken.get(taking.node) ? before.copy() : before;
        taken.set(taking.node, ofNode);
        ofNode.count(taking, -1);
      }
    return taken;
  }
}
