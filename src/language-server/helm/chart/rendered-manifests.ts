/**
 * Splits what the templates rendered into documents, in the order of installation. Upstream:
 * pkg/release/v1/util/manifest_sorter.go.
 */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { type Piece, piecesBetween, type RenderedText } from "../go-template/rendered-text.ts";
import { type ChartProblem, mostPressing } from "./chart.ts";
import { compareHooks, compareKinds } from "./install-order.ts";
import { type Hook, hookOf, type ManifestHead, manifestHead } from "./manifest-head.ts";
import type { Phase, RenderedManifest } from "./release.ts";
import { splitManifests } from "./split-manifests.ts";
import { readYamlText } from "./yaml-text.ts";

export interface RenderedFile {
  readonly templateName: string;
  readonly uri: string;
  readonly rendered: RenderedText;
  readonly isCrd: boolean;
}

export interface ManifestsRead {
  readonly manifests: readonly RenderedManifest[];
  readonly otherHooks: readonly RenderedManifest[];
  readonly problems: readonly ChartProblem[];
}

interface Sorted {
  readonly manifest: RenderedManifest;
  readonly head: ManifestHead;
}

export function renderedManifests(files: readonly RenderedFile[]): ManifestsRead {
  const problems = new Map<string, ChartProblem>();
  const read: Sorted[] = [];
  const crds = files.filter(({ isCrd }) => isCrd);
  const byName = files
    .filter(({ isCrd }) => !isCrd)
    .sort((a, b) => compareText(a.templateName, b.templateName));
  // The same mistake repeated by a loop is reported once.
  for (const file of [...crds, ...byName])
    for (const sorted of manifestsIn(file))
      if ("message" in sorted)
        problems.set(`${sorted.uri}\0${sorted.start}\0${sorted.message}`, sorted);
      else read.push(sorted);
  read.sort(compareManifests);
  const manifests = read.map(({ manifest }) => manifest);
  return {
    manifests: manifests.filter(({ phase }) => phase !== undefined),
    otherHooks: manifests.filter(({ phase }) => phase === undefined),
    problems: mostPressing([...problems.values()]),
  };
}

/** Cached for each rendered text. */
function manifestsIn(file: RenderedFile): readonly (Sorted | ChartProblem)[] {
  const { rendered } = file;
  const known =
    readBefore.get(rendered) ??
    splitManifests(rendered.text).flatMap(({ start, end }) => {
      const text = rendered.text.slice(start, end);
      return readManifest(text, piecesBetween(rendered, start, end), file) ?? [];
    });
  readBefore.set(rendered, known);
  return known;
}

const readBefore = new WeakMap<RenderedText, readonly (Sorted | ChartProblem)[]>();

/** Undefined for a document with only comments, and for hooks that Helm does not know. */
function readManifest(
  text: string,
  pieces: readonly Piece[],
  { templateName, uri, isCrd }: RenderedFile,
): Sorted | ChartProblem | undefined {
  const yaml = readYamlText(text);
  const [mistake] = yaml.problems.filter(({ code }) => code !== "yaml-duplicate-key");
  const told = (message: string, start: number): ChartProblem => ({
    code: "manifest",
    message: `YAML parse error on ${templateName}: ${message}`,
    severity: "error",
    ...placeOf(pieces, start, uri),
  });
  if (mistake !== undefined) return told(mistake.message, mistake.start);
  if (yaml.value === undefined || yaml.value === null) return undefined;
  const head = manifestHead(yaml.value);
  if (typeof head === "string") return told(head, 0);
  const hook = isCrd ? undefined : hookOf(head);
  if (hook === "unknown") return undefined;
  const phase = isCrd ? "crd" : phaseOf(hook);
  const { kind } = head;
  const manifest = { text, pieces, templateName, uri, kind, phase };
  return { manifest: hook === undefined ? manifest : { ...manifest, hook }, head };
}

/** A hook for both is created before the installation. */
function phaseOf(hook: Hook | undefined): Phase | undefined {
  if (hook === undefined) return "install";
  if (hook.events.includes("pre-install")) return "pre-install";
  return hook.events.includes("post-install") ? "post-install" : undefined;
}

const phases: readonly (Phase | undefined)[] = ["crd", "pre-install", "install", "post-install"];

/** CRDs are created in their original order. */
function compareManifests(a: Sorted, b: Sorted): number {
  const [first, second] = [a.manifest, b.manifest];
  const byPhase = phases.indexOf(first.phase) - phases.indexOf(second.phase);
  if (byPhase !== 0 || first.phase === "crd") return byPhase;
  const byKind = compareKinds(first.kind, second.kind);
  if (first.hook === undefined || second.hook === undefined) return byKind;
  const names = { a: a.head.name, b: b.head.name };
  return (
    compareHooks(
      { name: names.a, weight: first.hook.weight },
      { name: names.b, weight: second.hook.weight },
    ) || byKind
  );
}

/** The part of the template that has produced what is at the offset. */
function placeOf(
  pieces: readonly Piece[],
  offset: number,
  uri: string,
): Pick<ChartProblem, "uri" | "start" | "end"> {
  const piece = pieces.find(({ end }) => end > offset) ?? pieces.at(-1);
  if (piece === undefined) return { uri, start: 0, end: 0 };
  const { from, to, source, isLiteral } = piece;
  if (!isLiteral) return { uri: source.uri, start: from, end: to };
  const start = from + Math.max(offset - piece.start, 0);
  const lineEnd = source.text.indexOf("\n", start);
  return { uri: source.uri, start, end: lineEnd < 0 ? to : Math.max(lineEnd, start) };
}
