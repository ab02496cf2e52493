/** Escapes a text for a regular expression: Node 20 has no RegExp.escape. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
