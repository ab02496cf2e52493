/** One line about a trace entry: what happened. */
import { kindOfRef, nameOfRef, namespaceOfRef, type Ref } from "../../engine/api/meta.ts";
import type { TraceEntry, WriteEntry } from "../../engine/trace/entry.ts";
import { changesText } from "./changed-fields.ts";

/** A reference in readable form: `PersistentVolumeClaim default/data`. */
export function refText(ref: Ref): string {
  const [namespace, name] = [namespaceOfRef(ref), nameOfRef(ref)];
  return `${kindOfRef(ref)} ${namespace === "" ? name : `${namespace}/${name}`}`;
}

/** In the history `of` an object, that object is "it"; on the timeline every object is named. */
export function entryText(entry: TraceEntry, of?: Ref): string {
  const named = (ref: Ref): string => (ref === of ? "it" : refText(ref));
  switch (entry.type) {
    case "write":
      return writeText(entry, named(entry.ref));
    case "refused":
      return `could not ${entry.verb} ${named(entry.ref)}: ${entry.error.message}`;
    case "request":
      return entry.status < 400
        ? `${entry.verb} ${named(entry.ref)}: ${entry.status}`
        : `${entry.verb} ${named(entry.ref)}: ${entry.status} ${entry.message ?? ""}`;
    case "event":
      return entry.about === of
        ? `${entry.reason}: ${entry.message}`
        : `${entry.reason} on ${refText(entry.about)}: ${entry.message}`;
    case "call":
      return `calls ${entry.call} of ${entry.driver}${entry.node === "" ? "" : ` on ${entry.node}`}`;
    case "answer":
      return entry.code === "OK"
        ? "gets the driver's answer: OK"
        : `gets the driver's answer: ${entry.code} ${entry.message}`;
    case "decision":
      return entry.about === of
        ? `decides: ${entry.decision.reason}`
        : `decides on ${refText(entry.about)}: ${entry.decision.reason}`;
    case "step":
      return `step ${entry.step + 1}: ${entry.text}`;
    case "limit":
      return entry.message;
    case "lifecycle":
      return `${entry.what}: ${entry.state}`;
  }
}

function writeText({ verb, subresource, before, after }: WriteEntry, name: string): string {
  const part = subresource === undefined ? "" : ` (${subresource})`;
  const isUpdate = verb === "update" && before !== undefined && after !== undefined;
  const changes = isUpdate ? changesText(before, after) : "";
  return `${pastTense[verb]} ${name}${part}${changes === "" ? "" : `: ${changes}`}`;
}

const pastTense = { create: "created", update: "updated", delete: "removed" } as const;

/** The object that an entry is about; undefined for calls, answers, steps, limits and lifecycle entries. */
export function entryRef(entry: TraceEntry): Ref | undefined {
  switch (entry.type) {
    case "write":
    case "refused":
    case "request":
      return entry.ref;
    case "event":
    case "decision":
      return entry.about;
    case "call":
    case "answer":
    case "step":
    case "limit":
    case "lifecycle":
      return undefined;
  }
}
