/**
 * The difference of two texts, as the API server appends it to messages about immutable specs.
 * Upstream: apimachinery v0.36 pkg/util/diff Diff with pmezard/go-difflib, itself a port of Python's difflib:
 * the longest matching block first, lines that are too common never taken as its start.
 */
import { push } from "./go/multi-map.ts";

const contextLines = 3;
const popularFrom = 200;

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

interface Operation {
  readonly equal: boolean;
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

/** Hunks with three lines of context, without file headers, ending in a line break. */
export function unifiedDiff(before: string, after: string): string {
  const a = before.split("\n");
  const b = after.split("\n");
  let text = "";
  for (const group of groups(operations(a, b))) {
    const first = group[0];
    const last = group.at(-1);
    if (first === undefined || last === undefined) continue;
    text += `@@ -${range(first.aFrom, last.aTo)} +${range(first.bFrom, last.bTo)} @@\n`;
    for (const { equal, aFrom, aTo, bFrom, bTo } of group) {
      for (let i = aFrom; i < aTo; i++) text += `${equal ? " " : "-"}${a[i]}\n`;
      if (!equal) for (let j = bFrom; j < bTo; j++) text += `+${b[j]}\n`;
    }
  }
  return text;
}

function range(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}

/** The indexes of each line of `b`; lines that are too common are left out. */
function linePlaces(b: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  b.forEach((line, index) => {
    push(places, line, index);
  });
  if (b.length >= popularFrom) {
    const limit = Math.floor(b.length / 100) + 1;
    for (const [line, indices] of places) if (indices.length > limit) places.delete(line);
  }
  return places;
}

/** Upstream: SequenceMatcher.findLongestMatch. */
function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: Map<string, number[]>,
  [aFrom, aTo, bFrom, bTo]: readonly [number, number, number, number],
): Block {
  let best: Block = { a: aFrom, b: bFrom, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] ?? "") ?? []) {
      if (j < bFrom) continue;
      if (j >= bTo) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  return extend(a, b, best, [aFrom, aTo, bFrom, bTo]);
}

/** Extends the match over equal lines beside it, including those that are too common to start a match. */
function extend(
  a: readonly string[],
  b: readonly string[],
  match: Block,
  [aFrom, aTo, bFrom, bTo]: readonly [number, number, number, number],
): Block {
  let { a: i, b: j, size } = match;
  while (i > aFrom && j > bFrom && a[i - 1] === b[j - 1]) {
    i--;
    j--;
    size++;
  }
  while (i + size < aTo && j + size < bTo && a[i + size] === b[j + size]) size++;
  return { a: i, b: j, size };
}

function matchingBlocks(a: readonly string[], b: readonly string[]): readonly Block[] {
  const places = linePlaces(b);
  const blocks: Block[] = [];
  const match = (aFrom: number, aTo: number, bFrom: number, bTo: number): void => {
    const block = longestMatch(a, b, places, [aFrom, aTo, bFrom, bTo]);
    if (block.size === 0) return;
    if (aFrom < block.a && bFrom < block.b) match(aFrom, block.a, bFrom, block.b);
    blocks.push(block);
    const [i, j] = [block.a + block.size, block.b + block.size];
    if (i < aTo && j < bTo) match(i, aTo, j, bTo);
  };
  match(0, a.length, 0, b.length);
  const merged: Block[] = [];
  for (const block of blocks) {
    const last = merged.at(-1);
    if (last !== undefined && last.a + last.size === block.a && last.b + last.size === block.b) {
      merged[merged.length - 1] = { ...last, size: last.size + block.size };
    } else {
      merged.push(block);
    }
  }
  return [...merged, { a: a.length, b: b.length, size: 0 }];
}

function operations(a: readonly string[], b: readonly string[]): readonly Operation[] {
  const found: Operation[] = [];
  let [i, j] = [0, 0];
  for (const block of matchingBlocks(a, b)) {
    if (i < block.a || j < block.b)
      found.push({ equal: false, aFrom: i, aTo: block.a, bFrom: j, bTo: block.b });
    [i, j] = [block.a + block.size, block.b + block.size];
    if (block.size > 0) found.push({ equal: true, aFrom: block.a, aTo: i, bFrom: block.b, bTo: j });
  }
  return found;
}

/** Upstream: SequenceMatcher.GetGroupedOpCodes. */
function groups(all: readonly Operation[]): readonly (readonly Operation[])[] {
  const operations = all.map((operation, index) => {
    if (!operation.equal) return operation;
    const { aFrom, aTo, bFrom, bTo } = operation;
    const skip = index === 0 ? Math.max(0, aTo - aFrom - contextLines) : 0;
    const keep = index === all.length - 1 ? Math.max(0, aTo - aFrom - skip - contextLines) : 0;
    return {
      equal: true,
      aFrom: aFrom + skip,
      aTo: aTo - keep,
      bFrom: bFrom + skip,
      bTo: bTo - keep,
    };
  });
  const result: Operation[][] = [[]];
  for (const operation of operations) {
    const { equal, aFrom, aTo, bFrom, bTo } = operation;
    if (equal && aTo - aFrom > 2 * contextLines) {
      result
        .at(-1)
        ?.push({ equal, aFrom, aTo: aFrom + contextLines, bFrom, bTo: bFrom + contextLines });
      result.push([{ equal, aFrom: aTo - contextLines, aTo, bFrom: bTo - contextLines, bTo }]);
    } else {
      result.at(-1)?.push(operation);
    }
  }
  return result.filter((group) => group.some((operation) => !operation.equal));
}
