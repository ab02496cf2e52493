/** How much of a text the catalog of messages recognizes. */
import type { Recognition } from "../../engine/explain/messages/recognition.ts";
import { recognize } from "../../engine/explain/messages/recognize.ts";

/** Number of parts of the message that are recognized; 0 if nothing is. */
export function knownParts(message: string, reason?: string): number {
  const found = recognize(message, reason);
  if (found === undefined) return 0;
  // A pattern that accepts any text, or any list, counts only if something is recognized inside.
  const takesAny = found.values["detail"] === message.trim() || /^\[.*\]$/.test(message);
  return takesAny && found.inner.length === 0 ? 0 : partCount(found);
}

/** The message if it is recognized, without a full stop at its end if more is recognized without it; else undefined. */
export function knownMessage(message: string, reason?: string): string | undefined {
  const unstopped = message.replace(/[.,;]$/, "");
  const parts = knownParts(message, reason);
  if (unstopped !== message && knownParts(unstopped, reason) > parts) return unstopped;
  return parts > 0 ? message : undefined;
}

function partCount({ inner }: Recognition): number {
  return inner.reduce((sum, part) => sum + partCount(part), 1);
}
