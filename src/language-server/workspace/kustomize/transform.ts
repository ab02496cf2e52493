/**
 * How a kustomization's patches and transformers change its objects. Upstream: kustomize v5.8 api/internal/target
 * kusttarget_configplugin.go configureBuiltinTransformers (the order) and the transformers of api/internal/builtins.
 */
import type { Json } from "../../../engine/api/json.ts";
import { resolveUri } from "../files/uri.ts";
import { applyPatches } from "./apply-patches.ts";
import type { BuildScene } from "./build-scene.ts";
import { changedOnce } from "./changed-once.ts";
import { isClusterScoped } from "./cluster-scoped.ts";
import { givenAt } from "./entry-place.ts";
import { type FieldLists, type FieldSpec, mergeSpecs, ownNamespace } from "./field-specs.ts";
import { setImages } from "./images.ts";
import { withKnownNames } from "./known-names.ts";
import type {
  ForFields,
  KustomizationEntry,
  NamespaceEntry,
  ReplacementEntry,
  ReplicasEntry,
  TextEntry,
  Transformers,
} from "./kustomization-file.ts";
import { replacementsType } from "./kustomization-type.ts";
import { outside, textsOfFile } from "./loaded-patch.ts";
import { replace } from "./replacements.ts";
import { printId, type Resource } from "./resource.ts";
import { changeFields, isOf, setPairs } from "./set-fields.ts";
import { itemsOf, kept, partOf, type Written } from "./written.ts";

/** Kinds whose names get no prefix or suffix. Upstream: prefixFieldSpecsToSkip. */
const fixedNames: ReadonlySet<string> = new Set([
  "CustomResourceDefinition",
  "APIService",
  "Namespace",
]);

export function transform(transformers: Transformers, scene: BuildScene): void {
  const { namespace, namePrefix, nameSuffix } = transformers;
  for (const entry of transformers.patches) applyPatches(entry, scene);
  if (namespace !== undefined) {
    setNamespace(namespace, scene);
    tellConflicts(namespace, scene);
  }
  if (namePrefix !== undefined)
    rename(namePrefix, scene, "prefixes", (name) => namePrefix.text + name);
  if (nameSuffix !== undefined)
    rename(nameSuffix, scene, "suffixes", (name) => name + nameSuffix.text);
  for (const entry of transformers.pairs) {
    const specs = fieldsFor(entry, scene.fields);
    for (const resource of scene.resources)
      set(resource, entry, scene, (written, pairs) => setPairs(written, specs, pairs));
  }
  for (const entry of transformers.latePatches) applyPatches(entry, scene);
  for (const entry of transformers.replicas) scale(entry, scene);
  for (const entry of transformers.images) {
    // Images are never created where there are none, whatever the spec says.
    const specs = fieldsFor(entry, scene.fields).map((spec) => ({ ...spec, create: false }));
    for (const resource of scene.resources)
      set(resource, entry, scene, (written, given) => setImages(written, specs, entry, given));
  }
  for (const entry of transformers.replacements)
    for (const replacement of replacementsOf(entry, scene)) replaceBy(replacement, entry, scene);
}

/** The fields of an entry: its own, and those of kustomize's lists. */
function fieldsFor({ fields, usual }: ForFields, lists: FieldLists): readonly FieldSpec[] {
  return (usual ?? []).reduceRight((specs, list) => mergeSpecs(lists[list], specs), fields);
}

/** Applies `change` with the entry's part of the kustomization as `given`. */
function set(
  resource: Resource,
  entry: KustomizationEntry,
  { place, log }: BuildScene,
  change: (written: Written, given: Written) => Written,
): void {
  const { written } = resource;
  if (written === undefined || log.isSpentAt(place, entry.path)) return;
  log.isChanged = true;
  const given = givenAt(place, entry.path);
  const after = changedOnce(written, entry, () => change(written, given));
  if (after === written) return;
  resource.written = after;
  resource.changedBy.push({ place, file: given.text.file, entry });
}

/** Upstream: NamespaceTransformerPlugin.Transform. */
function setNamespace(entry: NamespaceEntry, scene: BuildScene): void {
  const specs = fieldsFor(entry, scene.fields);
  const others = specs.filter(({ path }) => path.join("/") !== "metadata/namespace");
  for (const resource of scene.resources) {
    const { kind, apiVersion } = resource;
    // Other groups have a kind Namespace, too, which keeps its name.
    const own = apiVersion === "v1" ? others : others.filter((spec) => !isOfName(spec));
    const fields = isClusterScoped(apiVersion, kind) ? own : [...ownNamespace, ...own];
    resource.previousIds.push(resource.id);
    set(resource, entry, scene, (written, namespace) =>
      changeFields(written, fields, namespace, (old) =>
        entry.unsetOnly && typeof old.value === "string" && old.value !== "" ? old : namespace,
      ),
    );
  }
}

/** Reports objects that had the same name in different namespaces. Generated objects may be merged instead. */
function tellConflicts(entry: KustomizationEntry, { place, resources, log }: BuildScene): void {
  const seen = new Set<string>();
  for (const { apiVersion, id, written, entry: own } of resources) {
    const printed = printId({ ...id, apiVersion });
    if (own === undefined || written === undefined || id.name === "") continue;
    if (seen.has(printed)) {
      const message = `namespace: namespace transformation produces ID conflict: ${printed}`;
      log.refuse(place, entry.path, message);
      return;
    }
    seen.add(printed);
  }
}

/**
 * The name keeps its place, because that is where mistakes in it must be fixed. Upstream: PrefixTransformerPlugin.Transform.
 */
function rename(
  entry: TextEntry,
  scene: BuildScene,
  affixes: "prefixes" | "suffixes",
  change: (name: string) => string,
): void {
  const specs = fieldsFor(entry, scene.fields);
  const ofNames = specs.filter(isOfName);
  for (const resource of scene.resources) {
    const { kind, written: before } = resource;
    if (fixedNames.has(kind) || before === undefined) continue;
    if (ofNames.some((spec) => isOf(before.value, spec))) {
      resource[affixes].push(entry.text);
      resource.previousIds.push(resource.id);
    }
    set(resource, entry, scene, (written, given) =>
      changeFields(written, specs, given, (old) =>
        typeof old.value === "string" ? { ...old, value: change(old.value) } : old,
      ),
    );
  }
}

function isOfName({ path }: FieldSpec): boolean {
  return path.join("/") === "metadata/name";
}

/** Upstream: ReplicaCountTransformerPlugin.Transform. */
function scale(entry: ReplicasEntry, scene: BuildScene): void {
  const { place, resources, fields, log } = scene;
  const specs = fieldsFor(entry, fields);
  const scaled = resources.filter(
    ({ written, ids }) =>
      written !== undefined &&
      specs.some((spec) => isOf(written.value, spec)) &&
      ids.some(({ name }) => name === entry.name),
  );
  if (scaled.length === 0 && !log.isPartial) {
    const message = `entry: resource with name ${entry.name} does not match a config with the following GVK [${specs.map(printKinds).join(" ")}]`;
    log.refuse(place, [...entry.path, "name"], message);
  }
  for (const resource of scaled)
    set(resource, entry, scene, (written, given) => {
      const said = partOf(given, "count");
      const count = said === undefined || said.value === null ? { ...given, value: 0 } : said;
      return changeFields(written, specs, count, () => count);
    });
}

/** Upstream: kyaml resid.Gvk.String. */
function printKinds({ group, version, kind }: FieldSpec): string {
  return `${kind ?? "[noKind]"}.${version ?? "[noVer]"}.${group ?? "[noGrp]"}`;
}

/** A file may contain several replacements. */
function replacementsOf(
  { file, path }: ReplacementEntry,
  { place, log, findFile }: BuildScene,
): readonly Written[] {
  if (file === undefined) return [givenAt(place, path)];
  const own = findFile(resolveUri(place.folder, file));
  if (own === undefined || own.skipped !== undefined) {
    log.tellUnread(place, [...path, "path"], `The replacement is not applied: ${file}`);
    return [];
  }
  log.files.add(own.uri);
  log.problems.push(...outside(place, [...path, "path"], own));
  return textsOfFile(own).flatMap((part) => {
    const type = Array.isArray(part.yaml.value) ? replacementsType : replacementsType.list;
    const yaml = withKnownNames(part.yaml, type);
    const whole = { text: { ...part, yaml }, path: [], value: (yaml.value ?? null) as Json };
    return Array.isArray(whole.value) ? itemsOf(whole) : [whole];
  });
}

/** Upstream: ReplacementTransformerPlugin.Transform. */
function replaceBy(
  replacement: Written,
  entry: ReplacementEntry,
  { place, resources, log }: BuildScene,
): void {
  if (log.isSpentAt(place, entry.path)) return;
  log.isChanged = true;
  const { replaced, problem } = replace(replacement, resources, log.isPartial);
  if (problem !== undefined)
    log.refuseAt(problem.at.text, problem.at.path, "replacement", problem.message);
  for (const { resource, written } of replaced) {
    if (resource.written === undefined) continue;
    if (written === undefined) resource.lacksPatch = true;
    else resource.written = kept(resource.written, entry, written);
    resource.changedBy.push({ place, file: replacement.text.file, entry });
  }
}
