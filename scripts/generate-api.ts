/**
 * Writes types.ts, schema.ts, plain.ts and descriptions.json of src/engine/api from the models of `@kubernetes/client-node`,
 * which are generated from Kubernetes' OpenAPI. Rerun it after installing another release of that package:
 * `npm run generate`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { extraModels } from "./extra-models.ts";
import { plainChecks } from "./plain-checks.ts";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const models = path.join(root, "node_modules/@kubernetes/client-node/dist/gen/models");

/** The kinds that the engine serves, with the model that describes each. */
const kinds: readonly {
  apiVersion: string;
  kind: string;
  model?: string;
  namespaced: boolean;
  plural: string;
}[] = [
  { apiVersion: "v1", kind: "PersistentVolume", namespaced: false, plural: "persistentvolumes" },
  {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    namespaced: true,
    plural: "persistentvolumeclaims",
  },
  { apiVersion: "v1", kind: "Pod", namespaced: true, plural: "pods" },
  { apiVersion: "v1", kind: "PodTemplate", namespaced: true, plural: "podtemplates" },
  { apiVersion: "v1", kind: "Node", namespaced: false, plural: "nodes" },
  { apiVersion: "v1", kind: "Namespace", namespaced: false, plural: "namespaces" },
  { apiVersion: "v1", kind: "ConfigMap", namespaced: true, plural: "configmaps" },
  { apiVersion: "v1", kind: "Secret", namespaced: true, plural: "secrets" },
  { apiVersion: "v1", kind: "ServiceAccount", namespaced: true, plural: "serviceaccounts" },
  { apiVersion: "v1", kind: "Service", namespaced: true, plural: "services" },
  { apiVersion: "v1", kind: "ResourceQuota", namespaced: true, plural: "resourcequotas" },
  { apiVersion: "v1", kind: "LimitRange", namespaced: true, plural: "limitranges" },
  {
    apiVersion: "v1",
    kind: "ReplicationController",
    namespaced: true,
    plural: "replicationcontrollers",
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    namespaced: false,
    plural: "storageclasses",
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttachment",
    namespaced: false,
    plural: "volumeattachments",
  },
  { apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", namespaced: false, plural: "csidrivers" },
  { apiVersion: "storage.k8s.io/v1", kind: "CSINode", namespaced: false, plural: "csinodes" },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIStorageCapacity",
    namespaced: true,
    plural: "csistoragecapacities",
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttributesClass",
    namespaced: false,
    plural: "volumeattributesclasses",
  },
  { apiVersion: "apps/v1", kind: "Deployment", namespaced: true, plural: "deployments" },
  { apiVersion: "apps/v1", kind: "ReplicaSet", namespaced: true, plural: "replicasets" },
  { apiVersion: "apps/v1", kind: "StatefulSet", namespaced: true, plural: "statefulsets" },
  { apiVersion: "apps/v1", kind: "DaemonSet", namespaced: true, plural: "daemonsets" },
  {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    namespaced: true,
    plural: "controllerrevisions",
  },
  { apiVersion: "batch/v1", kind: "Job", namespaced: true, plural: "jobs" },
  { apiVersion: "batch/v1", kind: "CronJob", namespaced: true, plural: "cronjobs" },
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    namespaced: true,
    plural: "poddisruptionbudgets",
  },
  {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    namespaced: false,
    plural: "priorityclasses",
  },
  {
    apiVersion: "node.k8s.io/v1",
    kind: "RuntimeClass",
    namespaced: false,
    plural: "runtimeclasses",
  },
  {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshot",
    namespaced: true,
    plural: "volumesnapshots",
  },
  {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshotClass",
    namespaced: false,
    plural: "volumesnapshotclasses",
  },
  {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshotContent",
    namespaced: false,
    plural: "volumesnapshotcontents",
  },
  {
    apiVersion: "gateway.networking.k8s.io/v1beta1",
    kind: "ReferenceGrant",
    namespaced: true,
    plural: "referencegrants",
  },
];

interface Field {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly required: boolean;
  readonly description: string;
}
interface Model {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly Field[];
}

/** Converts a field's type to the schema's notation: `Type`, `[]Type`, `map[]Type`, or a scalar. */
function schemaType(type: string, format: string): string {
  const list = /^Array<(.*)>$/.exec(type);
  if (list !== null) return `[]${schemaType(list[1] ?? "", format)}`;
  const map = /^\{ \[key: string\]: (.*); \}$/.exec(type);
  if (map !== null) return `map[]${schemaType(map[1] ?? "", format)}`;
  if (type === "Date") return "time";
  if (type === "V1MicroTime" || type === "Date | V1MicroTime") return "microTime";
  if (type === "IntOrString") return "intOrString";
  if (type === "number") return format === "int32" || format === "int64" ? format : "double";
  if (type === "string") return format === "byte" ? "bytes" : "string";
  if (type === "boolean" || type === "any") return type;
  return modelName(type);
}

const modelName = (name: string): string =>
  name.replace(/^(Core|Storage)?V\d(beta\d+|alpha\d+)?/, "");

function readModel(file: string): Model {
  const js = readFileSync(path.join(models, `${file}.js`), "utf8");
  const dts = readFileSync(path.join(models, `${file}.d.ts`), "utf8");
  const map = /attributeTypeMap = (\[[\s\S]*?\n\]);/.exec(js)?.[1] ?? "[]";
  const attributes = JSON.parse(map) as {
    name: string;
    baseName: string;
    type: string;
    format: string;
  }[];
  const description = /\/\*\*\s*\n\* (.*)\n\*\/\s*\nexport declare class/.exec(dts)?.[1] ?? "";
  const fields = attributes.map(({ name, baseName, type, format }): Field => {
    const line = new RegExp(
      `(?:/\\*\\*\\s*\\n\\s*\\* (.*)\\n\\s*\\*/\\s*\\n\\s*)?'${name}'(\\??):`,
    ).exec(dts);
    return {
      name: baseName,
      type: schemaType(type, format),
      format,
      required: line?.[2] !== "?",
      description: line?.[1] ?? "",
    };
  });
  return { name: modelName(file), description, fields };
}

const files = new Set(
  readdirSync(models)
    .filter((f) => f.endsWith(".js"))
    .map((f) => f.slice(0, -3)),
);
const fileOf = (type: string): string | undefined =>
  [`V1${type}`, `CoreV1${type}`, `StorageV1${type}`, type].find((f) => files.has(f));

const all = new Map<string, Model>();
function collect(type: string): void {
  const name = type.replace(/^(\[\]|map\[\])+/, "");
  if (
    all.has(name) ||
    /^(string|int32|int64|double|boolean|any|time|microTime|intOrString|bytes)$/.test(name)
  )
    return;
  const extra = extraModels.find((m) => m.name === name);
  const file = fileOf(name);
  if (extra === undefined && file === undefined) throw new Error(`no model ${name}`);
  const model = extra ?? readModel(file as string);
  all.set(name, model);
  for (const field of model.fields) collect(field.type);
}
for (const { kind, model } of kinds) collect(model ?? kind);

function tsType(type: string): string {
  if (type.startsWith("[]")) return `readonly ${wrap(tsType(type.slice(2)))}[]`;
  if (type.startsWith("map[]")) return `Readonly<Record<string, ${tsType(type.slice(5))}>>`;
  if (type === "time" || type === "microTime" || type === "bytes") return "string";
  if (type === "intOrString") return "number | string";
  if (type === "int32" || type === "int64" || type === "double") return "number";
  if (type === "any") return "unknown";
  return type;
}
const wrap = (t: string): string => (/[| ]/.test(t) ? `(${t})` : t);

const header = (what: string): string =>
  `// ${what}\n// Generated by scripts/generate-api.ts from Kubernetes' OpenAPI (release-1.36). Do not edit.\n`;

const isKind = new Map(kinds.map((k) => [k.model ?? k.kind, k]));
const sorted = [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
const types = [header("The objects of the Kubernetes API, as the API server holds them.")];
for (const model of sorted) {
  const kind = isKind.get(model.name);
  types.push(`export interface ${model.name} {`);
  for (const f of model.fields) {
    if (kind !== undefined && f.name === "apiVersion")
      types.push(`  readonly apiVersion: "${kind.apiVersion}";`);
    else if (kind !== undefined && f.name === "kind")
      types.push(`  readonly kind: "${kind.kind}";`);
    else if (kind !== undefined && f.name === "metadata")
      types.push("  readonly metadata: StoredMeta;");
    else {
      const required = f.required || (kind !== undefined && f.name === "spec");
      types.push(
        `  readonly ${/^[\w$]+$/.test(f.name) ? f.name : JSON.stringify(f.name)}${required ? "" : "?"}: ${tsType(f.type)};`,
      );
    }
  }
  types.push("}\n");
}
types.push(`/** Metadata of an object in the store, with the fields that the API server fills in. */
export interface StoredMeta extends ObjectMeta {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
}
`);
types.push(`/** Every kind that the engine's API server serves. */
export interface KindMap {
${kinds.map((k) => `  readonly ${k.kind}: ${k.model ?? k.kind};`).join("\n")}
}
`);
writeFileSync(path.join(root, "src/engine/api/types.ts"), types.join("\n"));

const rows = sorted.map((model) => {
  const fields = model.fields.map(
    (f) =>
      `    ${/^[\w$]+$/.test(f.name) ? f.name : JSON.stringify(f.name)}: ${JSON.stringify([f.type, f.required ? 1 : 0])},`,
  );
  return `  ${model.name}: {\n${fields.join("\n")}\n  },`;
});
writeFileSync(
  path.join(root, "src/engine/api/schema.ts"),
  `${header("Field names, types and optionality of every model that a served kind reaches.")}
import type { KindMap } from "./types.ts";

/** A field: its type (\`T\`, \`[]T\`, \`map[]T\`; T a model or a scalar) and whether OpenAPI requires it. */
export type FieldSchema = readonly [type: string, required: 0 | 1];

export interface KindSchema {
  readonly apiVersion: string;
  readonly kind: keyof KindMap;
  readonly model: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

export const kindSchemas: readonly KindSchema[] = [
${kinds.map((k) => `  ${JSON.stringify({ apiVersion: k.apiVersion, kind: k.kind, model: k.model ?? k.kind, plural: k.plural, namespaced: k.namespaced })},`).join("\n")}
];

export const modelSchemas: Readonly<Record<string, Readonly<Record<string, FieldSchema>>>> = {
${rows.join("\n")}
};
`,
);
writeFileSync(
  path.join(root, "src/engine/api/decoding/plain.ts"),
  `${header("Which objects are written exactly as they are stored, and break no rule and cause no warning.")}${plainChecks(
    sorted,
    kinds.map(({ kind, model }) => model ?? kind),
  )}`,
);
const descriptions = Object.fromEntries(
  sorted.map((m) => [
    m.name,
    {
      "": m.description,
      ...Object.fromEntries(
        m.fields.filter((f) => f.description !== "").map((f) => [f.name, f.description]),
      ),
    },
  ]),
);
writeFileSync(
  path.join(root, "src/engine/api/descriptions.json"),
  `${JSON.stringify(descriptions, null, 1)}\n`,
);
