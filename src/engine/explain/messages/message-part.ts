/** A message that stands inside another one, or comes with whichever reason the caller gives it. */
import type { MessagePattern } from "./message-pattern.ts";

export function failure(
  component: string,
  id: string,
  rule: string,
  texts: readonly string[],
  cause: string,
  change: readonly string[],
  outlook: MessagePattern["outlook"] = "retried",
  field?: string,
): MessagePattern {
  const pattern = { id, component, rule, texts, outlook, cause, change };
  return field === undefined ? pattern : { ...pattern, field };
}
