/** Nodes that have a pod's images are preferred. The table is upstream's (imagelocality/image_locality_test.go). */
import assert from "node:assert/strict";
import type { Node, Pod } from "../../../src/engine/api/types.ts";
import { podInfo } from "../../../src/engine/scheduler/cache/pod-info.ts";
import { SchedulerCache } from "../../../src/engine/scheduler/cache/scheduler-cache.ts";
import { imageLocality } from "../../../src/engine/scheduler/plugins/image-locality.ts";
import { SchedulerWorld } from "./scheduler-world.ts";

const megabyte = 1024 * 1024;

interface Asked {
  readonly containers: readonly string[];
  readonly initContainers?: readonly string[];
  readonly volumes?: readonly string[];
}

/** A node with images, each of which has its size in megabytes as its name. */
function nodeWith(name: string, images: readonly string[]): Node {
  const metadata = { name, uid: name, resourceVersion: "1", creationTimestamp: "" };
  const reported = images.map((image) => ({
    names: [`gcr.io/${image}@sha256:${"0".repeat(64)}`, `gcr.io/${image}:latest`],
    sizeBytes: Number(image) * megabyte,
  }));
  const status = images.length > 0 ? { images: reported } : {};
  return { apiVersion: "v1", kind: "Node", metadata, spec: {}, status };
}

function podSpec({ containers, initContainers = [], volumes = [] }: Asked): Pod["spec"] {
  const named = (images: readonly string[]): Pod["spec"]["containers"] =>
    images.map((image, i) => ({ name: `c${i}`, image: `gcr.io/${image}` }));
  return {
    containers: named(containers),
    initContainers: named(initContainers),
    volumes: volumes.map((image, i) => ({
      name: `v${i}`,
      image: { reference: `gcr.io/${image}` },
    })),
  };
}

function scores(asked: Asked, nodes: readonly (readonly string[])[]): unknown {
  const cache = new SchedulerCache(() => undefined);
  for (const [i, images] of nodes.entries()) cache.setNode(nodeWith(`node-${i}`, images));
  const metadata = { name: "web", namespace: "default", uid: "web" };
  const stamps = { resourceVersion: "1", creationTimestamp: "" };
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...metadata, ...stamps },
    spec: podSpec(asked),
  };
  const scorer = imageLocality.preScore?.(podInfo(pod), cache.nodes, cache);
  return scorer && cache.nodes.map((node) => scorer.score(node));
}

const small = ["250", "10"];
const mixed = ["40", "300", "2000"];
const huge = ["4000", "30"];
const none: readonly string[] = [];

const rows: readonly (readonly [string, Asked, readonly (readonly string[])[], unknown])[] = [
  ["of two images the larger one counts", { containers: ["40", "250"] }, [mixed, small], [0, 5]],
  ["two images add up", { containers: ["40", "300"] }, [mixed, small], [7, 0]],
  [
    "small ones and large ones are cut off",
    { containers: ["10", "4000"] },
    [huge, small],
    [100, 0],
  ],
  [
    "an image that few nodes have counts for less",
    { containers: ["10", "4000"] },
    [huge, small, none],
    [66, 0, 0],
  ],
  [
    "an image that more nodes have counts for more",
    { containers: ["300", "600", "900"] },
    [["600", "40", "900"], ["300", "600", "900"], none],
    [32, 36, 0],
  ],
  [
    "init containers have images, too",
    { containers: ["600", "900"], initContainers: ["300"] },
    [["600", "40", "900"], ["300", "600", "900"], none],
    [32, 36, 0],
  ],
  [
    "images of volumes add to the sum, and not to what is the most",
    { containers: ["40"], volumes: ["300"] },
    [mixed, small],
    [15, 0],
  ],
  ["without images on any node nothing is scored", { containers: ["40"] }, [none, none], undefined],
];

suite("images that nodes have", () => {
  for (const [what, asked, nodes, expected] of rows)
    test(what, () => assert.deepEqual(scores(asked, nodes), expected));

  test("the node that has the image is chosen, although another comes first and both are empty", () => {
    const world = new SchedulerWorld().node("node-a").node("node-b");
    const images = [{ names: ["registry.test/db:1"], sizeBytes: 800 * megabyte }];
    world.change("Node", "node-b", (n) => ({ ...n, status: { ...n.status, images } }), "status");
    const running = (image: string): Partial<Pod["spec"]> => ({
      containers: [{ name: "main", image }],
    });
    world.run(20).pod("other", running("registry.test/db:2")).run(20);
    world.pod("db", running("registry.test/db:1")).run(20);
    assert.equal(world.nodeOf("other"), "node-a");
    assert.equal(world.nodeOf("db"), "node-b");
  });
});
