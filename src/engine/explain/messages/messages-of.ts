/** Makes patterns for the messages of one component, which share its name and mostly the outlook "retried". */
import type { MessagePattern } from "./message-pattern.ts";

export type Message = Omit<MessagePattern, "component" | "outlook"> &
  Partial<Pick<MessagePattern, "outlook">>;

/** Makes one component's patterns. The outlook is "retried" if absent; rules are paths relative to `folder`. */
export function messagesOf(component: string, folder = ""): (message: Message) => MessagePattern {
  return ({ rule, ...message }) => ({
    component,
    rule: `${folder}${rule}`,
    outlook: "retried",
    ...message,
  });
}

/** Makes patterns for texts of programs outside Kubernetes, recognized wherever they occur in a message. */
export function foreignMessagesOf(
  component: string,
  rule: string,
): (message: Omit<Message, "rule"> & Partial<Pick<Message, "rule">>) => MessagePattern {
  const pattern = messagesOf(component);
  return (message) => pattern({ rule, isAnywhere: true, ...message });
}
