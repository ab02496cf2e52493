/**
 * One kind of message that a component of Kubernetes writes: how it reads, who writes it by which rule, what is behind it
 * and what helps. The patterns are the messages that this engine's own components emit, and older wordings of the same.
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
   * Wordings, the present one first. `{volume}`, `{claim}`, `{class}`, `{pod}`, `{node}`, `{driver}`, `{snapshot}`,
   * `{secret}`, `{configMap}` stand for names of objects, `{detail}` for a message in the message, others for any text.
   */
  readonly texts: readonly string[];
  readonly outlook: Outlook;
  /** One or two sentences; placeholders are filled in. */
  readonly cause: string;
  /** What a person can do, likeliest first; empty for good news. */
  readonly change: readonly string[];
  /** The field of the event's object that is to blame, where it is always the same one. */
  readonly field?: string;
  /** How `{detail}` is read; as one message where absent. */
  readonly detail?: "node-reasons";
}

export type MessageValues = Readonly<Record<string, string>>;

interface Compiled {
  readonly expression: RegExp;
  readonly names: readonly string[];
}

const compiled = new WeakMap<MessagePattern, readonly Compiled[]>();

/** The values of the placeholders; undefined for another message. Runs of blanks count as one. */
export function matchMessage(pattern: MessagePattern, message: string): MessageValues | undefined {
  let expressions = compiled.get(pattern);
  if (expressions === undefined) {
    expressions = pattern.texts.map(compile);
    compiled.set(pattern, expressions);
  }
  for (const { expression, names } of expressions) {
    const match = expression.exec(message);
    if (match === null) continue;
    return Object.fromEntries(names.map((name, i) => [name, match[i + 1] ?? ""]));
  }
  return undefined;
}

function compile(text: string): Compiled {
  const names: string[] = [];
  const parts = text.split(/\{(\w+)\}/);
  const source = parts.map((part, i) => {
    if (i % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
    names.push(part);
    // The last one takes all that is left; a name never holds blanks or quotes.
    if (numbers.has(part)) return "(\\d+)";
    if (objectNames.has(part)) return "([^\\s\"']+?)";
    return i === parts.length - 2 && parts[i + 1] === "" ? "([\\s\\S]*)" : "([\\s\\S]*?)";
  });
  return { expression: new RegExp(`^${source.join("")}$`), names };
}

const numbers: ReadonlySet<string> = new Set(["available", "total", "count", "times"]);

/** Placeholders that stand for names of objects. */
const objectNames: ReadonlySet<string> = new Set([
  "volume",
  "claim",
  "class",
  "pod",
  "node",
  "driver",
  "snapshot",
  "content",
  "snapshotClass",
  "attributesClass",
  "secret",
  "configMap",
]);

/** A sentence with the values in it; of those that nobody knows an ellipsis. */
export function fillIn(sentence: string, values: MessageValues): string {
  return sentence.replace(/(?<!\$)\{(\w+)\}/g, (_, name: string) => values[name] ?? "…");
}
