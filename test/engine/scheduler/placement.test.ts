/** The filter and score plugins that have nothing to do with volumes, with upstream's exact reasons. */
import assert from "node:assert/strict";
import type { Pod } from "../../../src/engine/api/types.ts";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";
import { SchedulerWorld } from "./scheduler-world.ts";

const tail =
  " no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";
const noVictims =
  " no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.";

function refusal(world: SchedulerWorld, spec: Partial<Pod["spec"]>): string | undefined {
  world.pod("web", spec).run(50);
  assert.equal(world.nodeOf("web"), undefined);
  return world.messageOf("web");
}

suite("placement plugins", () => {
  test("a pod without requirements goes to the only node, and an event says so", () => {
    const world = new SchedulerWorld().node("node-a").pod("web").run(50);
    assert.equal(world.nodeOf("web"), "node-a");
    assert.deepEqual(
      world.events("Scheduled").map((e) => e.message),
      ["Successfully assigned default/web to node-a"],
    );
  });

  test("pods of another scheduler are ignored", () => {
    const world = new SchedulerWorld().node("node-a").pod("web", { schedulerName: "mine" }).run(50);
    assert.equal(world.nodeOf("web"), undefined);
    assert.equal(world.events("FailedScheduling").length, 0);
  });

  test("without nodes the only reason is that there are none", () => {
    assert.equal(refusal(new SchedulerWorld(), {}), "no nodes available to schedule pods");
  });

  test("a cordoned node takes only pods that tolerate the cordon", () => {
    const world = new SchedulerWorld().node("node-a", { unschedulable: true });
    assert.equal(
      refusal(world, {}),
      `0/1 nodes are available: 1 node(s) were unschedulable.${tail}`,
    );
    world.pod("system", { tolerations: [{ operator: "Exists" }] }).run(50);
    assert.equal(world.nodeOf("system"), "node-a");
  });

  test("a node that is cordoned or tainted while pods run on it takes no more", () => {
    const world = new SchedulerWorld().node("node-a").pod("first").run(50);
    assert.equal(world.nodeOf("first"), "node-a");
    world.change("Node", "node-a", (node) => ({ ...node, spec: { unschedulable: true } })).run(50);
    assert.match(refusal(world, {}) ?? "", /1 node\(s\) were unschedulable/);
    world.change("Node", "node-a", (node) => ({ ...node, spec: { taints } })).run(50);
    world.pod("second").run(50);
    assert.match(world.messageOf("second") ?? "", /1 node\(s\) had untolerated taint/);
  });

  const taints = [{ key: "team", value: "data", effect: "NoSchedule" }];
  const taintWords: readonly (readonly [KubernetesVersion, string])[] = [
    ["1.33", "node(s) had untolerated taint {team: data}"],
    ["1.34", "node(s) had untolerated taint(s)"],
  ];
  for (const [version, words] of taintWords) {
    test(`an untolerated taint reads "${words}" in ${version}`, () => {
      const world = new SchedulerWorld(version).node("node-a", { taints });
      assert.match(
        refusal(world, {}) ?? "",
        new RegExp(`1 ${words.replace(/[(){}]/g, "\\$&")}\\. `),
      );
    });
  }

  test("a tolerated taint does not keep a pod away", () => {
    const world = new SchedulerWorld().node("node-a", { taints });
    world.pod("web", { tolerations: [{ key: "team", operator: "Equal", value: "data" }] }).run(50);
    assert.equal(world.nodeOf("web"), "node-a");
  });

  test("a node selector that no node matches leaves the pod pending", () => {
    const world = new SchedulerWorld().node("node-a");
    assert.equal(
      refusal(world, { nodeSelector: { disk: "ssd" } }),
      `0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.${tail}`,
    );
  });

  test("required node affinity matches by labels and by name", () => {
    const world = new SchedulerWorld().node("node-a").node("node-b", { labels: { disk: "ssd" } });
    const required = (term: object): Partial<Pod["spec"]> => ({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
        },
      },
    });
    world.pod("by-label", required({ matchExpressions: [{ key: "disk", operator: "Exists" }] }));
    world.pod(
      "by-name",
      required({ matchFields: [{ key: "metadata.name", operator: "In", values: ["node-a"] }] }),
    );
    world.run(50);
    assert.equal(world.nodeOf("by-label"), "node-b");
    assert.equal(world.nodeOf("by-name"), "node-a");
  });

  test("if affinity names nodes, all others count as rejected by NodeAffinity", () => {
    const world = new SchedulerWorld().node("node-a", { unschedulable: true }).node("node-b");
    const values = ["node-a"];
    const term = { matchFields: [{ key: "metadata.name", operator: "In", values }] };
    const message = refusal(world, {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
        },
      },
    });
    assert.match(
      message ?? "",
      /^0\/2 nodes are available: 1 node\(s\) didn't satisfy plugin\(s\) \[NodeAffinity\], 1 node\(s\) were unschedulable\. /,
    );
  });

  test("terms that have no node name in common conflict before any node is checked", () => {
    const world = new SchedulerWorld().node("node-a");
    const name = (value: string): object => ({
      key: "metadata.name",
      operator: "In",
      values: [value],
    });
    const term = { matchFields: [name("node-a"), name("node-b")] } as never;
    const message = refusal(world, {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
        },
      },
    });
    assert.equal(message, "0/1 nodes are available: pod affinity terms conflict. not found");
  });

  test("a host port can be used once on each node", () => {
    const ports = [{ containerPort: 80, hostPort: 8080 }];
    const spec = { containers: [{ name: "main", image: "busybox", ports }] };
    const world = new SchedulerWorld().node("node-a").pod("first", spec).run(50);
    assert.equal(
      refusal(world, spec),
      `0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.${noVictims}`,
    );
    world.delete("Pod", "first").run(50);
    assert.equal(world.nodeOf("web"), "node-a");
  });

  test("host ports of other protocols or addresses do not conflict; no address means all addresses", () => {
    type Port = {
      readonly protocol?: "TCP" | "UDP";
      readonly hostIP?: string;
      readonly hostPort?: number;
    };
    const beside = (first: Port, second: Port): boolean => {
      const asking = (port: Port): Partial<Pod["spec"]> => ({
        containers: [
          {
            name: "main",
            image: "busybox",
            ports: [{ containerPort: 80, hostPort: 8080, ...port }],
          },
        ],
      });
      const world = new SchedulerWorld().node("node-a").pod("first", asking(first)).run(50);
      return world.pod("second", asking(second)).run(50).nodeOf("second") !== undefined;
    };
    assert.equal(beside({ protocol: "UDP" }, {}), true);
    assert.equal(beside({ hostPort: 18_080 }, {}), true);
    assert.equal(beside({ hostIP: "10.0.0.1" }, { hostIP: "10.0.0.2" }), true);
    assert.equal(beside({ hostIP: "10.0.0.1" }, { hostIP: "10.0.0.1" }), false);
    assert.equal(beside({ hostIP: "10.0.0.1" }, {}), false);
    assert.equal(beside({}, { hostIP: "10.0.0.1" }), false);
    assert.equal(beside({ hostIP: "0.0.0.0" }, { hostIP: "10.0.0.1" }), false);
    assert.equal(beside({ hostIP: "10.0.0.1", protocol: "UDP" }, {}), true);
  });

  const asking = (requests: Record<string, string>): Partial<Pod["spec"]> => ({
    containers: [{ name: "main", image: "busybox", resources: { requests } }],
  });

  test("each insufficient resource is a reason of its own", () => {
    const world = new SchedulerWorld().node("node-a", { allocatable: { pods: "1" } });
    world.pod("first", asking({ cpu: "3" })).run(50);
    assert.match(
      refusal(world, asking({ cpu: "2", memory: "1Gi" })) ?? "",
      /^0\/1 nodes are available: 1 Insufficient cpu, 1 Too many pods\. .*1 No preemption victims found/,
    );
  });

  test("preemption cannot help a request above the node's allocatable resources", () => {
    const world = new SchedulerWorld().node("node-a");
    assert.equal(
      refusal(world, asking({ memory: "9Gi" })),
      `0/1 nodes are available: 1 Insufficient memory.${tail}`,
    );
  });

  test("extended resources are insufficient if a node has too few or none", () => {
    const gpu = "nvidia.com/gpu";
    const wanting = (count: string): Partial<Pod["spec"]> => {
      const resources = { requests: { [gpu]: count }, limits: { [gpu]: count } };
      return { containers: [{ name: "main", image: "busybox", resources }] };
    };
    const own = { cpu: "4", memory: "8Gi", pods: "110" };
    const world = new SchedulerWorld()
      .node("node-a", { allocatable: own })
      .node("node-b", { allocatable: { ...own, [gpu]: "1" } });
    const short = "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.";
    assert.ok(refusal(world, wanting("2"))?.startsWith(short));
    world.pod("first", wanting("1")).run(50);
    assert.equal(world.nodeOf("first"), "node-b");
    assert.match(
      world.pod("second", wanting("1")).run(50).messageOf("second") ?? "",
      /1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling\.$/,
    );
  });

  test("an init container counts if it requests more than the containers together", () => {
    const world = new SchedulerWorld().node("node-a");
    const initContainers = [
      { name: "first", image: "busybox", resources: { requests: { cpu: "5" } } },
    ];
    assert.match(
      refusal(world, { ...asking({ cpu: "1" }), initContainers }) ?? "",
      /1 Insufficient cpu/,
    );
  });

  test("of two equal nodes the emptier one is chosen", () => {
    const world = new SchedulerWorld().node("node-a").node("node-b").node("node-c");
    for (const name of ["one", "two", "three"]) world.pod(name, asking({ cpu: "1" })).run(50);
    assert.deepEqual(
      ["one", "two", "three"].map((name) => world.nodeOf(name)),
      ["node-a", "node-b", "node-c"],
    );
  });

  test("preferred node affinity and PreferNoSchedule taints decide between equal nodes", () => {
    const soft = [{ key: "busy", effect: "PreferNoSchedule" }];
    const world = new SchedulerWorld()
      .node("node-a", { taints: soft })
      .node("node-b")
      .node("node-c", { labels: { disk: "ssd" } });
    const preference = { matchExpressions: [{ key: "disk", operator: "Exists" }] };
    world.pod("plain").run(50);
    world.pod("picky", {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, preference }],
        },
      },
    });
    world.run(50);
    assert.equal(world.nodeOf("plain"), "node-b");
    assert.equal(world.nodeOf("picky"), "node-c");
  });

  test("invalid preferences fail the pod if there is more than one node to choose from", () => {
    const preference = {
      matchExpressions: [
        { key: "zone", operator: "In", values: ["zone a"] },
        { key: "cpus", operator: "Gt", values: ["many"] },
      ],
    };
    const preferred = {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }],
    };
    const spec = { affinity: { nodeAffinity: preferred } };
    const world = new SchedulerWorld().node("node-a").pod("alone", spec).run(50);
    assert.equal(world.nodeOf("alone"), "node-a");
    const message = refusal(world.node("node-b"), spec);
    assert.match(
      message ?? "",
      /^running PreScore plugin "NodeAffinity": \[\[0\]\.matchExpressions\[0\]\.values\[0\]\[zone\]: Invalid value: "zone a": a valid label must be .*, \[0\]\.matchExpressions\[1\]\.values\[0\]: Invalid value: "many": for 'Gt', 'Lt' operators, the value must be an integer\]$/,
    );
    assert.equal(world.get("Pod", "web").status?.conditions?.[0]?.reason, "SchedulerError");
    world.run(30_000);
    const attempts = world.events("FailedScheduling").length;
    assert.ok(attempts > 1, `${attempts} attempts`);
  });

  test("reasons are counted and sorted as text", () => {
    const world = new SchedulerWorld();
    for (let i = 0; i < 12; i++) world.node(`node-${i}`, i < 10 ? { unschedulable: true } : {});
    const message = refusal(world, { nodeSelector: { disk: "ssd" } });
    assert.match(
      message ?? "",
      /^0\/12 nodes are available: 10 node\(s\) were unschedulable, 2 node\(s\) didn't match Pod's node affinity\/selector\. /,
    );
  });

  test("a decision lists each node's failed rules", () => {
    const world = new SchedulerWorld()
      .node("node-a", { unschedulable: true })
      .node("node-b", { taints });
    refusal(world, {});
    const decision = world.lastDecision("web");
    assert.equal(decision?.reason, "Unschedulable");
    assert.equal(decision?.candidateCount, 2);
    assert.deepEqual(
      decision?.candidates?.map(({ ref, failed }) => [ref, failed.map(({ rule }) => rule)]),
      [
        ["Node//node-a", ["node-schedulable"]],
        ["Node//node-b", ["taint-toleration"]],
      ],
    );
  });
});
