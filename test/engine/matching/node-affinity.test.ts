/** Which nodes can reach a volume, also in words. */
import assert from "node:assert/strict";
import type { NodeSelectorTerm, PersistentVolume } from "../../../src/engine/api/types.ts";
import {
  isReachableFrom,
  nodeAffinityMismatch,
  nodeAffinityText,
} from "../../../src/engine/matching/node-affinity.ts";

function reached(...nodeSelectorTerms: NodeSelectorTerm[]): PersistentVolume {
  const spec = { nodeAffinity: { required: { nodeSelectorTerms } } };
  return { apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "pv" }, spec } as never;
}

const inZone: NodeSelectorTerm = {
  matchExpressions: [{ key: "zone", operator: "In", values: ["a", "b"] }],
};
const onNode: NodeSelectorTerm = {
  matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }],
};

suite("node affinity of a volume", () => {
  test("is described term by term", () => {
    const onDisk = { matchExpressions: [{ key: "disk", operator: "Exists" }] };
    assert.equal(nodeAffinityText(reached(inZone, onDisk)), "zone in (a, b) or disk exists");
  });

  test("with an empty term matches no node through that term", () => {
    assert.equal(isReachableFrom(reached({}), { zone: "a" }), false);
    assert.equal(nodeAffinityText(reached({})), "nothing matches");
    assert.equal(nodeAffinityText(reached({}, inZone)), "zone in (a, b)");
  });

  test("that compares with an invalid number matches no node, and the kubelet says why", () => {
    const volume = reached({ matchExpressions: [{ key: "cpus", operator: "Gt", values: ["4x"] }] });
    assert.equal(isReachableFrom(volume, { cpus: "8" }), false);
    assert.equal(
      nodeAffinityMismatch(volume),
      `nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: "4x": for 'Gt', 'Lt' operators, the value must be an integer`,
    );
    assert.equal(nodeAffinityMismatch(reached(inZone)), "no matching NodeSelectorTerms");
  });

  test("with a term of fields only counts as matching every node", () => {
    assert.equal(isReachableFrom(reached(onNode), {}), true);
    assert.equal(nodeAffinityText(reached(inZone, onNode)), "");
  });
});
