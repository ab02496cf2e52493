/** Messages in copied YAML or JSON: events, and the status of objects. */
import { type Kind, splitKey } from "../../engine/api/meta.ts";
import { recognize } from "../../engine/explain/messages/recognize.ts";
import { type Fields, fieldsAt, itemsOf, textAt } from "../workspace/manifest-fields.ts";
import { isRecord } from "../yaml/manifest.ts";
import { splitDocuments } from "../yaml/split-documents.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";
import type { PastedEvent } from "./pasted-event.ts";
import { kindOfResource } from "./resource-names.ts";
import { knownState } from "./shown-state.ts";

/** Nothing if the text holds no such object. */
export function eventObjects(text: string): readonly PastedEvent[] {
  const mayHoldSome =
    /involvedObject|"?kind"?:\s*"?Event/.test(text) || /^[ \t]*"?status"?:/m.test(text);
  if (!mayHoldSome) return [];
  return splitDocuments(text).flatMap(({ start, end }) => {
    const { value } = readYamlDocument(text.slice(start, end));
    if (!isRecord(value)) return [];
    const items = Array.isArray(value["items"])
      ? itemsOf(value["items"], []).map(({ fields }) => fields)
      : [value];
    return items.flatMap((item) => (isEvent(item) ? eventOf(item) : messagesOfStatus(item)));
  });
}

function isEvent(item: Fields): boolean {
  return (
    item["kind"] === "Event" || isRecord(item["involvedObject"]) || isRecord(item["regarding"])
  );
}

/** An event from `kubectl get events -o yaml`. */
function eventOf(item: Fields): readonly PastedEvent[] {
  const message = textAt(item, "message") ?? textAt(item, "note");
  if (message === undefined) return [];
  const reason = textAt(item, "reason");
  const source = [["source", "component"], ["reportingComponent"], ["reportingController"]]
    .map((path) => textAt(item, ...path))
    .find((name) => name !== undefined && name !== "");
  const object = isRecord(item["involvedObject"]) ? "involvedObject" : "regarding";
  const about = referenceOf(fieldsAt(item, object));
  return [
    {
      message,
      ...(reason !== undefined && { reason }),
      ...(source !== undefined && { source }),
      ...(about !== undefined && { about }),
    },
  ];
}

function referenceOf({ kind, namespace, name }: Fields): PastedEvent["about"] {
  const known = kindOfResource(String(kind ?? ""));
  if (known === undefined || typeof name !== "string") return undefined;
  return { kind: known, namespace: typeof namespace === "string" ? namespace : "", name };
}

const depthMax = 6;

/**
 * The recognized messages of a status: in conditions, states of containers, errors of attachments and snapshots. Others are
 * skipped, because most conditions say that all is well.
 */
function messagesOfStatus(item: Fields): readonly PastedEvent[] {
  const kind: Kind | undefined = kindOfResource(textAt(item, "kind") ?? "");
  const metadata = fieldsAt(item, "metadata");
  const about = referenceOf({ ...metadata, kind });
  const state = about === undefined ? undefined : knownState(about, stateOf(item));
  const found: PastedEvent[] = state === undefined ? [] : [state];
  const walk = (value: unknown, depth: number): void => {
    if (depth > depthMax) return;
    if (Array.isArray(value)) for (const child of value) walk(child, depth + 1);
    if (!isRecord(value)) return;
    const message = textAt(value, "message");
    const reason = textAt(value, "reason");
    if (message !== undefined && recognize(message, reason) !== undefined) {
      found.push({
        message,
        ...(reason !== undefined && { reason }),
        ...(about !== undefined && { about }),
      });
    }
    for (const child of Object.values(value)) walk(child, depth + 1);
  };
  walk(item["status"], 0);
  return found;
}

/** The state, in the word that a table of `kubectl get` would show. */
function stateOf(item: Fields): string | undefined {
  if (fieldsAt(item, "metadata")["deletionTimestamp"] !== undefined) return "Terminating";
  const { phase, attached, readyToUse } = fieldsAt(item, "status");
  if (attached === false) return "not attached";
  if (readyToUse === false) return "not ready";
  if (phase === "Pending" && textAt(item, "spec", "nodeName") !== undefined)
    return "ContainerCreating";
  if (phase === "Available" && textAt(item, "spec", "claimRef", "name") !== undefined)
    return "reserved";
  return typeof phase === "string" ? phase : undefined;
}

/** An object by its key in logs: `shop/web-0`. */
export function objectOfKey(kindName: string, key: string): PastedEvent["about"] {
  const { namespace, name } = splitKey(key);
  return referenceOf({ kind: kindName, namespace, name });
}
