/**
 * A row of a table of events. `kubectl describe` prints Type, Reason, Age, From, Message, and before 1.8 FirstSeen, LastSeen,
 * Count, From, SubObjectPath, Type, Reason, Message; `kubectl get events` the object after the reason, with `-o wide` more
 * columns on both sides of the message, and before 1.14 the object before the type.
 */
import { knownMessage, knownParts } from "./known-text.ts";
import { unescaped, withoutLoneQuote } from "./log-lines.ts";
import type { PastedEvent } from "./pasted-event.ts";
import { kindOfResource } from "./resource-names.ts";

const typeAndReason = /^(.*?)(?<![\w'])(?:Normal|Warning)\s+([A-Z][A-Za-z]+):?(?:\s+(\S.*))?$/;

export function isRow(line: string): boolean {
  return /^(?:\W*|\s*(?:\S+\s+){1,12})(?:Normal|Warning)\s+[A-Z][A-Za-z]+:?(?:\s|$)/.test(line);
}

/** Undefined for a line of another form. */
export function eventRow(line: string): PastedEvent | undefined {
  if (!isRow(line)) return undefined;
  const [, before = "", reason = "", after] = typeAndReason.exec(line) ?? [];
  // Where the row is cut here, its message may stand in the next line.
  if (after === undefined) return undefined;
  const { message, ...columns } = { ...columnsBefore(before), ...columnsAfter(after) };
  const event = { ...columns, reason, ...messageIn(message, reason) };
  if (event.about === undefined) return event;
  return { ...event, about: { ...event.about, namespace: namespaceBefore(before) } };
}

type Columns = Pick<PastedEvent, "about" | "source">;

/** `shop  2m (x4 over 3m)`: of all namespaces, each row begins with its own. */
function namespaceBefore(before: string): string {
  const [, namespace = "", seen = ""] = /^([a-z0-9][a-z0-9-]*)\s+(\S.*)$/.exec(before.trim()) ?? [];
  return age.test(seen) && !age.test(namespace) ? namespace : "";
}

/** What the oldest tables have before the type. */
function columnsBefore(before: string): Columns {
  const [, source] = /^\s*\S+\s+\S+\s+\d+\s+\{?([\w.-]+)/.exec(before) ?? [];
  const [, name, kindName] =
    /(?<![\w.-])([\w.-]+)\.[0-9a-f]{15,16}\s+([A-Z]\w+)/.exec(before) ?? [];
  if (name !== undefined) {
    const kind = kindOfResource(kindName ?? "");
    return kind === undefined ? {} : { about: { kind, namespace: "", name } };
  }
  return source === undefined || /^\d/.test(source) ? {} : { source };
}

const age = /^(?:<\w+>|(?:\d+[smhdy])+)(?: ago)?(?: ?\(x\d+ over [^)]*\))?$/;
const component = /^\{?[a-z][\w./-]*(?:,? [\w.-]+)?[ }]*$/;

/** Who alone in a row is no message: that stands in the next line. */
const sender =
  /^\{?(?:kubelet|default-scheduler|(?:persistentvolume|attachdetach|snapshot|statefulset)-controller|external-resizer \S+)\b/;

/** `2m (x4 over 3m) kubelet …`, where copying has left single blanks between the columns of a description. */
function withSplitCells(after: string): string {
  return after.replace(
    /^((?:\d+[smhdy])+(?: \(x\d+ over [^)]*\))?) (kubelet|default-scheduler|[\w.-]+-controller|[\w.-]+_\S+) /,
    "$1  $2  ",
  );
}

function columnsAfter(after: string): Columns & { readonly message: string } {
  // What `-o wide` has behind the message: first seen, count and name.
  const plain = withSplitCells(
    after.replace(/(?<!\s)\s+(?:<\w+>|(?:\d+[smhdy])+)\s+\d+\s+[\w.-]+\.[0-9a-f]{15,16}$/, ""),
  );
  const cells = plain.split(/\s{2,}|\s*\t\s*/);
  const rest = (from: number): string => cells.slice(from).join(" ");
  const [first = "", second = ""] = cells;
  if (age.test(first)) {
    // Of a row that is wrapped here the message stands in the lines below.
    const hasSource = cells.length > 1 && component.test(second);
    return { message: rest(hasSource ? 2 : 1), ...(hasSource && sourceOf(second)) };
  }
  const [, resource = "", name = "", tail = ""] =
    /^([A-Za-z][A-Za-z.]*)\/([\w.-]+)(?:\s+(.*))?$/.exec(first) ?? [];
  const kind = kindOfResource(resource);
  if (kind !== undefined) {
    const about = { kind, namespace: "", name };
    if (tail !== "") return { about, message: [tail, ...cells.slice(1)].join(" ") };
    const from = /^spec\./.test(second) ? 2 : 1;
    const sender = cells[from] ?? "";
    const hasSource = cells.length > from + 1 && component.test(sender);
    return {
      about,
      message: rest(hasSource ? from + 1 : from),
      ...(hasSource && sourceOf(sender)),
    };
  }
  const ofKind = kindOfResource(first);
  // A table of somebody's own columns has the name in one, older kubectls have it in none.
  if (ofKind !== undefined && cells.length > 2 && /^[a-z0-9][a-z0-9.-]*$/.test(second))
    return { about: { kind: ofKind, namespace: "", name: second }, message: rest(2) };
  if (ofKind !== undefined && cells.length > 1) return { message: rest(1) };
  const hasSource = component.test(first) && (cells.length > 1 || sender.test(first));
  return { message: rest(hasSource ? 1 : 0), ...(hasSource && sourceOf(first)) };
}

/** `kubelet, node-a`: the node does not matter. */
function sourceOf(cell: string): Columns {
  return { source: cell.replace(/[{}]/g, "").replace(/,.*$/, "").trim() };
}

const skippedWordCountMax = 10;

/** Where blanks have been lost between the columns, what stands before the message is skipped until the rest is known. */
function messageIn(
  text: string,
  reason: string,
): { readonly message: string; readonly source?: string } {
  const whole = withoutLoneQuote(unescaped(text).trim());
  const known = knownMessage(whole, reason);
  if (known !== undefined) return { message: known };
  const words = whole.split(/\s+/);
  for (let from = 1; from < Math.min(words.length, skippedWordCountMax); from++) {
    const message = words.slice(from).join(" ");
    if (knownParts(message, reason) === 0) continue;
    const before = words[from - 1] ?? "";
    return { message, ...(component.test(before) && { source: before }) };
  }
  return { message: whole };
}
