/**
 * Links: from kustomizations and scenario files to the files they name, and from rule ids (in claimcheck.yaml and in ignore
 * comments) to the pages of the rules.
 */
import { rulePage } from "../diagnostics/rule.ts";
import { ruleIds } from "../diagnostics/rules.ts";
import { projectFileName } from "../project/project-file.ts";
import { isScenarioUri } from "../scenarios/scenario-file.ts";
import type { Environment } from "../workspace/environment.ts";
import { baseName, decoded, parentUri, resolveUri } from "../workspace/files/uri.ts";
import { chartFileName } from "../workspace/helm/chart-folders.ts";
import { isKustomization, kustomizationNames } from "../workspace/kustomize.ts";
import { type Fields, fieldsAt, fieldsOf, itemsOf, listAt } from "../workspace/manifest-fields.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { locate } from "../yaml/locate.ts";
import type { Path, Span } from "../yaml/place.ts";
import { readYamlDocument, type YamlDocument } from "../yaml/yaml-document.ts";

export interface DocumentLink extends Span {
  readonly target: string;
  readonly tooltip: string;
}

export function documentLinks(
  environment: Environment,
  file: WorkspaceFile,
): readonly DocumentLink[] {
  const { text } = file.manifest;
  const links = linksOfComments(text);
  const name = baseName(file.uri);
  if (name === projectFileName) return [...links, ...linksOfProject(readYamlDocument(text))];
  const read = isKustomization(file.uri)
    ? kustomizationFiles
    : isScenarioUri(file.uri)
      ? scenarioFiles
      : undefined;
  if (read === undefined) return links;
  const document = readYamlDocument(text);
  const folder = parentUri(file.uri);
  const known = new Set(environment.files.map(({ uri }) => decoded(uri)));
  for (const { path, text: given } of read(fieldsOf(document.value))) {
    const span = spanOfEnd(document, path, given);
    const target = span === undefined ? undefined : targetOf(folder, given, known);
    if (span === undefined || target === undefined) continue;
    const tooltip = /^https?:/i.test(target) ? "Open the page" : "Open the file";
    links.push({ ...span, target, tooltip });
  }
  return links;
}

interface NamedFile {
  readonly path: Path;
  /** As written; for `key=file`, only the file. */
  readonly text: string;
}

/** Fields that hold lists of files or folders. */
const fileLists: readonly string[] = [
  "resources",
  "components",
  "bases",
  "crds",
  "configurations",
  "generators",
  "transformers",
  "validators",
  "patchesStrategicMerge",
];

function kustomizationFiles(root: Fields): readonly NamedFile[] {
  const found = fileLists.flatMap((field) => texts(root, field, [field]));
  for (const field of ["patches", "patchesJson6902", "replacements"])
    for (const { fields, path } of itemsOf(root[field], [field]))
      found.push(...textAt(fields, "path", [...path, "path"]));
  for (const { fields, path } of itemsOf(root["helmCharts"], ["helmCharts"])) {
    const further = "additionalValuesFiles";
    found.push(...textAt(fields, "valuesFile", [...path, "valuesFile"]));
    found.push(...texts(fields, further, [...path, further]));
  }
  for (const field of ["configMapGenerator", "secretGenerator"])
    for (const { fields, path } of itemsOf(root[field], [field])) {
      // In `key=file`, `key` is the name in the made object.
      for (const { path: at, text } of texts(fields, "files", [...path, "files"]))
        found.push({ path: at, text: text.slice(text.indexOf("=") + 1) });
      found.push(...texts(fields, "envs", [...path, "envs"]));
      found.push(...textAt(fields, "env", [...path, "env"]));
    }
  found.push(...textAt(fieldsAt(root, "openapi"), "path", ["openapi", "path"]));
  return found;
}

function scenarioFiles(root: Fields): readonly NamedFile[] {
  return itemsOf(root["steps"], ["steps"]).flatMap(({ fields, path }) => [
    ...texts(fields, "apply", [...path, "apply"]),
    ...textAt(fields, "kustomize", [...path, "kustomize"]),
    ...filesOfRelease(fieldsAt(fields, "helm"), [...path, "helm"]),
  ]);
}

function filesOfRelease(release: Fields, path: Path): readonly NamedFile[] {
  return [
    ...textAt(release, "chart", [...path, "chart"]),
    ...textAt(release, "values", [...path, "values"]),
    ...texts(release, "values", [...path, "values"]),
  ];
}

function texts(fields: Fields, field: string, path: Path): readonly NamedFile[] {
  return listAt(fields, field).flatMap((text, index) =>
    typeof text === "string" ? [{ path: [...path, index], text }] : [],
  );
}

function textAt(fields: Fields, field: string, path: Path): readonly NamedFile[] {
  const text = fields[field];
  return typeof text === "string" ? [{ path, text }] : [];
}

/** Where the text stands at the end of the value; undefined if it does not, because of escapes or an alias. */
function spanOfEnd(document: YamlDocument, path: Path, text: string): Span | undefined {
  const { depth, value } = locate(document, path);
  if (depth < path.length || text === "") return undefined;
  const start = document.text.lastIndexOf(text, value.end);
  return start < value.start ? undefined : { start, end: start + text.length };
}

/**
 * The address of a file or page. A folder leads to its kustomization or chart, if one is known. Undefined for URLs other than
 * http(s): editors pass those to any program that claims them.
 */
function targetOf(folder: string, given: string, known: ReadonlySet<string>): string | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(given)) return /^https?:/i.test(given) ? given : undefined;
  if (/^[\w.-]+\.[a-z]{2,}\//i.test(given) && !known.has(decoded(resolveUri(folder, given))))
    return `https://${given}`;
  const target = resolveUri(folder, given);
  const inFolder = [...kustomizationNames, chartFileName]
    .map((name) => `${target}/${name}`)
    .find((uri) => known.has(decoded(uri)));
  return inFolder ?? target;
}

function linksOfProject(document: YamlDocument): readonly DocumentLink[] {
  return Object.keys(fieldsAt(fieldsOf(document.value), "rules")).flatMap((id): DocumentLink[] => {
    const { depth, key } = locate(document, ["rules", id]);
    return depth < 2 || key === undefined || !ruleIds.includes(id) ? [] : [linkToRule(key, id)];
  });
}

function linksOfComments(text: string): DocumentLink[] {
  const links: DocumentLink[] = [];
  // A colon ends the list of ids: the reason follows.
  for (const match of text.matchAll(/#[ \t]*claimcheck-ignore[\w-]*[ \t]([^:\n]*)/g)) {
    const [whole, list = ""] = match;
    const from = match.index + whole.length - list.length;
    for (const { 0: id, index } of list.matchAll(/[\w-]+/g)) {
      const start = from + index;
      if (ruleIds.includes(id)) links.push(linkToRule({ start, end: start + id.length }, id));
    }
  }
  return links;
}

function linkToRule({ start, end }: Span, id: string): DocumentLink {
  return { start, end, target: rulePage(id), tooltip: "What this rule is about" };
}
