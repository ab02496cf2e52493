/** Events in copied lines: of a description, a list, a log, or on their own. */
import { messagePatterns } from "../../engine/explain/messages/catalogue.ts";
import { recognizeFragment } from "../../engine/explain/messages/fragment.ts";
import { describedObject } from "./described-object.ts";
import { eventRow, isRow } from "./event-rows.ts";
import { knownMessage, knownParts } from "./known-text.ts";
import { isLogLine, logLine, unescaped, withoutLoneQuote } from "./log-lines.ts";
import { passedReasons } from "./passed-events.ts";
import type { PastedEvent } from "./pasted-event.ts";
import { lineLengthMax, plainLines } from "./plain-lines.ts";
import { describedState, tableReader } from "./shown-state.ts";

/** How many lines of a description are searched for the kind and state of its object. */
const headLineCount = 60;

/** A generator, so that a caller who has enough need not read the rest. */
export function* eventLines(text: string): Generator<PastedEvent> {
  const lines = plainLines(text);
  const joins: Joins = { left: joinCountMax };
  let described: Described | undefined;
  const listedIn = tableReader();
  /** Reason from a line above the message: `Reason:  Evicted` of a status, or `Warning  FailedMount` of a broken row. */
  let reason: string | undefined;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (/^Name:\s/.test(line)) {
      described = describedAt(lines, index);
      if (described.state !== undefined) yield described.state;
    }
    const listed = listedIn(line);
    if (listed !== undefined) {
      yield listed;
      continue;
    }
    // In a node's description: kubectl may not be allowed to read its heartbeats, which is not an event.
    if (/^Lease:\s+Failed to get lease:/.test(line)) continue;
    const stated =
      /^\s*"?reason"?:\s+"?(\w+)"?,?$/i.exec(line)?.[1] ??
      /^\s*(?:Normal|Warning)\s+([A-Z]\w+)$/.exec(line)?.[1];
    if (stated !== undefined) {
      reason = stated;
      continue;
    }
    const event = eventIn(line, reason);
    if (event === undefined) continue;
    const below = lines.slice(index + 1, index + 1 + lineBelowCountMax);
    const { whole, lineCount } = withLinesBelow(event, line, below, reason, joins);
    index += lineCount;
    if (whole.message === "") continue;
    reason = undefined;
    yield described === undefined ? whole : eventOf(described, whole, index - lineCount);
  }
}

/** The description that the following lines belong to. */
interface Described {
  readonly about: PastedEvent["about"];
  readonly state: PastedEvent | undefined;
  /** True if an event with this reason, in this line, has been superseded by the object's present state. */
  readonly isPassed: (reason: string, at: number) => boolean;
}

function describedAt(lines: readonly string[], index: number): Described {
  const below = lines.slice(index + 1).findIndex((line) => /^Name:\s/.test(line));
  const all = lines.slice(index, below < 0 ? lines.length : index + 1 + below);
  const head = all.slice(0, headLineCount);
  const about = describedObject(head);
  const passed = passedReasons(head, about);
  // Rows are in the order in which they were last seen, and containers start only after all volumes are mounted.
  const startedAt = index + all.findLastIndex((line) => /^\s+Normal\s+Started\s/.test(line));
  return {
    about,
    state: describedState(head, about),
    isPassed: (reason, at) => passed.has(reason) || (at < startedAt && ofVolumes.has(reason)),
  };
}

const ofVolumes: ReadonlySet<string> = new Set(["FailedAttachVolume", "FailedMount"]);

/** Attributes an event to the described object, unless it names its own: other texts may follow the description. */
function eventOf({ about, isPassed }: Described, event: PastedEvent, at: number): PastedEvent {
  if (event.about !== undefined || about === undefined) return event;
  const isOver = event.reason !== undefined && isPassed(event.reason, at);
  return { ...event, about, ...(isOver && { isOver }) };
}

function eventIn(line: string, statedReason: string | undefined): PastedEvent | undefined {
  const columns = eventRow(line) ?? logLine(line);
  if (columns !== undefined) return columns;
  const said = looseLine(line, statedReason);
  const isKnown = partsOf(said) > 0 || recognizeFragment(said.message) !== undefined;
  return isKnown ? said : undefined;
}

function partsOf({ message, reason }: PastedEvent): number {
  return knownParts(message, reason);
}

const lineBelowCountMax = 8;

/** Budget of one text for trying messages together with the lines below, each of which is another recognition. */
interface Joins {
  left: number;
}

/** Enough for some hundred messages. Table rows and log lines, of which there are more, are not joined. */
const joinCountMax = 2000;

/** Separator with which the cells of a joined table row stay apart. */
const apart = "  ";
/**
 * How to join lines: as separate cells, or without a space where a window broke a word. A row without a message was not broken
 * inside a word.
 */
const jointsAfter = ({ message }: PastedEvent): readonly string[] =>
  message === "" ? [apart] : [apart, ""];

/**
 * Joins a message with the lines below that continue it: it had line breaks, like the output of a mount command, or was
 * wrapped. Takes as many lines as let more of the message be recognized.
 */
function withLinesBelow(
  event: PastedEvent,
  line: string,
  below: readonly string[],
  statedReason: string | undefined,
  joins: Joins,
): { readonly whole: PastedEvent; readonly lineCount: number } {
  let best = { whole: event, lineCount: 0 };
  let bestParts = partsOf(event);
  let text = line;
  const joints = jointsAfter(event);
  for (const [i, next] of below.entries()) {
    if (joins.left <= 0 || text.length > lineLengthMax) break;
    if (next.trim() === "" && goesOnBehindBlank(text, below[i + 1])) continue;
    const isOther = next.trim() === "" || isRow(next) || isLogLine(next);
    if (isOther || (isField(next) && !isSplitAtField(text, next))) break;
    const tried = joints.map((joint) => {
      const joined = `${text}${joint}${next.trim()}`;
      joins.left -= 1;
      const found = eventRow(joined) ?? logLine(joined) ?? looseLine(joined, statedReason);
      return { joined, found, parts: partsOf(found) };
    });
    const [asCell, asWord] = tried;
    const better = (asWord?.parts ?? 0) > (asCell?.parts ?? 0) ? asWord : asCell;
    text = better?.joined ?? text;
    if (better === undefined || better.parts < bestParts) continue;
    if (better.parts === bestParts && !iscsiLine.test(next)) continue;
    best = { whole: better.found, lineCount: i + 1 };
    bestParts = better.parts;
  }
  return best;
}

/** The lines of a failed mount command. Upstream: mount-utils mount_linux.go doMount. */
const mountCommandLine = /^\s*(?:Mounting (?:command|arguments)|Unmounting arguments|Output):/;

/** Output of iscsiadm: no component begins a message like that. Upstream: pkg/volume/iscsi/iscsi_util.go AttachDisk. */
const iscsiLine = /^\s*iscsi(?:adm)?:/;

/** Some web pages put an empty line between any two lines. */
function goesOnBehindBlank(text: string, next: string | undefined): boolean {
  return next !== undefined && (/:\s*$/.test(text) || mountCommandLine.test(next));
}

/**
 * True if a line break splits the API server's complaint about a field or a quota. Upstream: apimachinery util/validation/field
 * ErrorType.
 */
function isSplitAtField(text: string, next: string): boolean {
  const kinds = "(?:Invalid|Required|Unsupported|Duplicate)";
  return (
    new RegExp(`^\\s*(?:${kinds} value|Forbidden|Not found|Too long|Too many):`).test(next) ||
    (new RegExp(`${kinds}$`).test(text) && /^\s*value:/.test(next)) ||
    (/,$/.test(text) && /^\s*(?:requested|used|limited):/.test(next))
  );
}

/** True for a line of a description or a manifest, except for the output of mount commands, which looks the same. */
function isField(line: string): boolean {
  const isKey = /^\s*(?:[A-Z][\w /()-]*|[A-Za-z][\w-]*):(?:\s|$)/.test(line);
  return (
    isKey &&
    !/^\s*(?:Mounting|Unmounting|Output|iscsi|iscsiadm|u?mount|resize2fs|fsck|e2fsck|mkfs|err|error):?\b/.test(
      line,
    )
  );
}

const knownReasons: ReadonlySet<string> = new Set(
  messagePatterns.flatMap(({ reasons }) => reasons ?? []),
);

const skippedWordCountMax = 16;

/**
 * Finds a message in a line by skipping words at its start until the rest is recognized; returns the whole line if that fails.
 */
function looseLine(given: string, statedReason: string | undefined): PastedEvent {
  const line = unescaped(given).replace(/(?<=["']),$/, "");
  const words = line.trim().split(/\s+/);
  let reason = statedReason;
  for (let from = 0; from < Math.min(words.length, skippedWordCountMax); from++) {
    const word = words[from] ?? "";
    const said = withoutLoneQuote(
      [word.replace(/^["'[(]+/, ""), ...words.slice(from + 1)].join(" "),
    );
    const message = knownMessage(said, reason);
    if (message !== undefined) return { message, ...(reason !== undefined && { reason }) };
    const bare = word.replace(/^\W+|(?<!\W)\W+$/g, "");
    // `Failed to …` begins a sentence and is not the reason `Failed`.
    if (knownReasons.has(bare) && words[from + 1] !== "to") reason = bare;
  }
  return { message: line.trim(), ...(reason !== undefined && { reason }) };
}
