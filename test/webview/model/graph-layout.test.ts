import { strict as assert } from "node:assert";
import { kindOfRef, nameOfRef, type Ref } from "../../../src/engine/api/meta.ts";
import {
  boxForKey,
  type GraphLayout,
  layoutGraph,
} from "../../../src/webview/model/graph-layout.ts";
import type { ObjectGraph } from "../../../src/webview/model/object-graph.ts";

/** Builds a graph of relations `[from, to]`; `[from, to, "wanted"]` is one that does not hold yet. */
function graph(...relations: readonly (readonly [Ref, Ref, "wanted"?])[]): ObjectGraph {
  const refs = new Set<Ref>();
  for (const [from, to] of relations) refs.add(from).add(to);
  return {
    objects: [...refs].map((ref) => ({
      ref,
      kind: kindOfRef(ref),
      name: nameOfRef(ref),
      exists: true,
      isRefused: false,
    })),
    relations: relations.map(([from, to, wanted]) => ({
      from,
      to,
      text: "uses",
      holds: wanted === undefined,
    })),
    isCut: false,
  };
}

const web = "Pod/default/web";
const data = "PersistentVolumeClaim/default/data";
const logs = "PersistentVolumeClaim/default/logs";
const disk = "PersistentVolume//disk";
const tape = "PersistentVolume//tape";
const fast = "StorageClass//fast";
const node = "Node//node-a";

function places({ boxes }: GraphLayout): readonly string[] {
  return boxes.map(({ object, column, top }) => `${object.name} ${column} ${top}`);
}

suite("layout of the graph", () => {
  test("each kind has its column, without empty columns", () => {
    const layout = layoutGraph(graph([web, data], [data, disk], [web, node]));
    assert.deepEqual(places(layout), ["web 0 0", "data 1 0", "disk 2 0", "node-a 3 0"]);
    assert.equal(layout.columnCount, 4);
  });

  test("a class is below the claims, whatever its name", () => {
    const layout = layoutGraph(graph([data, fast.replace("fast", "a-class")], [logs, data]));
    assert.deepEqual(places(layout), ["data 0 0", "logs 0 68", "a-class 0 136"]);
  });

  test("an object is beside the one that it belongs to", () => {
    const layout = layoutGraph(graph([logs, disk], [data, tape]));
    assert.deepEqual(places(layout), ["data 0 0", "logs 0 68", "tape 1 0", "disk 1 68"]);
  });

  test("a line across other columns goes below all boxes", () => {
    const { lines, height } = layoutGraph(graph([web, data], [data, disk], [web, node]));
    const [, , long] = lines;
    assert.match(long?.path ?? "", /^M 80 28 H 86 V 64 H 294 V 28 H 300$/);
    assert.ok(height > 64, String(height));
  });

  test("two boxes of a column are joined around their side, which has room", () => {
    const { lines, width } = layoutGraph(graph([data, fast]));
    assert.match(lines[0]?.path ?? "", /^M 80 28 C 96 28, 96 96, 80 96$/);
    assert.ok(width > 96, String(width));
  });

  test("a relation that does not hold yet is marked, and begins at the object that wants it", () => {
    const { lines } = layoutGraph(graph([disk, data, "wanted"]));
    assert.deepEqual(
      lines.map(({ from, to, holds, path }) => [from, to, holds, path.startsWith("M 80 ")]),
      [[disk, data, false, true]],
    );
  });

  test("arrow keys lead to the next box of a column and to the nearest in the next column", () => {
    const layout = layoutGraph(graph([web, data], [web, logs], [logs, disk]));
    const box = (name: string) => {
      const found = layout.boxes.find(({ object }) => object.name === name);
      assert.ok(found !== undefined);
      return found;
    };
    const from = (name: string, key: string): string | undefined =>
      boxForKey(layout, key, box(name))?.object.name;
    assert.equal(from("data", "ArrowDown"), "logs");
    assert.equal(from("logs", "ArrowUp"), "data");
    assert.equal(from("data", "ArrowRight"), "disk");
    assert.equal(from("disk", "ArrowLeft"), "data");
    assert.equal(from("web", "ArrowLeft"), undefined);
    assert.equal(from("web", "Enter"), undefined);
  });
});
