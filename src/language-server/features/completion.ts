/**
 * Completion: fields and enumerated values by the API's schema, names of objects that exist, and the project file's keys,
 * profiles, versions and rules.
 */
import { kindSchemas } from "../../engine/api/schema.ts";
import { profileNames } from "../../engine/profiles/assume-cluster.ts";
import { kubernetesVersions } from "../../engine/scenario.ts";
import type { Analysis } from "../analysis.ts";
import { ruleIds } from "../diagnostics/rules.ts";
import { projectFileName, severitySettings } from "../project/project-file.ts";
import { referencesOf } from "../workspace/references.ts";
import { baseName } from "../workspace/uri.ts";
import type { WorkspaceFile } from "../workspace/workspace.ts";
import type { Path, Span } from "../yaml/locate.ts";
import { documentAt } from "../yaml/manifest-file.ts";
import { mark, type Probe, probe } from "./completion-probe.ts";
import { enumValues } from "./enum-values.ts";
import { type Field, fieldsAt, typeAt } from "./field-schema.ts";
import { valueAt } from "./target.ts";

export type CompletionKind = "field" | "value" | "object";

export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  readonly detail?: string;
  /** Plain text. */
  readonly documentation?: string;
  readonly insert: string;
  /** What is replaced; offsets are the file's. */
  readonly replace: Span;
}

/** None where nothing is known of the place. */
export function completions(
  analysis: Analysis | undefined,
  file: WorkspaceFile,
  offset: number,
): readonly Completion[] {
  const { text } = file.manifest;
  if (baseName(file.uri) === projectFileName)
    return fromProbes(probe(text, offset), 0, projectItems);
  const found = documentAt(file.manifest, offset);
  const start =
    found === undefined
      ? 0
      : (file.manifest.slices[file.manifest.documents.indexOf(found.document)]?.start ?? 0);
  const source = found === undefined ? text : found.document.yaml.text;
  return fromProbes(probe(source, offset - start), start, (at) => objectItems(analysis, at));
}

type Item = Omit<Completion, "replace">;

/** The first reading of the place that has anything to offer. */
function fromProbes(
  probes: readonly Probe[],
  offset: number,
  items: (at: Probe) => readonly Item[],
): readonly Completion[] {
  for (const at of probes) {
    const replace = { start: at.word.start + offset, end: at.word.end + offset };
    const found = items(at);
    if (found.length > 0) return found.map((item) => ({ ...item, replace }));
  }
  return [];
}

function objectItems(analysis: Analysis | undefined, at: Probe): readonly Item[] {
  if (at.part === "value") {
    const [field] = at.path;
    if (at.path.length === 1 && field === "kind") return kindItems(at.value);
    if (at.path.length === 1 && field === "apiVersion") return versionItems(at.value);
  }
  const { object } = at;
  if (object === undefined)
    return at.part === "key" && at.path.length === 1 ? firstFields(at.value) : [];
  const path = at.path.slice(object.path.length);
  if (at.part === "key")
    return fieldItems(object.kind, path.slice(0, -1), valueAt(object.value, path.slice(0, -1)));
  return valueItems(analysis, at, object.kind, path);
}

function firstFields(value: unknown): readonly Item[] {
  const present = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return ["apiVersion", "kind", "metadata"]
    .filter((name) => !present.includes(name))
    .map((label) => ({
      label,
      kind: "field",
      insert: label === "metadata" ? "metadata:\n  name: " : `${label}: `,
    }));
}

function kindItems(value: unknown): readonly Item[] {
  const wanted = valueAt(value, ["apiVersion"]);
  return kindSchemas
    .filter(({ apiVersion }) => typeof wanted !== "string" || wanted === apiVersion)
    .map(({ kind, apiVersion }) => ({
      label: kind,
      kind: "value",
      detail: apiVersion,
      insert: kind,
    }));
}

function versionItems(value: unknown): readonly Item[] {
  const wanted = valueAt(value, ["kind"]);
  const versions = kindSchemas.filter(({ kind }) => typeof wanted !== "string" || wanted === kind);
  return [...new Set(versions.map(({ apiVersion }) => apiVersion))].map((label) => ({
    label,
    kind: "value",
    insert: label,
  }));
}

function fieldItems(kind: string, parent: Path, siblings: unknown): readonly Item[] {
  const present = typeof siblings === "object" && siblings !== null ? Object.keys(siblings) : [];
  return fieldsAt(kind, parent)
    .filter(({ name }) => !present.includes(name) && !(parent.length === 0 && name === "status"))
    .map((field) => ({
      label: field.name,
      kind: "field",
      detail: field.required ? `${field.type}, required` : field.type,
      documentation: field.description,
      insert: isBlock(field) ? `${field.name}:` : `${field.name}: `,
    }));
}

const scalars: ReadonlySet<string> = new Set([
  "string",
  "boolean",
  "int32",
  "int64",
  "time",
  "intOrString",
  "quantity",
]);

function isBlock({ type }: Field): boolean {
  return !scalars.has(type);
}

function valueItems(
  analysis: Analysis | undefined,
  at: Probe,
  kind: string,
  path: Path,
): readonly Item[] {
  const { object } = at;
  const reference =
    object === undefined ? undefined : referencesOf(object).find(({ name }) => name === mark);
  if (reference !== undefined && analysis !== undefined) {
    const namespace = reference.namespace === "" ? undefined : reference.namespace;
    return analysis.names
      .names(reference.kind, namespace)
      .map((label) => ({ label, kind: "object", detail: reference.kind, insert: label }));
  }
  const inList = typeof path.at(-1) === "number";
  const field = inList ? path.slice(0, -1) : path;
  const model = typeAt(kind, field.slice(0, -1));
  const values = enumValues[`${model}.${String(field.at(-1))}`];
  if (values !== undefined) {
    const chosen = inList ? valueAt(object?.value, field) : undefined;
    const taken = Array.isArray(chosen) ? chosen : [];
    return values.filter((value) => !taken.includes(value)).map(valueItem);
  }
  return typeAt(kind, path) === "boolean" ? ["true", "false"].map(valueItem) : [];
}

function valueItem(label: string): Item {
  return { label, kind: "value", insert: label };
}

function projectItems(at: Probe): readonly Item[] {
  const [first] = at.path;
  if (at.part === "key") {
    if (at.path.length === 1) {
      return [
        {
          label: "profile",
          kind: "field",
          insert: "profile: ",
          documentation: "The cluster to assume.",
        },
        {
          label: "kubernetesVersion",
          kind: "field",
          insert: "kubernetesVersion: ",
          documentation: "The newest where absent.",
        },
        {
          label: "rules",
          kind: "field",
          insert: "rules:\n  ",
          documentation: "Severities by rule id.",
        },
      ];
    }
    return first === "rules"
      ? ruleIds.map((label) => ({ label, kind: "field", insert: `${label}: ` }))
      : [];
  }
  if (first === "profile") return profileNames.map(valueItem);
  if (first === "kubernetesVersion") {
    return kubernetesVersions.map((label) => ({ label, kind: "value", insert: `"${label}"` }));
  }
  return first === "rules" ? severitySettings.map(valueItem) : [];
}
