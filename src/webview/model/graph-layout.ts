/**
 * Places the objects of a graph: one column for each kind, from CronJob to Node, in an order that does not change from moment
 * to moment, and the lines between them. Horizontal units are hundredths of a column, vertical ones pixels.
 */
import { compareText } from "../../engine/api/go/text-order.ts";
import type { Ref } from "../../engine/api/meta.ts";
import type { GraphObject, ObjectGraph } from "./object-graph.ts";

export interface GraphBox {
  readonly object: GraphObject;
  readonly column: number;
  readonly left: number;
  readonly top: number;
}

export interface GraphLine {
  readonly from: Ref;
  readonly to: Ref;
  /** The data of an SVG path. */
  readonly path: string;
  readonly holds: boolean;
}

export interface GraphLayout {
  readonly boxes: readonly GraphBox[];
  readonly lines: readonly GraphLine[];
  readonly columnCount: number;
  readonly width: number;
  readonly height: number;
}

export const boxWidth = 80;
export const boxHeight = 56;
const columnWidth = 100;
const rowHeight = boxHeight + 12;
/** The distance between the boxes and a line below them, and between such lines. */
const laneHeight = 8;

/** The kinds of each column, from top to bottom. */
const columns: readonly (readonly string[])[] = [
  ["CronJob"],
  [],
  ["Pod"],
  ["PersistentVolumeClaim", "VolumeSnapshot", "StorageClass"],
  ["PersistentVolume", "VolumeSnapshotContent", "CSIDriver"],
  ["VolumeAttachment"],
  ["Node"],
];
/** The column of all other kinds. */
const workloadColumn = 1;

export function layoutGraph({ objects, relations }: ObjectGraph): GraphLayout {
  const used = columns.flatMap((kinds, index) => {
    const members = objects.filter(({ kind }) => columnOf(kind) === index);
    return members.length === 0 ? [] : [{ kinds, members }];
  });
  const boxes = new Map<Ref, GraphBox>();
  const partners = partnersOf(relations);
  for (const [column, { kinds, members }] of used.entries()) {
    const keyed = members.map((object) => ({
      object,
      rank: kinds.indexOf(object.kind),
      // Close to the highest object that it is related to.
      top: Math.min(
        ...(partners.get(object.ref) ?? []).map((ref) => boxes.get(ref)?.top ?? Infinity),
      ),
    }));
    keyed.sort(
      (a, b) =>
        a.rank - b.rank ||
        compareNumbers(a.top, b.top) ||
        compareText(a.object.name, b.object.name),
    );
    for (const [row, { object }] of keyed.entries())
      boxes.set(object.ref, { object, column, left: column * columnWidth, top: row * rowHeight });
  }
  const bottom = Math.max(0, ...[...boxes.values()].map(({ top }) => top + boxHeight));
  const lanes = new Map<Ref, number>();
  const lines = relations.flatMap(({ from, to, holds }) => {
    const ends = [boxes.get(from), boxes.get(to)] as const;
    if (ends[0] === undefined || ends[1] === undefined) return [];
    const [start, end] = ends[0].column <= ends[1].column ? [ends[0], ends[1]] : [ends[1], ends[0]];
    if (end.column - start.column <= 1) return [{ from, to, holds, path: curve(start, end) }];
    const lane = lanes.get(end.object.ref) ?? bottom + (lanes.size + 1) * laneHeight;
    lanes.set(end.object.ref, lane);
    return [{ from, to, holds, path: detour(start, end, lane) }];
  });
  return {
    boxes: [...boxes.values()],
    lines,
    columnCount: used.length,
    // The last column needs space for the lines around its boxes, too.
    width: used.length * columnWidth,
    height: bottom + (lanes.size === 0 ? 0 : (lanes.size + 1) * laneHeight),
  };
}

/**
 * The box that an arrow key leads to: the next above or below, or the nearest in the adjacent column; undefined if there is
 * none.
 */
export function boxForKey(
  { boxes }: GraphLayout,
  key: string,
  { column, top }: GraphBox,
): GraphBox | undefined {
  const inColumn = (index: number): readonly GraphBox[] =>
    boxes.filter((box) => box.column === index);
  const nearest = (index: number): GraphBox | undefined =>
    [...inColumn(index)].sort((a, b) => Math.abs(a.top - top) - Math.abs(b.top - top))[0];
  switch (key) {
    case "ArrowDown":
      return inColumn(column).find((box) => box.top > top);
    case "ArrowUp":
      return inColumn(column).findLast((box) => box.top < top);
    case "ArrowRight":
      return nearest(column + 1);
    case "ArrowLeft":
      return nearest(column - 1);
    default:
      return undefined;
  }
}

function columnOf(kind: string): number {
  const column = columns.findIndex((kinds) => kinds.includes(kind));
  return column < 0 ? workloadColumn : column;
}

function partnersOf(relations: ObjectGraph["relations"]): ReadonlyMap<Ref, readonly Ref[]> {
  const partners = new Map<Ref, Ref[]>();
  const add = (of: Ref, partner: Ref): void => {
    partners.set(of, [...(partners.get(of) ?? []), partner]);
  };
  for (const { from, to } of relations) {
    add(from, to);
    add(to, from);
  }
  return partners;
}

/** Also works for two infinities. */
function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** A curve from the right side of `start` to the left side of `end`, or, within one column, from right side to right side. */
function curve(start: GraphBox, end: GraphBox): string {
  const [fromX, fromY, toY] = [start.left + boxWidth, middle(start), middle(end)];
  if (start.column === end.column)
    return `M ${fromX} ${fromY} C ${fromX + 16} ${fromY}, ${fromX + 16} ${toY}, ${fromX} ${toY}`;
  const bend = (columnWidth - boxWidth) / 2;
  return `M ${fromX} ${fromY} C ${fromX + bend} ${fromY}, ${end.left - bend} ${toY}, ${end.left} ${toY}`;
}

/** A line below all boxes, for boxes with columns between them. */
function detour(start: GraphBox, end: GraphBox, lane: number): string {
  const fromX = start.left + boxWidth;
  return `M ${fromX} ${middle(start)} H ${fromX + 6} V ${lane} H ${end.left - 6} V ${middle(end)} H ${end.left}`;
}

function middle({ top }: GraphBox): number {
  return top + boxHeight / 2;
}
