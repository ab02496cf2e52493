/**
 * A row of a table of events. `kubectl describe` prints Type, Reason, Age, From, Message (before 1.8: FirstSeen, LastSeen,
 * Count, From, SubObjectPath, Type, Reason, Message). `kubectl get events` prints the object after the reason (before 1.14
 * before the type), and with `-o wide` more columns on both sides of the message.
 */
import { knownMessage, knownParts } from "./known-text.ts";
import { unescaped, withoutLoneQuote } from "./log-lines.ts";
import type { PastedEvent } from "./pasted-event.ts";
import { kindOfResource } from "./resource-names.ts";

const typeAndReason = /^(.*?)(?<![\w'])(?:Normal|Warning)\s+([A-Z][A-Za-z]+):?(?:\s+(\S.*))?$/;

export function isRow(line: string): boolean {
  return /^(?:\W*|\s*(?:\S+\s+){1,12})(?:Normal|Warning)\s+[A-Z][A-Za-z]+:?(?:\s|$)/.test(line);
}

/** Undefined if the line has another form. */
export function eventRow(line: string): PastedEvent | undefined {
  if (!isRow(line)) return undefined;
  const [, before = "", reason = "", after] = typeAndReason.exec(line) ?? [];
  // The row is broken here; its message may be in the next line.
  if (after === undefined) return undefined;
  const { message, ...columns } = { ...columnsBefore(before), ...columnsAfter(after) };
  const event = { ...columns, reason, ...messageIn(message, reason) };
  if (event.about === undefined) return event;
  return { ...event, about: { ...event.about, namespace: namespaceBefore(before) } };
}

type Columns = Pick<PastedEvent, "about" | "source">;

/** With `--all-namespaces` a row begins with its namespace: `shop  2m (x4 over 3m)`. */
function namespaceBefore(before: string): string {
  const [, namespace = "", seen = ""] = /^([a-z0-9][a-z0-9-]*)\s+(\S.*)$/.exec(before.trim()) ?? [];
  return age.test(seen) && !age.test(namespace) ? namespace : "";
}

/** The columns that the oldest tables have before the type. */
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

/** Senders that cannot be a message when alone in a row: the message is in the next line. */
const sender =
  /^\{?(?:kubelet|default-scheduler|(?:persistentvolume|attachdetach|snapshot|statefulset)-controller|external-resizer \S+)\b/;

/** Splits `2m (x4 over 3m) kubelet …` into cells, if copying has left only single spaces between columns. */
function withSplitCells(after: string): string {
  return after.replace(
    /^((?:\d+[smhdy])+(?: \(x\d+ over [^)]*\))?) (kubelet|default-scheduler|[\w.-]+-controller|[\w.-]+_\S+) /,
    "$1  $2  ",
  );
}

function columnsAfter(after: string): Columns & { readonly message: string } {
  // Removes the columns that `-o wide` has after the message: first seen, count and name.
  const plain = withSplitCells(
    after.replace(/(?<!\s)\s+(?:<\w+>|(?:\d+[smhdy])+)\s+\d+\s+[\w.-]+\.[0-9a-f]{15,16}$/, ""),
  );
  const cells = plain.split(/\s{2,}|\s*\t\s*/);
  const rest = (from: number): string => cells.slice(from).join(" ");
  const [first = "", second = ""] = cells;
  if (age.test(first)) {
    // If the row is broken here, its message is in the lines below.
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
  // Custom columns may put the name into a column of its own; older versions of kubectl do not print it.
  if (ofKind !== undefined && cells.length > 2 && /^[a-z0-9][a-z0-9.-]*$/.test(second))
    return { about: { kind: ofKind, namespace: "", name: second }, message: rest(2) };
  if (ofKind !== undefined && cells.length > 1) return { message: rest(1) };
  const hasSource = component.test(first) && (cells.length > 1 || sender.test(first));
  return { message: rest(hasSource ? 1 : 0), ...(hasSource && sourceOf(first)) };
}

/** Drops the node of `kubelet, node-a`. */
function sourceOf(cell: string): Columns {
  return { source: cell.replace(/[{}]/g, "").replace(/,.*$/, "").trim() };
}

const skippedWordCountMax = 10;

/** The message, if spaces have been lost between the columns: skips words at the start until the rest is recognized. */
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
