/** Runs that reach a limit and end before they come to rest. */
import assert from "node:assert/strict";
import type { Limits } from "../../src/engine/scenario.ts";
import type { Trace } from "../../src/engine/trace/trace.ts";
import { simulate } from "../support/simulate.ts";

function run(limits: Partial<Limits>): Trace {
  const configMap = (i: number) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `settings-${i}` },
  });
  const manifests = Array.from({ length: 20 }, (_, i) => configMap(i));
  const cluster = { name: "test", nodes: [], drivers: [], manifests: [] };
  const steps = [{ type: "apply", manifests } as const];
  return simulate({ version: "1.36", seed: 1, cluster, steps, limits });
}

suite("limits of a run", () => {
  const cases: readonly (readonly [Partial<Limits>, string])[] = [
    [{ eventCountMax: 10 }, "eventCountMax 10"],
    [{ virtualTimeMsMax: 100 }, "virtualTimeMsMax 100"],
    [{ objectCountMax: 5 }, "objectCountMax 5"],
    [{ traceBytesMax: 5000 }, "traceBytesMax 5000"],
  ];
  for (const [limits, reached] of cases) {
    test(`reaching ${reached} ends the run, each time at the same entry`, () => {
      const { entries } = run(limits);
      const last = entries.at(-1);
      assert.ok(last?.type === "limit");
      assert.equal(last.limit, reached);
      assert.equal(last.message, `the run reached its limit ${reached} and was stopped`);
      assert.deepEqual(run(limits).entries, entries);
    });
  }

  test("a run that reaches no limit has no entry about one", () => {
    const { entries, keptBytes } = run({});
    assert.ok(entries.every(({ type }) => type !== "limit"));
    assert.ok(run({ traceBytesMax: keptBytes }).entries.length === entries.length);
  });
});
