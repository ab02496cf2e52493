/** Names in `*.scenario.yaml`: objects in steps and expectations, and those in manifests that a step applies as text. */
import { isKind, isNamespaced, type Kind } from "../../engine/api/meta.ts";
import { recognize } from "../../engine/explain/messages/recognize.ts";
import { namesInMessage } from "../events/message-names.ts";
import { readObjectText } from "../scenarios/object-text.ts";
import { isScenarioUri } from "../scenarios/scenario-file.ts";
import { type Fields, fieldsAt, fieldsOf, itemsOf } from "../workspace/manifest-fields.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { embeddedManifests } from "../yaml/embedded-manifests.ts";
import { locate, scalarSpan } from "../yaml/locate.ts";
import type { Path, Span } from "../yaml/place.ts";
import { readYamlDocument, type YamlDocument } from "../yaml/yaml-document.ts";
import { namesInEmbedded } from "./embedded-names.ts";
import { nameSpan } from "./name-span.ts";
import type { Named, NamePlace } from "./object-names.ts";

export function scenarioNames(file: WorkspaceFile): readonly NamePlace[] {
  if (!isScenarioUri(file.uri)) return [];
  const known = recent.get(file);
  if (known !== undefined) return known;
  const document = readYamlDocument(file.manifest.text);
  const found = [...itemsOf(fieldsOf(document.value)["steps"], ["steps"])].flatMap(
    ({ fields, path }) => [
      ...namesOfStep(file, document, fields, path),
      ...namesInManifests(file, document, fields, path),
    ],
  );
  recent.set(file, found);
  return found;
}

const recent = new WeakMap<WorkspaceFile, readonly NamePlace[]>();

/** Fields of steps that name a cluster-scoped object. */
const namingFields: readonly (readonly [verb: string, field: string, kind: Kind])[] = [
  ["node", "name", "Node"],
  ["cordon", "name", "Node"],
  ["uncordon", "name", "Node"],
  ["drain", "name", "Node"],
  ["driver", "name", "CSIDriver"],
  ["driver", "nodeName", "Node"],
  ["fault", "driver", "CSIDriver"],
  ["fault", "node", "Node"],
  ["helm", "namespace", "Namespace"],
];

/** `{kind, namespace, name}` of the objects in a step or expectation, and the other names in it. */
function namesOfStep(
  file: WorkspaceFile,
  document: YamlDocument,
  step: Fields,
  path: Path,
): readonly NamePlace[] {
  const found: NamePlace[] = [];
  const add = (named: Named | undefined, at: Path): void => {
    if (named === undefined) return;
    const span = (): Span | undefined => nameSpan(document, at, named.name, 0);
    found.push({ ...named, file, isDefinition: false, span });
  };
  const addNamespace = ({ namespace }: Fields, at: Path): void =>
    add(named("Namespace", "", namespace), [...at, "namespace"]);
  const addRef = (ref: unknown, at: Path): void => {
    add(namedByRef(ref), at);
    const namespace = namespaceOfRef(ref);
    if (namespace === undefined) return;
    const span = (): Span | undefined => namespaceSpan(document, at, namespace);
    found.push({
      kind: "Namespace",
      namespace: "",
      name: namespace,
      file,
      isDefinition: false,
      span,
    });
  };
  for (const [verb, field, kind] of namingFields)
    add(named(kind, "", fieldsAt(step, verb)[field]), [...path, verb, field]);
  addRef(fieldsAt(step, "node")["of"], [...path, "node", "of"]);
  for (const verb of ["patch", "scale"]) {
    add(namedObject(fieldsAt(step, verb)), [...path, verb, "name"]);
    addNamespace(fieldsAt(step, verb), [...path, verb]);
  }
  const made = fieldsAt(step, "createJob");
  const namespace = typeof made["namespace"] === "string" ? made["namespace"] : "default";
  add(named("Job", namespace, made["name"]), [...path, "createJob", "name"]);
  add(named("CronJob", namespace, cronJobOf(made["from"])), [...path, "createJob", "from"]);
  addNamespace(made, [...path, "createJob"]);
  for (const verb of ["delete", "expect"]) {
    for (const { fields, path: at } of itemsOf(step[verb], [...path, verb])) {
      add(namedObject(fields), [...at, "name"]);
      addNamespace(fields, at);
      addRef(fields["about"], [...at, "about"]);
      addRef(fields["refused"], [...at, "refused"]);
      add(named("PersistentVolume", "", fields["volume"]), [...at, "volume"]);
      add(named("Node", "", fields["node"]), [...at, "node"]);
      found.push(...namesInText(file, document, fields, [...at, "message"]));
    }
  }
  return found;
}

/** The names in an event's message, if each is there only once. */
function namesInText(
  file: WorkspaceFile,
  document: YamlDocument,
  { about, event, message }: Fields,
  path: Path,
): readonly NamePlace[] {
  if (typeof message !== "string") return [];
  const found = recognize(message, typeof event === "string" ? event : undefined);
  const namespace = namedByRef(about)?.namespace ?? "default";
  return (found === undefined ? [] : namesInMessage(found)).flatMap(({ kind, text }) => {
    const [first = "", second] = isNamespaced(kind) ? text.split("/") : [text];
    const name = second ?? first;
    const place = {
      kind,
      namespace: !isNamespaced(kind) ? "" : second === undefined ? namespace : first,
      name,
    };
    const span = (): Span | undefined => onlySpan(document, path, name);
    return [{ ...place, file, isDefinition: false, span }];
  });
}

/** The name in quotes if there is one, else where it is a whole word; undefined if that is ambiguous. */
function onlySpan(document: YamlDocument, path: Path, name: string): Span | undefined {
  const { depth, value } = locate(document, path);
  if (depth < path.length) return undefined;
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const text = document.text.slice(value.start, value.end);
  for (const expression of [`(?<=")${literal}(?=\\\\?")`, `(?<![\\w.-])${literal}(?![\\w-])`]) {
    const [first, ...others] = [...text.matchAll(new RegExp(expression, "g"))];
    if (first === undefined) continue;
    const start = value.start + first.index;
    return others.length > 0 ? undefined : { start, end: start + name.length };
  }
  return undefined;
}

function named(kind: Kind, namespace: string, name: unknown): Named | undefined {
  return typeof name === "string" && name !== "" ? { kind, namespace, name } : undefined;
}

function namedObject(fields: Fields): Named | undefined {
  const { kind, name, namespace } = fields;
  if (typeof kind !== "string" || !isKind(kind)) return undefined;
  const given = typeof namespace === "string" ? namespace : "default";
  return named(kind, isNamespaced(kind) ? given : "", name);
}

/** The name in `cronjob/backup`. */
function cronJobOf(from: unknown): string | undefined {
  return typeof from === "string" ? /^[^/]+\/([^/]+)$/.exec(from)?.[1] : undefined;
}

function namedByRef(ref: unknown): Named | undefined {
  return typeof ref === "string" ? readObjectText(ref) : undefined;
}

/** The namespace in a ref such as `Pod/shop/web`. */
function namespaceOfRef(ref: unknown): string | undefined {
  const found = namedByRef(ref);
  return found === undefined || found.namespace === "" ? undefined : found.namespace;
}

function namespaceSpan(document: YamlDocument, path: Path, namespace: string): Span | undefined {
  const { start, end } = scalarSpan(document, path) ?? { start: 0, end: 0 };
  const at = document.text.slice(start, end).indexOf(`/${namespace}/`);
  return at < 0 ? undefined : { start: start + at + 1, end: start + at + 1 + namespace.length };
}

/** Names in the manifests that `apply` contains as block text. */
function namesInManifests(
  file: WorkspaceFile,
  document: YamlDocument,
  step: Fields,
  path: Path,
): readonly NamePlace[] {
  if (typeof step["apply"] !== "string") return [];
  const embedded = embeddedManifests(document, [...path, "apply"]);
  if (embedded === undefined) return [];
  return namesInEmbedded(file, embedded);
}
