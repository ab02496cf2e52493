/**
 * One kind of message that a component of Kubernetes writes: how it reads, who writes it by which rule, what is behind it
 * and what helps. The patterns are the messages that this engine's own components emit, and older wordings of the same.
 */
import { literal } from "./literal.ts";

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
   * Wordings, the present one first, with single blanks as messages are read. `{volume}`, `{claim}`, `{class}`, `{pod}`,
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
  /** It stands in the middle of what somebody else says, and is looked for inside of other messages only; in any case. */
  readonly isAnywhere?: true;
  /** What the event's reason alone tells: tried last. */
  readonly isLastResort?: true;
  /** How `{detail}` is read; as one message where absent. */
  readonly detail?: "node-reasons" | "list";
}

export type MessageValues = Readonly<Record<string, string>>;

interface Compiled {
  readonly expression: RegExp;
  readonly names: readonly string[];
  /** The fixed text: a message that lacks some of it needs no closer look, and most messages are others. */
  readonly pieces: readonly string[];
  readonly start: string;
}

const compiled = new WeakMap<MessagePattern, readonly Compiled[]>();

/**
 * The values of the placeholders; undefined for another message, which has single blanks only. A wording that takes any
 * text tells something only together with the event's reason.
 */
export function matchMessage(
  pattern: MessagePattern,
  message: string,
  isReasonKnown: boolean,
): MessageValues | undefined {
  let expressions = compiled.get(pattern);
  if (expressions === undefined) {
    expressions = pattern.texts.map((text) => compile(text, pattern.isAnywhere === true));
    compiled.set(pattern, expressions);
  }
  for (const [i, { expression, names, pieces, start }] of expressions.entries()) {
    if (!isReasonKnown && pattern.texts[i] === "{detail}") continue;
    if (!message.startsWith(start) || !pieces.every((piece) => message.includes(piece))) continue;
    const match = expression.exec(message);
    if (match === null) continue;
    return Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? ""]));
  }
  return undefined;
}

function compile(text: string, isAnywhere: boolean): Compiled {
  const names: string[] = [];
  const parts = text.split(/\{(\w+)\}/);
  const source = parts.map((part, i) => {
    if (i % 2 === 0) return literal(part);
    names.push(part);
    // The last one takes all that is left; a name never holds blanks or quotes.
    if (numbers.has(part)) return "(\\d+)";
    if (objectNames.has(part)) return "([^\\s\"']+?)";
    return i === parts.length - 2 && parts[i + 1] === "" ? "([\\s\\S]*)" : "([\\s\\S]*?)";
  });
  const whole = source.join("");
  const takesRest = whole.endsWith("([\\s\\S]*)");
  const expression = isAnywhere
    ? new RegExp(takesRest ? `${whole}$` : whole, "i")
    : new RegExp(`^${whole}$`);
  // Letters of either case are compared by the expression alone.
  const pieces = isAnywhere ? [] : parts.filter((part, i) => i % 2 === 0 && part !== "");
  return { expression, names, pieces, start: isAnywhere ? "" : (parts[0] ?? "") };
}

const numbers: ReadonlySet<string> = new Set(["available", "total", "count", "times", "exitCode"]);

/** A message that is cut in the middle of its text: what of it is there. */
export interface Beginning {
  readonly values: MessageValues;
  /** Letters of fixed text. */
  readonly fixedLength: number;
}

/** Less of a beginning is that of many messages. */
const beginningLengthMin = 24;

/** Where `line` ends with the beginning of such a message; a message that is there as a whole is none. */
export function matchBeginning(pattern: MessagePattern, line: string): Beginning | undefined {
  for (const text of pattern.texts) {
    const parts = text.split(/\{(\w+)\}/);
    const first = parts[0] ?? "";
    const start =
      first.length < firstLettersMin ? -1 : line.indexOf(first.slice(0, firstLettersMin));
    if (start < 0) continue;
    const found = beginningOf(parts, line.slice(start));
    if (found !== undefined && found.fixedLength >= beginningLengthMin) return found;
  }
  return undefined;
}

const firstLettersMin = 8;

function beginningOf(parts: readonly string[], message: string): Beginning | undefined {
  for (let end = parts.length - 1; end >= 0; end -= 2) {
    const before = parts.slice(0, end);
    const fixedBefore = before.filter((_, i) => i % 2 === 0).join("").length;
    const piece = parts[end] ?? "";
    // A value ends where the text behind it begins.
    const { expression, names } = compile(`${asText(before)}${piece.slice(0, 1)}{rest}`, false);
    const match = expression.exec(message);
    if (match === null || piece === "") continue;
    const rest = piece.slice(0, 1) + (match[names.length] ?? "");
    if (!piece.startsWith(rest)) continue;
    const values = Object.fromEntries(
      names.slice(0, -1).map((name, i) => [name, match[i + 1] ?? ""]),
    );
    return { values, fixedLength: fixedBefore + rest.length };
  }
  return undefined;
}

function asText(parts: readonly string[]): string {
  return parts.map((part, i) => (i % 2 === 0 ? part : `{${part}}`)).join("");
}

/** Placeholders that stand for names of objects, and of their kinds. */
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
  // Of the API: `persistentvolumeclaims`, `nvidia.com/gpu`.
  "resource",
  "name",
]);

/** A sentence with the values in it; of those that nobody knows an ellipsis. */
export function fillIn(sentence: string, values: MessageValues): string {
  return sentence.replace(/(?<!\$)\{(\w+)\}/g, (_, name: string) => values[name] ?? "…");
}
