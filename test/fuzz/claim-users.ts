/** Checks that a claim stays as long as pods use it, that is, pods that have a node and have not ended. */
import { type KubeObject, type Ref, refOf } from "../../src/engine/api/meta.ts";
import type { WriteEntry } from "../../src/engine/trace/entry.ts";

/**
 * The controller lists the claim's users a few requests before it removes the finalizer, and the scheduler may not know yet
 * that the claim is being deleted. Upstream: pvc_protection_controller.go, askAPIServer.
 */
const raceMs = 1_000;

/** Only this finalizer counts: while others, such as a snapshot's, keep the claim longer, new pods may still be scheduled. */
const isProtected = (claim: KubeObject | undefined) =>
  claim?.metadata.finalizers?.includes("kubernetes.io/pvc-protection") === true;

export class ClaimUsers {
  /** Since when each pod uses a claim, by the pod's uid. */
  readonly #users = new Map<Ref, Map<string, number>>();

  write({ before, after, at }: WriteEntry): readonly string[] {
    const object = after ?? before;
    if (object?.kind === "PersistentVolumeClaim" && isProtected(before) && !isProtected(after)) {
      const users = [...(this.#users.get(refOf(object))?.values() ?? [])];
      return users.some((since) => since < at - raceMs)
        ? [`${object.metadata.name} is let go, though a pod uses it`]
        : [];
    }
    if (object?.kind !== "Pod") return [];
    const { metadata, spec, status } = object;
    const isOver = status?.phase === "Succeeded" || status?.phase === "Failed";
    const isUser = after !== undefined && spec.nodeName !== undefined && !isOver;
    for (const { persistentVolumeClaim } of spec.volumes ?? []) {
      if (persistentVolumeClaim === undefined) continue;
      const ref: Ref = `PersistentVolumeClaim/${metadata.namespace ?? ""}/${persistentVolumeClaim.claimName}`;
      const users = this.#users.get(ref) ?? new Map<string, number>();
      this.#users.set(ref, users);
      if (!isUser) users.delete(metadata.uid);
      else if (!users.has(metadata.uid)) users.set(metadata.uid, at);
    }
    return [];
  }
}
