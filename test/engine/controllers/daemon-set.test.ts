/** DaemonSets: which nodes get a pod, and how an update goes round. */
import assert from "node:assert/strict";
import type { Step } from "../../../src/engine/scenario.ts";
import { check } from "../../support/check.ts";
import { play } from "../../support/play.ts";
import { oneNode, runs } from "../../support/workloads.ts";

const settle: Step = { type: "settle" };
const threeNodes = {
  nodes: [{ name: "node-a" }, { name: "node-b", labels: { disk: "ssd" } }, { name: "node-c" }],
};

function patchTemplate(template: object, more: object = {}): Step {
  return {
    type: "patch",
    object: { kind: "DaemonSet", name: "agent" },
    patch: { spec: { template, ...more } } as never,
  };
}

suite("DaemonSet controller", function () {
  this.timeout(20_000);

  test("puts a pod on the node, whatever crashes in between", () => {
    check(
      `
      kind: DaemonSet
      metadata: {name: agent}          #=> 1 of 1 ready
      spec: {${runs("agent")}}
      `,
      { cluster: oneNode },
    );
  });

  test("runs one pod on each node, and bears what troubles a node", () => {
    const played = play(
      `
      kind: DaemonSet
      metadata: {name: agent}          #=> 3 of 3 ready
      spec: {${runs("agent")}}
      `,
      { cluster: threeNodes },
    );
    const nodes = played.list("Pod").map((pod) => pod.spec.nodeName ?? "");
    assert.deepEqual(nodes.sort(), ["node-a", "node-b", "node-c"]);
    const tolerations = played.list("Pod")[0]?.spec.tolerations?.map((t) => `${t.key}:${t.effect}`);
    assert.deepEqual(tolerations, [
      "node.kubernetes.io/not-ready:NoExecute",
      "node.kubernetes.io/unreachable:NoExecute",
      "node.kubernetes.io/disk-pressure:NoSchedule",
      "node.kubernetes.io/memory-pressure:NoSchedule",
      "node.kubernetes.io/pid-pressure:NoSchedule",
      "node.kubernetes.io/unschedulable:NoSchedule",
    ]);
  });

  test("follows the node selector, also when labels change", () => {
    const played = play(
      `
      kind: DaemonSet
      metadata: {name: agent}          #=> 2 of 2 ready
      spec: {${runs("agent", "nodeSelector: {disk: ssd}")}}
      `,
      {
        cluster: threeNodes,
        steps: [
          {
            type: "patch",
            object: { kind: "Node", name: "node-c" },
            patch: { metadata: { labels: { disk: "ssd" } } },
          },
          settle,
        ],
      },
    );
    assert.deepEqual(
      played.list("Pod").map((pod) => pod.spec.nodeName),
      ["node-b", "node-c"],
    );
  });

  test("a taint that it does not bear keeps new pods away and lets running ones be", () => {
    const taint: Step = {
      type: "patch",
      object: { kind: "Node", name: "node-a" },
      patch: { spec: { taints: [{ key: "dedicated", effect: "NoSchedule" }] } },
    };
    const played = play(
      `
      kind: DaemonSet
      metadata: {name: agent}          #=> 0 of 0 ready
      spec: {${runs("agent")}}
      `,
      { steps: [taint, settle] },
    );
    assert.equal(played.list("Pod").length, 1);
    assert.equal(played.get("DaemonSet", "agent")?.status?.numberMisscheduled, 1);
  });

  test("an update replaces one node's pod after the other", () => {
    const played = play(
      `
      kind: DaemonSet
      metadata: {name: agent}          #=> 3 of 3 ready
      spec: {${runs("agent")}}
      `,
      {
        cluster: threeNodes,
        steps: [patchTemplate({ metadata: { annotations: { version: "2" } } }), settle],
      },
    );
    let there = 0;
    let least = Number.POSITIVE_INFINITY;
    for (const entry of played.simulation.trace.entries) {
      if (entry.type !== "write" || entry.after?.kind !== "Pod") continue;
      const isReady = (object: typeof entry.before): boolean =>
        object?.kind === "Pod" &&
        object.metadata.deletionTimestamp === undefined &&
        object.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True") === true;
      there += Number(isReady(entry.after)) - Number(isReady(entry.before));
      // From the moment when all three were there.
      if (there === 3 || Number.isFinite(least)) least = Math.min(least, there);
    }
    assert.equal(least, 2);
    for (const pod of played.list("Pod")) assert.equal(pod.metadata.annotations?.["version"], "2");
    assert.equal(played.get("DaemonSet", "agent")?.status?.updatedNumberScheduled, 3);
  });

  test("an update that surges deletes each old pod once, when the new one beside it is there", () => {
    const surge = { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };
    const played = play(
      `
      kind: DaemonSet
      metadata: {name: agent}          #=> 3 of 3 ready
      spec: {${runs("agent")}}
      `,
      {
        cluster: threeNodes,
        steps: [patchTemplate({ metadata: { annotations: { version: "2" } } }, surge), settle],
      },
    );
    const deletions = played.simulation.trace.entries.filter(
      (entry) => entry.type === "event" && entry.reason === "SuccessfulDelete",
    );
    assert.equal(deletions.length, 3);
    assert.equal(played.get("DaemonSet", "agent")?.status?.updatedNumberScheduled, 3);
  });
});
