/**
 * One kind of message: how it reads, who writes it by which rule, what is behind it and what helps. The patterns are the messages
 * that this engine's own components emit, older wordings of the same, and what others say inside of them or of what is not
 * simulated.
 */

export type Outlook =
  /** Good news. */
  | "done"
  /** Nothing is wrong; it goes on when something happens that is still to come. */
  | "waits"
  /** Tried again and again; it works as soon as the cause is gone. */
  | "retried"
  /** Nothing that runs in the cluster will ever change it. */
  | "stuck";

export interface MessagePattern {
  /** A statement in kebab case; unique. */
  readonly id: string;
  /** As upstream calls it: `persistentvolume-binder`, `kube-scheduler`. */
  readonly component: string;
  /** Upstream file and function. */
  readonly rule: string;
  /** Of the events that carry it; absent for parts of messages and for the API server's answers. */
  readonly reasons?: readonly string[];
  /**
   * Wordings, the present one first, as messages are read: with single blanks, without backquotes. `{volume}`, `{claim}`, `{class}`, `{pod}`,
   * `{node}`, `{driver}`, `{snapshot}`, `{secret}`, `{configMap}` stand for names of objects, `{detail}` for a message in the
   * message, others for any text.
   */
  readonly texts: readonly string[];
  readonly outlook: Outlook;
  /** One or two sentences; placeholders are filled in. */
  readonly cause: string;
  /** What a person can do, likeliest first; empty for good news. */
  readonly change: readonly string[];
  /** The field of the event's object that is to blame, where it is always the same one. */
  readonly field?: string;
  /** What is to blame stands in a secret that a class or a volume gives its driver. */
  readonly isOfSecret?: true;
  /** It stands in the middle of what somebody else says, and is looked for inside of other messages only; in any case. */
  readonly isAnywhere?: true;
  /** Put together of what kubectl shows of an object: parts of it stand in every description. */
  readonly isShown?: true;
  /** Says that something is amiss, and not what: any trouble that is predicted of the object may be it. */
  readonly isOutline?: true;
  /** As it should be: nothing to change, unless nothing else is told with it. */
  readonly isUsual?: true;
  /** What the event's reason alone tells: tried last. */
  readonly isLastResort?: true;
  /** How `{detail}` is read; as one message where absent. */
  readonly detail?: "node-reasons" | "list";
}

/** Letters that are read. Events are cut at 1024; conditions and answers of the API server are longer. */
export const messageLengthMax = 8192;

/** Backquotes are gone where a message was copied from a chat or an issue: they are read nowhere. */
export function asRead(message: string): string {
  return message.slice(0, messageLengthMax).replaceAll("`", "").replace(/\s+/g, " ").trim();
}

export type MessageValues = Readonly<Record<string, string>>;

/** A sentence with the values in it; of those that nobody knows an ellipsis. */
export function fillIn(sentence: string, values: MessageValues): string {
  return sentence.replace(/(?<!\$)\{(\w+)\}/g, (_, name: string) => values[name] ?? "…");
}
