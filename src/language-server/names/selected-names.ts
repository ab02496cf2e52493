/**
 * Objects that a kustomization selects by kind and name: targets of patches, sources and targets of replacements, and referents
 * of variables. Patterns that match several objects are skipped.
 */
import type { Environment } from "../workspace/environment.ts";
import { itemsOf, type Located } from "../workspace/manifest-fields.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { isRecord, type NamedObject } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import type { YamlDocument } from "../yaml/yaml-document.ts";
import { nameSpan } from "./name-span.ts";
import type { NamePlace } from "./object-names.ts";

/** By the names written in files, which kustomize matches. */
export function* selectedNames(
  environment: Environment,
  file: WorkspaceFile,
  yaml: YamlDocument,
): Iterable<NamePlace> {
  for (const { fields, path } of selectors(yaml.value)) {
    const object = selected(environment, fields);
    if (object === undefined) continue;
    const { kind, namespace, name } = object;
    yield {
      kind,
      namespace,
      name,
      file,
      isDefinition: false,
      span: () => nameSpan(yaml, [...path, "name"], name, 0),
    };
  }
}

function* selectors(root: unknown): Iterable<Located> {
  if (!isRecord(root)) return;
  for (const list of ["patches", "patchesJson6902"])
    for (const patch of itemsOf(root[list], [list])) yield* below(patch, "target");
  for (const replacement of itemsOf(root["replacements"], ["replacements"])) {
    yield* below(replacement, "source");
    const { fields, path } = replacement;
    for (const target of itemsOf(fields["targets"], [...path, "targets"])) {
      yield* below(target, "select");
      yield* itemsOf(target.fields["reject"], [...target.path, "reject"]);
    }
  }
  for (const one of itemsOf(root["vars"], ["vars"])) yield* below(one, "objref");
}

function* below({ fields, path }: Located, field: string): Iterable<Located> {
  const value = fields[field];
  const at: Path = [...path, field];
  if (isRecord(value)) yield { fields: value, path: at };
}

function selected(
  { objects }: Environment,
  { kind, name, namespace }: Located["fields"],
): NamedObject | undefined {
  for (const { object, patched } of objects) {
    const written = patched?.written.object ?? object;
    if (written.ref === undefined || written.kind !== kind || written.name !== name) continue;
    const isThere = [written.namespace, object.namespace].some((own) => own === namespace);
    if (namespace === undefined || namespace === "" || isThere) return written;
  }
  return undefined;
}
