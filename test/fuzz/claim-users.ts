/** Which pods use a claim: those that have a node and have not ended. A claim stays as long as they do. */
import { type KubeObject, type Ref, refOf } from "../../src/engine/api/meta.ts";
import type { WriteEntry } from "../../src/engine/trace/entry.ts";

/**
 * Who lets a claim go has asked the API server who uses it a few requests before, and the scheduler may not have heard yet
 * that the claim is being deleted. Upstream: pvc_protection_controller.go, askAPIServer.
 */
const raceMs = 1_000;

/** What keeps a claim longer, such as a snapshot's finalizer, keeps no pod from being scheduled meanwhile. */
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
