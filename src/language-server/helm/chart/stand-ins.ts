/** Places to show instead of files that are in archives or belong to another cluster. */
import type { Piece, TemplateSource } from "../go-template/rendered-text.ts";
import type { Chart, ChartFile, ChartProblem, StandIn } from "./chart.ts";
import type { RenderedManifest } from "./release.ts";

/** By the URIs of the files. */
export type StandIns = ReadonlyMap<string, StandInFile>;

interface StandInFile extends StandIn {
  /** Path of the replaced file in its chart. */
  readonly path: string;
}

export function standInsOf(chart: Chart): StandIns {
  const standIns = new Map<string, StandInFile>();
  addStandIns(chart, undefined, standIns);
  return standIns;
}

/** Everything within a chart that has a stand-in gets the same. */
function addStandIns(
  chart: Chart,
  outer: StandIn | undefined,
  standIns: Map<string, StandInFile>,
): void {
  const standIn = outer ?? chart.standIn;
  if (standIn !== undefined)
    for (const uri of urisOf(chart)) {
      const path = uri.slice(chart.folderUri.length + 1);
      if (!standIns.has(uri)) standIns.set(uri, { ...standIn, path });
    }
  for (const subchart of chart.subcharts) addStandIns(subchart, standIn, standIns);
}

function urisOf(chart: Chart): readonly string[] {
  const { metadata, valuesFile, schemaFile, templates, files, folderUri } = chart;
  const ofDependencies = (metadata.dependencies ?? []).map(({ place }) => place.uri);
  const read: readonly ChartFile[] = [...templates, ...files].map(({ file }) => file);
  return [
    ...[folderUri, metadata.placeOf("name").uri, ...ofDependencies],
    ...[valuesFile, schemaFile].flatMap((file) => file?.uri ?? []),
    ...read.map(({ uri }) => uri),
  ];
}

/** Adds the original location to the message, because the place does not show it. */
export function problemAtStandIn(problem: ChartProblem, standIns: StandIns): ChartProblem {
  const standIn = standIns.get(problem.uri);
  if (standIn === undefined) return problem;
  const { from, path, place } = standIn;
  const where = path === "" ? from : `${from}, ${path}`;
  return { ...problem, ...place, message: `In ${where}: ${problem.message}` };
}

/** The same object as before for the same manifest and place. */
export function manifestAtStandIn(
  manifest: RenderedManifest,
  standIns: StandIns,
): RenderedManifest {
  if (!manifest.pieces.some(({ source }) => standIns.has(source.uri))) return manifest;
  const uri = standIns.get(manifest.uri)?.place.uri ?? manifest.uri;
  const pieces = manifest.pieces.map((piece) => pieceAtStandIn(piece, standIns));
  const known = made.get(manifest);
  if (known?.uri === uri && known.pieces.every((piece, at) => isSame(piece, pieces[at])))
    return known;
  const moved = { ...manifest, uri, pieces };
  made.set(manifest, moved);
  return moved;
}

const made = new WeakMap<RenderedManifest, RenderedManifest>();

/** The piece as if the stand-in had produced it: nothing in it can be changed in place. */
function pieceAtStandIn(piece: Piece, standIns: StandIns): Piece {
  const standIn = standIns.get(piece.source.uri);
  if (standIn === undefined) return piece;
  const { start, end } = standIn.place;
  const source = sourceOf(standIn);
  return { ...piece, source, from: start, to: end, isLiteral: false, original: piece };
}

/** One source per stand-in, because pieces are grouped by source. */
function sourceOf({ file, from }: StandIn): TemplateSource {
  const ofFile = sources.get(file) ?? new Map<string, TemplateSource>();
  sources.set(file, ofFile);
  const { uri, text } = file;
  const source = ofFile.get(from) ?? { name: uri, uri, text, standsFor: from };
  ofFile.set(from, source);
  return source;
}

const sources = new WeakMap<ChartFile, Map<string, TemplateSource>>();

function isSame(a: Piece, b: Piece | undefined): boolean {
  return a.source === b?.source && a.from === b.from && a.to === b.to;
}
