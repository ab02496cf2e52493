/** Events in copied lines: of a description, of a list, of a log, or alone in somebody's own words. */
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

/** Below its head a description tells of what kind its object is. */
const headLineCount = 60;

/** One by one, so that whoever has enough of them need not have the rest read. */
export function* eventLines(text: string): Generator<PastedEvent> {
  const lines = plainLines(text);
  const joins: Joins = { left: joinCountMax };
  let described: Described | undefined;
  const listedIn = tableReader();
  /** Of a line of its own above the message: `Reason:  Evicted` of a status, `Warning  FailedMount` of a row that is broken. */
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
    // A node's heartbeats, which whoever describes it may not look at.
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

/** The description that begins there. */
interface Described {
  readonly about: PastedEvent["about"];
  readonly state: PastedEvent | undefined;
  /** Whether what an event of it told, in a row of that line, has passed. */
  readonly isPassed: (reason: string, at: number) => boolean;
}

function describedAt(lines: readonly string[], index: number): Described {
  const below = lines.slice(index + 1).findIndex((line) => /^Name:\s/.test(line));
  const all = lines.slice(index, below < 0 ? lines.length : index + 1 + below);
  const head = all.slice(0, headLineCount);
  const about = describedObject(head);
  const passed = passedReasons(head, about);
  // Rows are in the order in which they were last seen, and containers start when all volumes are there.
  const startedAt = index + all.findLastIndex((line) => /^\s+Normal\s+Started\s/.test(line));
  return {
    about,
    state: describedState(head, about),
    isPassed: (reason, at) => passed.has(reason) || (at < startedAt && ofVolumes.has(reason)),
  };
}

const ofVolumes: ReadonlySet<string> = new Set(["FailedAttachVolume", "FailedMount"]);

/** Other texts may follow upon a description: what names an object of its own is none of its rows. */
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

/** How often a message of one text may still be tried together with the lines below it, of which each costs a new look. */
interface Joins {
  left: number;
}

/** Those of some hundred messages; rows and lines of a log, of which there are more, are not joined to what is below. */
const joinCountMax = 2000;

/** So that a cell of a table ends where its line does. */
const apart = "  ";
/** None for windows that break lines in the middle of words; a table's row without its message ends where a cell does. */
const jointsAfter = ({ message }: PastedEvent): readonly string[] =>
  message === "" ? [apart] : [apart, ""];

/**
 * A message that goes on in the lines below: where it had line breaks, as those of a mount command have, or was wrapped.
 * As many lines belong to it as let more of it be understood.
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

/** What a mount command was asked and printed, each in a line of its own. Upstream: mount-utils mount_linux.go doMount. */
const mountCommandLine = /^\s*(?:Mounting (?:command|arguments)|Unmounting arguments|Output):/;

/** No component begins a message so: it is what iscsiadm has printed. Upstream: pkg/volume/iscsi/iscsi_util.go AttachDisk. */
const iscsiLine = /^\s*iscsi(?:adm)?:/;

/** Some pages put an empty line between any two. */
function goesOnBehindBlank(text: string, next: string | undefined): boolean {
  return next !== undefined && (/:\s*$/.test(text) || mountCommandLine.test(next));
}

/** Where a line ends within what the API server says of a field or a quota. Upstream: apimachinery util/validation/field ErrorType. */
function isSplitAtField(text: string, next: string): boolean {
  const kinds = "(?:Invalid|Required|Unsupported|Duplicate)";
  return (
    new RegExp(`^\\s*(?:${kinds} value|Forbidden|Not found|Too long|Too many):`).test(next) ||
    (new RegExp(`${kinds}$`).test(text) && /^\s*value:/.test(next)) ||
    (/,$/.test(text) && /^\s*(?:requested|used|limited):/.test(next))
  );
}

/** A line of a description or a manifest; what a mount command prints looks the same. */
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

/** A message somewhere in a line: whatever stands before it is skipped word by word, until the rest is known; else all of it. */
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
    // `Failed to …` begins a sentence.
    if (knownReasons.has(bare) && words[from + 1] !== "to") reason = bare;
  }
  return { message: line.trim(), ...(reason !== undefined && { reason }) };
}
