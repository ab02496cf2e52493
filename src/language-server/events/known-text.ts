/** How much of a text the catalogue of messages knows. */
import type { Recognition } from "../../engine/explain/messages/recognition.ts";
import { recognize } from "../../engine/explain/messages/recognize.ts";

/** Of how many parts of the message it is known what they mean; 0 for text that nobody writes. */
export function knownParts(message: string, reason?: string): number {
  const found = recognize(message, reason);
  if (found === undefined) return 0;
  // Where a pattern has taken any text, or any list, nothing is told unless something is known inside of it.
  const takesAny = found.values["detail"] === message.trim() || /^\[.*\]$/.test(message);
  return takesAny && found.inner.length === 0 ? 0 : partCount(found);
}

/** The message, without the full stop of somebody's sentence where more of it is known so; undefined for others. */
export function knownMessage(message: string, reason?: string): string | undefined {
  const unstopped = message.replace(/[.,;]$/, "");
  const parts = knownParts(message, reason);
  if (unstopped !== message && knownParts(unstopped, reason) > parts) return unstopped;
  return parts > 0 ? message : undefined;
}

function partCount({ inner }: Recognition): number {
  return inner.reduce((sum, part) => sum + partCount(part), 1);
}
