/** Whether a message is of a pattern, and what stands for its placeholders. */
import type { MessagePattern, MessageValues } from "./message-pattern.ts";
import { type Wording, wording } from "./wording.ts";

const known = new WeakMap<MessagePattern, readonly Wording[]>();

/**
 * The values of the placeholders; undefined for another message, which has single blanks only. A wording that takes any
 * text tells something only together with the event's reason, by which the pattern has been chosen then.
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
    // A message that lacks some of the fixed text needs no closer look, and most messages are others.
    if (!isAnywhere && !pieces.every((piece) => message.includes(piece))) continue;
    const values = valuesIn(message);
    if (values === undefined) continue;
    return Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""]));
  }
  return undefined;
}
