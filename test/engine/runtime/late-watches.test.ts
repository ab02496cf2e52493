/** Late watches: ordered within a kind but not between kinds; with the list at a start; unchanged without the fault. */
import assert from "node:assert/strict";
import type { Kind } from "../../../src/engine/api/meta.ts";
import type { Component } from "../../../src/engine/runtime/component.ts";
import { Runtime } from "../../../src/engine/runtime/runtime.ts";
import type { Scenario } from "../../../src/engine/scenario.ts";

interface Heard {
  readonly by: string;
  readonly name: string;
  readonly at: number;
}

const kinds: readonly Kind[] = ["ConfigMap", "Secret"];

function listener(by: string, heard: Heard[]): Component {
  return {
    name: by,
    source: by,
    start: (context) => {
      for (const kind of kinds)
        context.informer(kind).on({
          add: ({ metadata: { name } }) =>
            heard.push({ by: `${by} ${kind}`, name, at: context.now }),
        });
    },
  };
}

function runtimeWith(lateWatches?: Scenario["lateWatches"]): Runtime {
  return new Runtime({
    version: "1.36",
    seed: 7,
    cluster: { name: "test", nodes: [], drivers: [], manifests: [] },
    steps: [],
    lateWatches,
  });
}

const names = Array.from({ length: 60 }, (_, i) => `object-${String(i).padStart(2, "0")}`);

/** Writes one object of each kind every ten milliseconds. */
function write(runtime: Runtime): void {
  for (const [i, name] of names.entries())
    runtime.loop.after(10 * i, () => {
      for (const kind of kinds)
        runtime.api.create({ apiVersion: "v1", kind, metadata: { name, namespace: "default" } });
    });
}

function heardBy(lateWatches?: Scenario["lateWatches"]): ReadonlyMap<string, readonly Heard[]> {
  const heard: Heard[] = [];
  const runtime = runtimeWith(lateWatches);
  for (const by of ["a", "b"]) runtime.start(listener(by, heard));
  write(runtime);
  while (runtime.loop.step());
  const watches = [...new Set(heard.map(({ by }) => by))].sort();
  return new Map(watches.map((watch) => [watch, heard.filter(({ by }) => by === watch)]));
}

const late = { delayMsMax: 2_000 };

suite("late watches", () => {
  test("deliver each write of a kind once, in order", () => {
    for (const heard of heardBy(late).values())
      assert.deepEqual(
        heard.map(({ name }) => name),
        names,
      );
  });

  test("are delayed by at most the fault's maximum, and by different times", () => {
    const delays = [...heardBy(late)].map(([, heard]) => heard.map(({ at }, i) => at - 10 * i));
    assert.equal(delays.length, 4);
    assert.equal(new Set(delays.map(String)).size, 4);
    assert.ok(delays.flat().every((ms) => ms >= 1 && ms <= 2_000));
    assert.ok(delays.flat().some((ms) => ms > 200));
  });

  test("without a delay deliver the same as shared watches, at the same times", () => {
    assert.deepEqual(heardBy({ delayMsMax: 1 }), heardBy());
  });

  test("are the same for the same seed", () => {
    assert.deepEqual(heardBy(late), heardBy(late));
  });

  test("begin with existing objects when a component restarts, and end when it stops", () => {
    const heard: Heard[] = [];
    const runtime = runtimeWith(late);
    runtime.start(listener("a", heard));
    write(runtime);
    while (runtime.loop.now < 300) runtime.loop.step();
    runtime.stop("a");
    runtime.startAgain("a", 5);
    const before = heard.length;
    while (runtime.loop.step());
    const after = heard.slice(before).filter(({ by }) => by === "a Secret");
    assert.deepEqual(
      after.map(({ name }) => name),
      names,
    );
    assert.equal(new Set(after.slice(0, 30).map(({ at }) => at)).size, 1);
  });

  test("have no delay once they are calm", () => {
    const heard: Heard[] = [];
    const runtime = runtimeWith(late);
    runtime.start(listener("a", heard));
    runtime.lateWatches?.calm();
    write(runtime);
    while (runtime.loop.step());
    assert.equal(heard.length, kinds.length * names.length);
    assert.ok(heard.every(({ name, at }) => at === 10 * names.indexOf(name) + 1));
  });
});
