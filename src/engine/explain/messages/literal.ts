/** A text as part of a pattern, for Node 20 has no RegExp.escape. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
