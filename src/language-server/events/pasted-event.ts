/** An event, or a message like one, in text that somebody has copied. */
import type { Kind } from "../../engine/api/meta.ts";

export interface PastedEvent {
  readonly message: string;
  readonly reason?: string;
  /** The sender that the text names, such as in the column From of a description. */
  readonly source?: string;
  /** The event is outdated: the description around it shows that its object is past that. */
  readonly isOver?: true;
  /** Undefined if the text does not say what the event is about. */
  readonly about?: { readonly kind: Kind; readonly namespace: string; readonly name: string };
}
