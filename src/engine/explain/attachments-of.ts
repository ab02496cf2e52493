/** Which attachments a volume has, with no counterpart upstream: the attach-detach controller keeps the state of the world by volume. */
import type { KubeObject } from "../api/meta.ts";
import { push } from "../multi-map.ts";
import type { RunFacts } from "./run-facts.ts";

type Attachment = KubeObject<"VolumeAttachment">;

/** The attachments of a volume, on all nodes; none for an inline volume, which has no object. */
export function attachmentsOf(facts: RunFacts, volume: string): readonly Attachment[] {
  return indexOf(facts).get(volume) ?? [];
}

// Each pod that waits asks; going through all attachments for each would cost their product.
const indexes = new WeakMap<RunFacts, ReadonlyMap<string, readonly Attachment[]>>();

function indexOf(facts: RunFacts): ReadonlyMap<string, readonly Attachment[]> {
  const known = indexes.get(facts);
  if (known !== undefined) return known;
  const made = new Map<string, Attachment[]>();
  for (const attachment of facts.list("VolumeAttachment")) {
    const { persistentVolumeName } = attachment.spec.source;
    if (persistentVolumeName !== undefined) push(made, persistentVolumeName, attachment);
  }
  indexes.set(facts, made);
  return made;
}
