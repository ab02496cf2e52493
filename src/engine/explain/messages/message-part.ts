/** Messages that stand inside others, or come with whichever reason the caller gives them. */
import type { MessagePattern, Outlook } from "./message-pattern.ts";

/** The pattern of one message: what upstream's `rule` says, and what its reader can do. */
export type MessagePart = (
  id: string,
  rule: string,
  texts: readonly string[],
  cause: string,
  change: readonly string[],
  outlook?: Outlook,
  field?: string,
) => MessagePattern;

/** Makes the patterns of one component's messages, which are tried again unless they say otherwise; rules stand in `folder`. */
export function partsOf(component: string, folder = ""): MessagePart {
  return (id, rule, texts, cause, change, outlook = "retried", field) => {
    const pattern = { id, component, rule: `${folder}${rule}`, texts, outlook, cause, change };
    return field === undefined ? pattern : { ...pattern, field };
  };
}

/** What somebody outside of Kubernetes says, by a piece of text that tells it wherever it stands. */
export type ForeignMessage = (
  id: string,
  texts: readonly string[],
  cause: string,
  change: readonly string[],
) => MessagePattern;

export function foreignMessagesOf(component: string, rule: string): ForeignMessage {
  const part = partsOf(component);
  return (id, texts, cause, change) => ({
    ...part(id, rule, texts, cause, change),
    isAnywhere: true,
  });
}
