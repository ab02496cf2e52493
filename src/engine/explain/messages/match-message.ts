/** Whether a message is of a pattern, and what stands for its placeholders. */
import { literal } from "./literal.ts";
import type { MessagePattern, MessageValues } from "./message-pattern.ts";

export interface Compiled {
  readonly expression: RegExp;
  readonly names: readonly string[];
  /** The fixed text: a message that lacks some of it needs no closer look, and most messages are others. */
  readonly pieces: readonly string[];
  readonly start: string;
}

const compiled = new WeakMap<MessagePattern, readonly Compiled[]>();

/**
 * The values of the placeholders; undefined for another message, which has single blanks only. A wording that takes any
 * text tells something only together with the event's reason, by which the pattern has been chosen then.
 */
export function matchMessage(
  pattern: MessagePattern,
  message: string,
  chosenBy: "reason" | "text",
): MessageValues | undefined {
  let expressions = compiled.get(pattern);
  if (expressions === undefined) {
    expressions = pattern.texts.map((text) =>
      compile(text, pattern.isAnywhere === true ? "anywhere" : "whole"),
    );
    compiled.set(pattern, expressions);
  }
  for (const [i, { expression, names, pieces, start }] of expressions.entries()) {
    if (chosenBy === "text" && pattern.texts[i] === "{detail}") continue;
    if (!message.startsWith(start) || !pieces.every((piece) => message.includes(piece))) continue;
    const match = expression.exec(message);
    if (match === null) continue;
    return Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? ""]));
  }
  return undefined;
}

/** A text is the whole message, or may stand anywhere in the middle of others. */
export function compile(text: string, stands: "whole" | "anywhere"): Compiled {
  const isAnywhere = stands === "anywhere";
  const names: string[] = [];
  const parts = text.split(/\{(\w+)\}/);
  const source = parts.map((part, i) => {
    if (i % 2 === 0) return literal(part);
    names.push(part);
    // The last one takes all that is left; a name never holds blanks or quotes.
    if (numbers.has(part)) return "(\\d+)";
    // kubectl lists several with a star before each.
    if (part === "fieldPath") return "((?:\\* )?[^\\s:]+?)";
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
  "priorityClass",
  "secret",
  "configMap",
  // Of the API: `persistentvolumeclaims`, `nvidia.com/gpu`.
  "resource",
  "kind",
  "name",
]);
