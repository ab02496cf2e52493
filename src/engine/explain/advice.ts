/** What helps against what Kubernetes says, and which field is to blame: as the catalogue of messages knows it. */
import { fillIn } from "./messages/message-pattern.ts";
import { type Recognition, worthChanging } from "./messages/recognition.ts";
import { leavesOf, recognize } from "./messages/recognize.ts";

export interface Advice {
  /** Likeliest first; empty where nobody knows. */
  readonly changes: readonly string[];
  /** Of the object that the message is about; absent where it depends. */
  readonly field?: string;
}

const changeCountMax = 3;

/** `reason` is that of the message's event. */
export function adviceOf(message: string, reason: string | undefined): Advice {
  const leaves = worthChanging(leavesOf(recognize(message, reason)));
  const all = leaves.map(changesOf);
  // Of nodes that refuse a pod for several reasons, each reason has its first say.
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
