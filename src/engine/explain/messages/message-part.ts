/** Messages that stand inside others, or come with whichever reason the caller gives them. */
import type { MessagePattern } from "./message-pattern.ts";

/** The pattern of one message: what upstream's `rule` says, and what its reader can do. */
export type MessagePart = (
  id: string,
  rule: string,
  texts: readonly string[],
  cause: string,
  change: readonly string[],
  outlook?: MessagePattern["outlook"],
  field?: string,
) => MessagePattern;

/** Makes the patterns of one component's messages, which are tried again unless they say otherwise; rules stand in `folder`. */
export function partsOf(component: string, folder = ""): MessagePart {
  return (id, rule, texts, cause, change, outlook = "retried", field) => {
    const pattern = { id, component, rule: `${folder}${rule}`, texts, outlook, cause, change };
    return field === undefined ? pattern : { ...pattern, field };
  };
}
