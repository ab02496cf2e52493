/** What the catalogue of messages knows about a message of Kubernetes: the changes that help, and the field to blame. */
import { fillIn } from "./messages/message-pattern.ts";
import { type Recognition, worthChanging } from "./messages/recognition.ts";
import { leavesOf, recognize } from "./messages/recognize.ts";

export interface Advice {
  /** Most likely to help first; empty if the catalogue knows none. */
  readonly changes: readonly string[];
  /** A field of the object that the message is about; absent if the message does not point at a single field. */
  readonly field?: string;
}

const changeCountMax = 3;

/** `reason` is the reason of the event that carries the message. */
export function adviceOf(message: string, reason: string | undefined): Advice {
  const leaves = worthChanging(leavesOf(recognize(message, reason)));
  const all = leaves.map(changesOf);
  // Nodes may refuse a pod for several reasons: each reason contributes its most likely change only.
  const changes = leaves.length === 1 ? all.flat() : all.flatMap(([first]) => first ?? []);
  const fields = new Set(leaves.map(({ pattern }) => pattern.field));
  const [field] = fields;
  return {
    changes: [...new Set(changes)].slice(0, changeCountMax),
    ...(fields.size === 1 && field !== undefined && { field }),
  };
}

function changesOf({ pattern, values }: Recognition): readonly string[] {
  return pattern.change.map((change) => fillIn(change, values));
}
