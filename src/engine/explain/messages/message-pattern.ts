/**
 * One kind of message: its wordings, which component writes it by which rule, the cause and what helps. There are patterns for
 * the messages of this engine's components, for their older wordings, for what others say inside them, and for situations that
 * are not simulated.
 */

export type Outlook =
  /** Good news. */
  | "done"
  /** Nothing is wrong: it goes on once something else has happened. */
  | "waits"
  /** Tried again and again; it works as soon as the cause is gone. */
  | "retried"
  /** Nothing that runs in the cluster will ever change it. */
  | "stuck";

export interface MessagePattern {
  /** A statement in kebab case; unique. */
  readonly id: string;
  /** By its upstream name: `persistentvolume-binder`, `kube-scheduler`. */
  readonly component: string;
  /** Upstream file and function. */
  readonly rule: string;
  /** The reasons of the events that carry it; absent for parts of messages and for answers of the API server. */
  readonly reasons?: readonly string[];
  /**
   * Wordings, the current one first, as `asRead` returns them: single blanks, no backquotes. Placeholders such as `{volume}`
   * and `{claim}` stand for names of objects (`objectNames` in wording.ts), `{detail}` for a message inside the message, and
   * others for numbers or any text.
   */
  readonly texts: readonly string[];
  readonly outlook: Outlook;
  /** One or two sentences; placeholders are filled in. */
  readonly cause: string;
  /** What a person can do, most likely to help first; empty for good news. */
  readonly change: readonly string[];
  /** The field of the event's object that is to blame, if it is always the same. */
  readonly field?: string;
  /** The cause is in a Secret that a class or a volume names for its driver. */
  readonly isOfSecret?: true;
  /** The text occurs in the middle of other messages, and is looked for only there, ignoring case. */
  readonly isAnywhere?: true;
  /** Composed of what kubectl shows for an object, so that parts of the text occur in every description. */
  readonly isShown?: true;
  /** Says that something is wrong, but not what: any predicted problem of the object may be the cause. */
  readonly isOutline?: true;
  /** A normal state, not worth changing unless the message tells of nothing else. */
  readonly isUsual?: true;
  /** Based on the event's reason alone: tried last. */
  readonly isLastResort?: true;
  /** How `{detail}` is read; absent for a single message. */
  readonly detail?: "node-reasons" | "list";
}

/** How many letters are read. Events are cut at 1024; conditions and answers of the API server may be longer. */
export const messageLengthMax = 8192;

/** The message with single blanks, and without backquotes, which are lost if it is copied from a chat or an issue. */
export function asRead(message: string): string {
  return message.slice(0, messageLengthMax).replaceAll("`", "").replace(/\s+/g, " ").trim();
}

export type MessageValues = Readonly<Record<string, string>>;

/** Puts the values into a sentence; an ellipsis for unknown ones. */
export function fillIn(sentence: string, values: MessageValues): string {
  return sentence.replace(/(?<!\$)\{(\w+)\}/g, (_, name: string) => values[name] ?? "…");
}
