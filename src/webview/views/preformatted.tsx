/** Lines that do not wrap. If they are wider than the page, arrow keys scroll them. */
import type { ComponentChildren, JSX } from "preact";

export function Preformatted({ children }: { readonly children: ComponentChildren }): JSX.Element {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
  return <pre tabIndex={0}>{children}</pre>;
}
