/**
 * Events in text that somebody has copied: rows of `kubectl describe` or `kubectl get events`, event objects as YAML or
 * JSON, single lines with or without type and reason, and errors of `kubectl apply`.
 */
import type { Kind } from "../../engine/api/meta.ts";
import {
  messagePatterns,
  recognize,
  recognizeFragment,
} from "../../engine/explain/messages/recognize.ts";
import { fieldsAt, itemsOf, textAt } from "../diagnostics/manifest-fields.ts";
import { isRecord } from "../yaml/manifest.ts";
import { splitDocuments } from "../yaml/split-documents.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";
import { kindOfResource } from "./resource-names.ts";

export interface PastedEvent {
  readonly message: string;
  readonly reason?: string;
  /** Who has sent it, as the text says: the column From of a description. */
  readonly source?: string;
  /** Undefined where the text does not say what the event is about. */
  readonly about?: { readonly kind: Kind; readonly namespace: string; readonly name: string };
}

/** More than this nobody reads at once. */
const eventCountMax = 50;
const lineCountMax = 5000;
const lineLengthMax = 8192;

/** Each message once for each object; none where the text holds no event. */
export function pastedEvents(text: string): readonly PastedEvent[] {
  const objects = eventObjects(text);
  const found = objects.length > 0 ? objects : eventLines(text);
  const unique = new Map(
    found.map((event) => [
      `${JSON.stringify(event.about)} ${event.reason} ${event.message}`,
      event,
    ]),
  );
  return [...unique.values()].slice(0, eventCountMax);
}

/** `kubectl get events -o yaml`, or one event of it. */
function eventObjects(text: string): readonly PastedEvent[] {
  if (!/involvedObject|"?kind"?:\s*"?Event/.test(text)) return [];
  return splitDocuments(text).flatMap(({ start, end }) => {
    const { value } = readYamlDocument(text.slice(start, end));
    if (!isRecord(value)) return [];
    const items = Array.isArray(value["items"])
      ? itemsOf(value["items"], []).map(({ fields }) => fields)
      : [value];
    return items.flatMap((item): readonly PastedEvent[] => {
      const message = textAt(item, "message") ?? textAt(item, "note");
      const reason = textAt(item, "reason");
      const source = [["source", "component"], ["reportingComponent"], ["reportingController"]]
        .map((path) => textAt(item, ...path))
        .find((name) => name !== undefined && name !== "");
      const object = isRecord(item["involvedObject"]) ? "involvedObject" : "regarding";
      const { kind, namespace, name } = fieldsAt(item, object);
      const known = kindOfResource(String(kind ?? ""));
      if (message === undefined) return [];
      return [
        {
          message,
          ...(reason !== undefined && { reason }),
          ...(source !== undefined && { source }),
          ...(known !== undefined &&
            typeof name === "string" && {
              about: {
                kind: known,
                namespace: typeof namespace === "string" ? namespace : "",
                name,
              },
            }),
        },
      ];
    });
  });
}

function eventLines(text: string): readonly PastedEvent[] {
  const lines = text.split(/\r?\n/, lineCountMax).map((line) => line.slice(0, lineLengthMax));
  let described: PastedEvent["about"];
  const found: PastedEvent[] = [];
  for (const [index, line] of lines.entries()) {
    if (/^Name:\s/.test(line)) described = describedObject(lines.slice(index, index + 60));
    const event = tableRow(line) ?? listRow(line) ?? looseLine(line);
    if (event === undefined) continue;
    found.push(
      event.about === undefined && described !== undefined ? { ...event, about: described } : event,
    );
  }
  return found;
}

/** Fields that `kubectl describe` prints of one kind alone. */
const marks: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:Containers|Init Containers|QoS Class):/, "Pod"],
  [/^(?:Reclaim Policy|Claim):/, "PersistentVolume"],
  [/^(?:Access Modes|Used By):/, "PersistentVolumeClaim"],
  [/^Volume Claims:/, "StatefulSet"],
  [/^(?:StrategyType|NewReplicaSet):/, "Deployment"],
];

/** What the head of a description says of its object; undefined where no line tells the kind. */
function describedObject(lines: readonly string[]): PastedEvent["about"] {
  const field = (name: string): string =>
    lines.flatMap((line) => new RegExp(`^${name}:\\s+(\\S+)`).exec(line)?.[1] ?? [])[0] ?? "";
  const mark = marks.find(([expression]) => lines.some((line) => expression.test(line)));
  return mark === undefined
    ? undefined
    : { kind: mark[1], namespace: field("Namespace"), name: field("Name") };
}

/** `Warning  FailedMount  12s (x3 over 1m)  kubelet  MountVolume.SetUp failed …`, as a description ends. */
function tableRow(line: string): PastedEvent | undefined {
  const match =
    /^\s*(?:Normal|Warning)\s+([A-Z]\w+)\s+(?:\S+(?: ago)?|<unknown>)(?: ?\(x\d+ over [^)]*\))?\s{2,}(\S+?)(?:, \S+)?\s{2,}(.+)$/.exec(
      line,
    );
  const [, reason, source, message] = match ?? [];
  if (reason === undefined || source === undefined || message === undefined) return undefined;
  return { reason, source, message };
}

/** `shop  2m  Warning  FailedMount  pod/web-0  MountVolume.SetUp failed …`, as a list of events has it. */
function listRow(line: string): PastedEvent | undefined {
  const match =
    /^\s*(?:(\S+)\s+)?(?:\S+(?: \(x\d+ over [^)]*\))?)\s+(?:Normal|Warning)\s+([A-Z]\w+)\s+([A-Za-z.]+)\/(\S+)\s+(.+)$/.exec(
      line,
    );
  const [, namespace = "", reason, resource = "", name = "", message] = match ?? [];
  const kind = kindOfResource(resource);
  if (reason === undefined || message === undefined) return undefined;
  return { reason, message, ...(kind !== undefined && { about: { kind, namespace, name } }) };
}

const knownReasons: ReadonlySet<string> = new Set(
  messagePatterns.flatMap(({ reasons }) => reasons ?? []),
);

const skippedWordCountMax = 12;

/** A message somewhere in a line: whatever stands before it is skipped word by word, until the rest is known. */
function looseLine(line: string): PastedEvent | undefined {
  const words = line.trim().split(/\s+/);
  let reason: string | undefined;
  for (let from = 0; from < Math.min(words.length, skippedWordCountMax); from++) {
    const message = words.slice(from).join(" ");
    const found = recognize(message, reason);
    // A pattern that takes any text, or any list, tells nothing unless something is known inside of it.
    const takesAny = found?.pattern.texts.includes("{detail}") === true || /^\[.*\]$/.test(message);
    const isKnown = found !== undefined && !takesAny;
    if (isKnown || (found?.inner.length ?? 0) > 0)
      return { message, ...(reason !== undefined && { reason }) };
    const word = words[from]?.replace(/[:,.]$/, "") ?? "";
    if (knownReasons.has(word)) reason = word;
  }
  const isShortened = recognizeFragment(line) !== undefined;
  return isShortened
    ? { message: line.trim(), ...(reason !== undefined && { reason }) }
    : undefined;
}
