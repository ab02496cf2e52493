/** Records why a claim got its volume on the pod's node, or none on any node; `explain` reads it. */
import { type Key, keyOf, refOf } from "../../api/meta.ts";
import type { PersistentVolume } from "../../api/types.ts";
import { nearMisses } from "../../matching/near-misses.ts";
import type { NodeRequest } from "../../matching/volume-inventory.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { VolumeCaches } from "./volume-caches.ts";

export class VolumeDecisions {
  readonly #context: ComponentContext;
  readonly #caches: VolumeCaches;
  /** The state of the volumes at a claim's last comparison: a retry without changes is not recorded again. */
  readonly #compared = new Map<Key, string>();

  constructor(context: ComponentContext, caches: VolumeCaches) {
    this.#context = context;
    this.#caches = caches;
  }

  matched(request: NodeRequest, chosen: PersistentVolume): void {
    const { inventory } = this.#caches;
    this.#compared.delete(keyOf(request.claim));
    this.#context.decide(refOf(request.claim), {
      reason: "Matched",
      chosen: refOf(chosen),
      candidates: nearMisses(inventory, request, chosen),
      candidateCount: inventory.count,
      because: [`Node//${request.node.name}`],
    });
  }

  /** `request`: with one of the nodes that were tried. */
  unmatched(request: NodeRequest): void {
    const { inventory } = this.#caches;
    const key = keyOf(request.claim);
    const stamp = `${inventory.version} ${request.claim.metadata.resourceVersion} ${request.node.name}`;
    if (this.#compared.get(key) === stamp) return;
    this.#compared.set(key, stamp);
    this.#context.decide(refOf(request.claim), {
      reason: "Unmatched",
      candidates: nearMisses(inventory, request, undefined),
      candidateCount: inventory.count,
      because: [`Node//${request.node.name}`],
    });
  }
}
