/** An event, or a message like one, in text that somebody has copied. */
import type { Kind } from "../../engine/api/meta.ts";

export interface PastedEvent {
  readonly message: string;
  readonly reason?: string;
  /** Who has sent it, as the text says: the column From of a description. */
  readonly source?: string;
  /** What it tells has passed: the description that it stands in shows its object beyond that. */
  readonly isOver?: true;
  /** Undefined where the text does not say what the event is about. */
  readonly about?: { readonly kind: Kind; readonly namespace: string; readonly name: string };
}
