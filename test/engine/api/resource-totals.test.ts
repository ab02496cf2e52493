import assert from "node:assert/strict";
import { podTotalWithOverhead } from "../../../src/engine/api/resource-totals.ts";
import type { PodSpec } from "../../../src/engine/api/types.ts";

const spec: PodSpec = {
  containers: [
    { name: "a", resources: { requests: { cpu: "1" }, limits: { cpu: "2" } } },
    { name: "b", resources: { requests: { cpu: "500m" }, limits: { cpu: "1" } } },
  ],
  overhead: { cpu: "250m", memory: "120Mi" },
};

function texts(list: "requests" | "limits"): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...podTotalWithOverhead(spec, list)].map(([name, { text }]) => [name, text]),
  );
}

suite("A pod's overhead", () => {
  test("is added to all requests", () =>
    assert.deepEqual(texts("requests"), { cpu: "1750m", memory: "120Mi" }));

  test("is added to existing limits only", () =>
    assert.deepEqual(texts("limits"), { cpu: "3250m" }));
});
