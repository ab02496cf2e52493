/** How FailedScheduling reads in every version that can be chosen. */
import assert from "node:assert/strict";
import { type KubernetesVersion, kubernetesVersions } from "../../../src/engine/scenario.ts";
import { NodeInfo } from "../../../src/engine/scheduler/cache/node-info.ts";
import {
  fitErrorMessage,
  truncatedNote,
} from "../../../src/engine/scheduler/framework/fit-error.ts";
import { NodeRejections } from "../../../src/engine/scheduler/framework/node-rejections.ts";
import type { Rejection } from "../../../src/engine/scheduler/framework/plugin.ts";
import { SchedulerWorld } from "./scheduler-world.ts";

const unhelpful =
  "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";

function hasDevices(version: KubernetesVersion): boolean {
  return version >= "1.34";
}

function nodeInfo(name: string): NodeInfo {
  const metadata = {
    name,
    uid: "",
    resourceVersion: "1",
    creationTimestamp: "2026-01-01T00:00:00Z",
  };
  return new NodeInfo({ apiVersion: "v1", kind: "Node", metadata, spec: {} });
}

suite("FailedScheduling", () => {
  for (const version of kubernetesVersions) {
    test(`names what rejects the pod before any node is checked, in ${version}`, () => {
      const world = new SchedulerWorld(version).node("node-a");
      const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
      world.pod("web", { volumes }).run(50);
      const tail = hasDevices(version) ? "not found" : unhelpful;
      const message = `0/1 nodes are available: persistentvolumeclaim "data" not found. ${tail}`;
      assert.equal(world.messageOf("web"), message);
      assert.equal(world.events("FailedScheduling")[0]?.message, message);
    });

    test(`counts the nodes that do not fit, in ${version}`, () => {
      const world = new SchedulerWorld(version).node("node-a");
      world.pod("web", { nodeSelector: { disk: "tape" } }).run(50);
      const prefix = hasDevices(version) ? "no new claims to deallocate, " : "";
      assert.equal(
        world.messageOf("web"),
        `0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. ${prefix}${unhelpful}`,
      );
    });
  }

  test("an event's text is truncated to 1,024 characters", () => {
    assert.equal(truncatedNote("x".repeat(1024)).length, 1024);
    assert.equal(truncatedNote("x".repeat(1025)), `${"x".repeat(1020)} ...`);
  });

  test("counts each of a node's reasons, and the nodes that the pod rules out by name", () => {
    const rejection = (...reasons: string[]): Rejection => ({
      plugin: "NodeResourcesFit",
      unresolvable: false,
      reasons,
    });
    const byNode = new NodeRejections();
    byNode.add(nodeInfo("a"), rejection("Insufficient cpu", "Insufficient memory"));
    byNode.add(nodeInfo("b"), rejection("Insufficient cpu"));
    assert.equal(
      fitErrorMessage({ nodeCount: 12, byNode, absent: rejection("elsewhere") }, ""),
      "0/12 nodes are available: 1 Insufficient memory, 10 elsewhere, 2 Insufficient cpu.",
    );
  });
});
