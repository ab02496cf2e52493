/**
 * Hover. On an object's name, or on a name of another object: what becomes of that object, why, and what to change. On a value:
 * what it means. On a field: its API description. Explain has the rest.
 */
import type { Ref } from "../../engine/api/meta.ts";
import { isInTreeName } from "../../engine/matching/csi-migration.ts";
import type { Analysis } from "../analysis.ts";
import { kustomizationKeyText } from "../completion/kustomization-items.ts";
import { projectKeyText } from "../completion/project-items.ts";
import { scenarioKeyText } from "../completion/scenario-items.ts";
import { listNames } from "../diagnostics/missing-reference.ts";
import { fieldAt, kindDescription } from "../field-schema.ts";
import { dependencyText } from "../hover/dependency-text.ts";
import { kustomizedText } from "../hover/kustomized-text.ts";
import { driverText, objectText } from "../hover/object-text.ts";
import { renderedText } from "../hover/rendered-text.ts";
import { valueText } from "../hover/value-text.ts";
import { code, escapedRef, escapeMarkdown } from "../markdown.ts";
import { templateNames } from "../names/derived-names.ts";
import { nameAt } from "../names/name-at.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { projectFileName } from "../project/project-file.ts";
import { isScenarioUri } from "../scenarios/scenario-file.ts";
import { linesOf } from "../text-lines.ts";
import { baseName } from "../workspace/files/uri.ts";
import { isKustomization } from "../workspace/kustomize.ts";
import { fieldsOf, podVolumesOf, textAt } from "../workspace/manifest-fields.ts";
import type { Reference } from "../workspace/references.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace/workspace-object.ts";
import { pathAt, underlineKey } from "../yaml/locate.ts";
import { valueAt } from "../yaml/manifest.ts";
import type { Path, Span } from "../yaml/place.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";
import { explain } from "./explanation.ts";
import { refOfReference, type Target, targetAt } from "./target.ts";

export interface Hover {
  /** Markdown. */
  readonly text: string;
  /** Offsets in the file. */
  readonly span: Span;
}

export interface HoverOptions {
  /** Whether the client has the commands `claimcheck.explain` and `claimcheck.simulateCluster`. */
  readonly commandLinks?: boolean;
}

/** Undefined where there is nothing to say. */
export function hover(
  analysis: Analysis,
  prediction: Prediction | undefined,
  file: WorkspaceFile,
  offset: number,
  { commandLinks = false }: HoverOptions = {},
): Hover | undefined {
  const target = isKustomization(file.uri)
    ? undefined
    : targetAt(analysis.environment, file, offset);
  if (target === undefined)
    return hoverOnName(analysis, prediction, file, offset) ?? hoverOnKey(file, offset);
  const rendered = analysis.environment.charts.renderedIn(file.uri);
  const ofDependency = dependencyText(rendered, file, offset, prediction);
  if (ofDependency !== undefined) return { text: ofDependency, span: target.span };
  const outcome = prediction === undefined ? undefined : outcomeAt(analysis, prediction, target);
  const { object } = target.entry;
  const value = object.served
    ? valueText(object, target.path, analysis.environment.project.drivers)
    : undefined;
  const made = target.part === "value" ? madeText(target, file) : undefined;
  const field = outcome === undefined ? fieldText(target, value) : undefined;
  const texts = [outcome, made, value, field];
  const known = texts.filter((text) => text !== undefined);
  if (known.length === 0) return undefined;
  if (outcome !== undefined) known.push(...overlaysText(analysis, target));
  if (outcome !== undefined && commandLinks) known.push(links(target));
  return { text: known.join("\n\n---\n\n"), span: target.span };
}

/** What a chart or a kustomization turns the value into. */
function madeText(
  { entry, built, path, reference }: Target,
  file: WorkspaceFile,
): string | undefined {
  const rendered = renderedText(entry, path, file);
  if (rendered !== undefined || reference !== undefined) return rendered;
  return kustomizedText(entry.object.value, built.object.value, path);
}

/** For scenario files and kustomizations, which hold names but no objects. */
function hoverOnName(
  analysis: Analysis,
  prediction: Prediction | undefined,
  file: WorkspaceFile,
  offset: number,
): Hover | undefined {
  const found = nameAt(analysis, file, offset);
  if (found === undefined || prediction === undefined) return undefined;
  const { kind, namespace, name } = found.place;
  const text = objectText(prediction, `${kind}/${namespace}/${name}`);
  return text === undefined ? undefined : { text, span: found.span };
}

/** What the key is for, in scenario files, kustomizations and claimcheck.yaml. */
function hoverOnKey({ uri, manifest }: WorkspaceFile, offset: number): Hover | undefined {
  const textOf = keyTextIn(uri);
  if (textOf === undefined) return undefined;
  const document = readYamlDocument(manifest.text);
  const { path, part } = pathAt(document, offset);
  const text = part === "key" ? textOf(path) : undefined;
  return text === undefined ? undefined : { text, span: underlineKey(document, path) };
}

function keyTextIn(uri: string): ((path: Path) => string | undefined) | undefined {
  if (isKustomization(uri)) return kustomizationKeyText;
  if (isScenarioUri(uri)) return scenarioKeyText;
  return baseName(uri) === projectFileName ? projectKeyText : undefined;
}

/** If several overlays make different objects from this one: which overlay the hover is about. */
function overlaysText({ environment }: Analysis, { reference, built }: Target): readonly string[] {
  const overlays = environment.kustomized.overlaysOf(built);
  if (reference !== undefined || overlays === undefined) return [];
  const { judged, others } = overlays;
  const build = others.length === 1 ? "builds" : "build";
  const names = others.map(escapeMarkdown).join(", ");
  return [
    `As built by ${escapeMarkdown(judged)}; ${names} ${build} it differently. \`kustomization\` in claimcheck.yaml says which one is judged.`,
  ];
}

/** Links to commands that only our extension has. */
function links({ entry, span }: Target): string {
  const { file } = entry;
  const position = linesOf(file.manifest).positionAt(span.start);
  const command = (name: string, argument: unknown): string =>
    `command:${name}?${encodeURIComponent(JSON.stringify([argument]))}`;
  const explained = command("claimcheck.explain", { uri: file.uri, position });
  const simulated = command("claimcheck.simulateCluster", { uri: file.uri, line: position.line });
  return `[Explain](${explained}) · [Simulate](${simulated})`;
}

function outcomeAt(analysis: Analysis, prediction: Prediction, target: Target): string | undefined {
  if (target.reference !== undefined) return referenceText(analysis, prediction, target.reference);
  const { path, built: entry } = target;
  const [first, second] = path;
  const template =
    path[1] === "volumeClaimTemplates" && typeof path[2] === "number" && path.length <= 5
      ? path[2]
      : undefined;
  if (template !== undefined) return templateText(prediction, entry, template);
  const mounted = mountedAt(entry, path);
  if (mounted !== undefined) return mountText(analysis, prediction, entry, mounted);
  const isName =
    path.length === 0 ||
    first === "kind" ||
    first === "apiVersion" ||
    (first === "metadata" && (second === undefined || second === "name"));
  return isName && entry.object.ref !== undefined
    ? objectText(prediction, entry.object.ref)
    : undefined;
}

function referenceText(
  { names }: Analysis,
  prediction: Prediction,
  reference: Reference,
): string | undefined {
  const ref = refOfReference(reference);
  const { kind, namespace, name } = reference;
  if (kind === "CSIDriver" && !isInTreeName(name)) return driverText(prediction, name);
  const { objects, refused } = prediction.facts;
  if (objects.has(ref) || refused.has(ref)) return objectText(prediction, ref);
  // Kubernetes' own provisioners, and those that are no CSI drivers, have no object.
  if (names.has(kind, namespace, name) || isInTreeName(name)) return undefined;
  const head = `**${escapedRef(ref)} does not exist** · ${escapeMarkdown(prediction.assumed.cluster.name)}`;
  const others = namespace === "" ? [] : names.namespacesWith(kind, name);
  if (others.length === 0) return head;
  return `${head}\n\nAn object of that name exists in namespace ${escapeMarkdown(listNames(others))}.`;
}

/** The worst outcome among the claims that a StatefulSet makes from one template. */
function templateText(
  prediction: Prediction,
  entry: WorkspaceObject,
  index: number,
): string | undefined {
  const { object } = entry;
  const template = templateNames(entry)[index];
  const prefix = `PersistentVolumeClaim/${object.namespace}/${template}-${object.name}-`;
  const refs = [...prediction.verdictOf.keys()].filter(
    (ref) => ref.startsWith(prefix) && /^\d+$/.test(ref.slice(prefix.length)),
  );
  return worstOf(prediction, refs, "claims from this template");
}

function worstOf(prediction: Prediction, refs: readonly Ref[], what: string): string | undefined {
  const wanted = new Set(refs);
  const worst = prediction.verdicts.find(({ ref }) => wanted.has(ref));
  if (worst === undefined) return undefined;
  const rank = worst.kind === "healthy" ? "One" : "The worst";
  const others = refs.length > 1 ? `\n\n${rank} of ${refs.length} ${what}.` : "";
  return explain(prediction, worst, { chain: true }) + others;
}

/** The `name` of the volumeMounts or volumeDevices item at the path. */
function mountedAt({ object }: WorkspaceObject, path: Path): string | undefined {
  const at = path.findLastIndex(
    (segment) => segment === "volumeMounts" || segment === "volumeDevices",
  );
  if (at < 0 || path.length < at + 2 || path.length > at + 3) return undefined;
  return textAt(fieldsOf(valueAt(object.value, path.slice(0, at + 2))), "name");
}

/** What becomes of what a container mounts: the template's claims, a claim, or another kind of volume. */
function mountText(
  analysis: Analysis,
  prediction: Prediction,
  entry: WorkspaceObject,
  name: string,
): string | undefined {
  const template = templateNames(entry).indexOf(name);
  if (template >= 0) return templateText(prediction, entry, template);
  const volume = podVolumesOf(entry.object).find(({ fields }) => textAt(fields, "name") === name);
  if (volume === undefined) return `**The pod has no volume “${escapeMarkdown(name)}”**`;
  const claim = textAt(volume.fields, "persistentVolumeClaim", "claimName");
  if (claim === undefined) {
    const type = Object.keys(volume.fields).find((key) => key !== "name") ?? "nothing";
    return `Volume ${code(name)} is ${code(type)}.`;
  }
  const { namespace } = entry.object;
  const kind = "PersistentVolumeClaim";
  return referenceText(analysis, prediction, {
    kind,
    namespace,
    name: claim,
    path: volume.path,
    optional: false,
  });
}

/** Longer field descriptions are cut; Kubernetes' API reference has the rest. */
const descriptionLengthMax = 400;

/** The API description of the field; on a value, only if the value has no text of its own. */
function fieldText({ entry, path, part }: Target, value: string | undefined): string | undefined {
  const { kind, served } = entry.object;
  if (!served || (part !== "key" && value !== undefined)) return undefined;
  if (path[0] === "kind") return shortened(kindDescription(kind)) || undefined;
  const named = typeof path.at(-1) === "number" ? path.slice(0, -1) : path;
  const field = fieldAt(kind, named);
  if (field === undefined) return undefined;
  const head = `\`${field.name}\`: ${field.type}`;
  return field.description === "" ? head : `${head}\n\n${shortened(field.description)}`;
}

function shortened(description: string): string {
  if (description.length <= descriptionLengthMax) return escapeMarkdown(description);
  const end = description.lastIndexOf(". ", descriptionLengthMax);
  const cut = description.slice(0, end > 0 ? end + 1 : descriptionLengthMax);
  return `${escapeMarkdown(cut)} …`;
}
