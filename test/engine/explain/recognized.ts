/** Recognized messages in one line each, for tests. */
import assert from "node:assert/strict";
import type { Recognition } from "../../../src/engine/explain/messages/recognition.ts";
import { recognize } from "../../../src/engine/explain/messages/recognize.ts";

/** The outermost pattern, then those inside it: `publish-failed > driver-not-registered`. */
export function print(found: Recognition | undefined): string {
  if (found === undefined) return "unknown";
  const { pattern, inner, nodeCount } = found;
  const count = nodeCount === undefined ? "" : `${nodeCount}× `;
  const rest = inner.map(print).join(", ");
  return `${count}${pattern.id}${rest === "" ? "" : ` > ${rest}`}`;
}

export function check(cases: Readonly<Record<string, string>>, reason?: string): void {
  for (const [message, wanted] of Object.entries(cases))
    assert.equal(print(recognize(message, reason)), wanted, message);
}
