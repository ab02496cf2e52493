/**
 * Stores a new PersistentVolume, retrying without limit: the storage exists already and must not be lost.
 * Upstream: sig-storage-lib-external-provisioner v13 controller/volume_store.go queueStore.
 */
import { type Draft, refOf } from "../../api/meta.ts";
import type { PersistentVolumeClaim } from "../../api/types.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { create, event, type Task } from "../../runtime/effects.ts";
import { done, type Reconcile, retry } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";

interface Unsaved {
  readonly volume: Draft<"PersistentVolume">;
  readonly claim: PersistentVolumeClaim;
}

export class VolumeSaver {
  readonly #context: ComponentContext;
  readonly #unsaved = new Map<string, Unsaved>();
  readonly #queue: WorkQueue;

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#queue = context.queue({ sync: (name) => this.#sync(name) });
  }

  *save(volume: Draft<"PersistentVolume">, claim: PersistentVolumeClaim): Task {
    if (yield* this.#store({ volume, claim })) return;
    const name = volume.metadata.name ?? "";
    this.#unsaved.set(name, { volume, claim });
    this.#queue.add(name);
  }

  *#sync(name: string): Reconcile {
    const unsaved = this.#unsaved.get(name);
    if (unsaved === undefined) return done("Saved");
    if (!(yield* this.#store(unsaved))) return retry("the volume could not be stored");
    this.#unsaved.delete(name);
    return done("Saved");
  }

  *#store({ volume, claim }: Unsaved): Task<boolean> {
    const created = yield* create(volume);
    if (!created.ok && created.error.reason !== "AlreadyExists") return false;
    const name = volume.metadata.name ?? "";
    const [known] = this.#context
      .informer("PersistentVolumeClaim")
      .byIndex("uid", claim.metadata.uid);
    if (known === undefined) return true;
    const text = `Successfully provisioned volume ${name}`;
    yield* event(refOf(known), "Normal", "ProvisioningSucceeded", text);
    return true;
  }
}
