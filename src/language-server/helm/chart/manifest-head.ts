/** What Helm reads from a document: kind, name, and whether it is a hook. Upstream: pkg/release/v1/util/manifest_sorter.go. */
import { isRecord, type Json } from "../../../engine/api/json.ts";
import { fieldOf, type JsonRecord, textMapOf, textOf } from "./typed-fields.ts";

export interface ManifestHead {
  readonly kind: string;
  readonly name: string;
  readonly annotations: ReadonlyMap<string, string>;
}

export interface Hook {
  /** `pre-install`, `test` and so on. */
  readonly events: readonly string[];
  readonly weight: number;
  readonly deletePolicies: readonly string[];
}

/** Returns Go's message if Helm cannot read it as an object. */
export function manifestHead(value: Json): ManifestHead | string {
  if (value === null) return { kind: "", name: "", annotations: new Map() };
  if (!isRecord(value)) return unreadable(value, "value of type util.SimpleHead");
  const fields = value as JsonRecord;
  const metadata = fieldOf(fields, "metadata");
  if (metadata !== undefined && !isRecord(metadata))
    return unreadable(metadata, "struct field SimpleHead.metadata");
  const ofMetadata = (metadata ?? {}) as JsonRecord;
  const annotations = fieldOf(ofMetadata, "annotations");
  if (annotations !== undefined && !isRecord(annotations))
    return unreadable(annotations, "struct field SimpleHead.metadata.annotations");
  const kind = textOf(fieldOf(fields, "kind"));
  const name = textOf(fieldOf(ofMetadata, "name"));
  if (kind === undefined || name === undefined)
    return unreadable({}, "struct field SimpleHead of type string");
  return { kind, name, annotations: textMapOf(annotations) };
}

function unreadable(value: Json, target: string): string {
  const found = Array.isArray(value) ? "array" : typeof value;
  return `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go ${target}`;
}

const knownEvents: ReadonlySet<string> = new Set([
  ...["install", "delete", "upgrade", "rollback"].flatMap((on) => [`pre-${on}`, `post-${on}`]),
  ...["test", "test-success"],
]);

/** Undefined if it is not a hook; "unknown" for a hook that Helm skips. */
export function hookOf({ annotations }: ManifestHead): Hook | "unknown" | undefined {
  const types = annotations.get("helm.sh/hook");
  if (types === undefined) return undefined;
  const events = wordsOf(types);
  if (!events.every((event) => knownEvents.has(event))) return "unknown";
  const weight = annotations.get("helm.sh/hook-weight") ?? "";
  const policies = annotations.get("helm.sh/hook-delete-policy");
  return {
    events: events.map((event) => (event === "test-success" ? "test" : event)),
    weight: /^[-+]?\d{1,15}$/.test(weight) ? Number(weight) : 0,
    deletePolicies: policies === undefined ? [] : wordsOf(policies),
  };
}

function wordsOf(text: string): readonly string[] {
  return text.split(",").map((word) => word.trim().toLowerCase());
}
