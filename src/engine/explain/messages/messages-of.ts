/** Messages of one sender, which need not say of each who says it and that it is tried again. */
import type { MessagePattern } from "./message-pattern.ts";

export type Message = Omit<MessagePattern, "component" | "outlook"> &
  Partial<Pick<MessagePattern, "outlook">>;

/** Makes the patterns of one component's messages, which are tried again unless they say otherwise; rules stand in `folder`. */
export function messagesOf(component: string, folder = ""): (message: Message) => MessagePattern {
  return ({ rule, ...message }) => ({
    component,
    rule: `${folder}${rule}`,
    outlook: "retried",
    ...message,
  });
}

/** What somebody outside of Kubernetes says, by a piece of text that tells it wherever it stands. */
export function foreignMessagesOf(
  component: string,
  rule: string,
): (message: Omit<Message, "rule"> & Partial<Pick<Message, "rule">>) => MessagePattern {
  const pattern = messagesOf(component);
  return (message) => pattern({ rule, isAnywhere: true, ...message });
}
