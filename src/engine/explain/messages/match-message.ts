/** Whether a message matches a pattern, and the values of its placeholders. */
import type { MessagePattern, MessageValues } from "./message-pattern.ts";
import { type Wording, wording } from "./wording.ts";

const known = new WeakMap<MessagePattern, readonly Wording[]>();

/**
 * The values of the placeholders; undefined if the message, which has single blanks only, does not match. A wording that
 * matches any text counts only if the pattern was chosen by the event's reason.
 */
export function matchMessage(
  pattern: MessagePattern,
  message: string,
  chosenBy: "reason" | "text",
): MessageValues | undefined {
  const isAnywhere = pattern.isAnywhere === true;
  let wordings = known.get(pattern);
  if (wordings === undefined) {
    wordings = pattern.texts.map((text) => wording(text, isAnywhere ? "anywhere" : "whole"));
    known.set(pattern, wordings);
  }
  for (const [i, { names, pieces, valuesIn }] of wordings.entries()) {
    if (chosenBy === "text" && pattern.texts[i] === "{detail}") continue;
    // Most messages lack some of the fixed text, so this check saves time.
    if (!isAnywhere && !pieces.every((piece) => message.includes(piece))) continue;
    const values = valuesIn(message);
    if (values === undefined) continue;
    return Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""]));
  }
  return undefined;
}
