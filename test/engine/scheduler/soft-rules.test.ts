/** How soft rules score nodes that all could take a pod: exact scores, computed as upstream does. */
import assert from "node:assert/strict";
import type { Node, Pod } from "../../../src/engine/api/types.ts";
import { podInfo } from "../../../src/engine/scheduler/cache/pod-info.ts";
import { SchedulerCache } from "../../../src/engine/scheduler/cache/scheduler-cache.ts";
import type { Plugin, PodScorer } from "../../../src/engine/scheduler/framework/plugin.ts";
import { affinityScorer } from "../../../src/engine/scheduler/plugins/inter-pod-affinity-score.ts";
import { nodeAffinity } from "../../../src/engine/scheduler/plugins/node-affinity.ts";
import { nodeResourcesBalancedAllocation } from "../../../src/engine/scheduler/plugins/node-resources-balanced-allocation.ts";
import { spreadScorer } from "../../../src/engine/scheduler/plugins/spread-score.ts";
import { taintToleration } from "../../../src/engine/scheduler/plugins/taint-toleration.ts";

const stamp = { uid: "", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };
const zoneKey = "topology.kubernetes.io/zone";
const hostKey = "kubernetes.io/hostname";
const labels = { app: "web" };

function node(name: string, zone?: string, spec: Node["spec"] = {}): Node {
  const own = { [hostKey]: name, ...(zone !== undefined && { [zoneKey]: zone }) };
  const allocatable = { cpu: "10", memory: "10Gi", pods: "110" };
  const metadata = { ...stamp, name, labels: own };
  return { apiVersion: "v1", kind: "Node", metadata, spec, status: { allocatable } };
}

let podCount = 0;

function pod(
  spec: Partial<Pod["spec"]> = {},
  metadata: Partial<Pod["metadata"]> = { labels },
): Pod {
  const name = `p${++podCount}`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...stamp, name, namespace: "default", uid: name, ...metadata },
    spec: { containers: [{ name: "main" }], ...spec },
  };
}

/** Scores of the candidates; `others` are nodes that cannot take the pod. */
interface Case {
  readonly candidates: readonly Node[];
  readonly others?: readonly Node[];
  readonly pods?: readonly Pod[];
}

function scores(
  { candidates, others = [], pods = [] }: Case,
  scorerOf: (nodes: SchedulerCache["nodes"], cache: SchedulerCache) => PodScorer | undefined,
): readonly number[] | undefined {
  const cache = new SchedulerCache(() => ({}));
  for (const each of [...candidates, ...others]) cache.setNode(each);
  for (const each of pods) cache.setPod(each);
  const nodes = candidates.flatMap(({ metadata }) => cache.node(metadata.name) ?? []);
  const scorer = scorerOf(nodes, cache);
  if (scorer === undefined) return undefined;
  const all = nodes.map((each) => scorer.score(each));
  scorer.normalize?.(all);
  return all;
}

function byPlugin(plugin: Plugin, asking: Pod, given: Case): readonly number[] | undefined {
  return scores(given, (nodes, cache) => plugin.preScore?.(podInfo(asking), nodes, cache));
}

function on(nodeName: string, count: number, metadata: Partial<Pod["metadata"]> = { labels }) {
  return Array.from({ length: count }, () => pod({ nodeName }, metadata));
}

suite("soft topology spread", () => {
  const nobody = { selectorOf: () => undefined };
  const asking = (key: string, more: object = {}, spec: Partial<Pod["spec"]> = {}): Pod => {
    const labelSelector = { matchLabels: labels };
    const constraint = { topologyKey: key, maxSkew: 1, labelSelector, ...more };
    const whenUnsatisfiable = "ScheduleAnyway";
    return pod({ ...spec, topologySpreadConstraints: [{ ...constraint, whenUnsatisfiable }] });
  };
  const spread = (wanting: Pod, given: Case) =>
    scores(given, (nodes, cache) => spreadScorer(wanting, nodes, cache, nobody));
  const threeZones = [node("a", "za"), node("b", "zb"), node("c", "zc")];

  test("an empty domain gets 100, the fullest domain the least", () => {
    // ln(3 + 2) times 4, 2 and 0 pods: 6, 3 and 0.
    const given = { candidates: threeZones, pods: [...on("a", 4), ...on("b", 2)] };
    assert.deepEqual(spread(asking(zoneKey), given), [0, 50, 100]);
  });

  test("if no domain has a matching pod, all score the same", () => {
    assert.deepEqual(spread(asking(zoneKey), { candidates: threeZones }), [100, 100, 100]);
  });

  test("a larger maxSkew makes differences matter less", () => {
    // 4 more for each: 10, 7 and 4.
    const given = { candidates: threeZones, pods: [...on("a", 4), ...on("b", 2)] };
    assert.deepEqual(spread(asking(zoneKey, { maxSkew: 5 }), given), [40, 70, 100]);
  });

  test("counts by node are weighted by the number of candidates that have the labels", () => {
    const given = { candidates: [node("a"), node("b"), node("c")], pods: on("a", 1) };
    // ln(3 + 2) is 1.6, rounded to 2; ln(4 + 2) with a skew of 2 is 2.8, rounded to 3.
    assert.deepEqual(spread(asking(hostKey, { maxSkew: 3 }), given), [50, 100, 100]);
    const four = { ...given, candidates: [...given.candidates, node("d")] };
    assert.deepEqual(spread(asking(hostKey, { maxSkew: 2 }), four), [33, 100, 100, 100]);
  });

  test("a candidate without the topology label scores 0", () => {
    const given = { candidates: [...threeZones, node("d")], pods: on("a", 1) };
    assert.deepEqual(spread(asking(zoneKey), given), [0, 100, 100, 0]);
  });

  test("pods on nodes that cannot take the pod count for a candidate's domain, but not for other domains", () => {
    const others = [node("a2", "za"), node("far", "zz"), node("bare")];
    const pods = [...on("a2", 4), ...on("b", 2), ...on("far", 9), ...on("bare", 9)];
    assert.deepEqual(
      spread(asking(zoneKey), { candidates: threeZones, others, pods }),
      [0, 50, 100],
    );
  });

  test("nodes that the pod's selector excludes do not count, unless nodeAffinityPolicy says so", () => {
    const others = [node("a2", "za")];
    const given = { candidates: threeZones, others, pods: [...on("a2", 4), ...on("b", 2)] };
    const terms = [{ matchExpressions: [{ key: hostKey, operator: "NotIn", values: ["a2"] }] }];
    const required = { nodeSelectorTerms: terms };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    assert.deepEqual(spread(asking(zoneKey, {}, { affinity }), given), [100, 0, 100]);
    const ignoring = asking(zoneKey, { nodeAffinityPolicy: "Ignore" }, { affinity });
    assert.deepEqual(spread(ignoring, given), [0, 50, 100]);
  });

  test("nodes with taints count, unless nodeTaintsPolicy says otherwise", () => {
    const taints = [{ key: "x", effect: "NoSchedule" }];
    const others = [node("a2", "za", { taints })];
    const given = { candidates: threeZones, others, pods: [...on("a2", 4), ...on("b", 2)] };
    assert.deepEqual(spread(asking(zoneKey), given), [0, 50, 100]);
    const honoring = asking(zoneKey, { nodeTaintsPolicy: "Honor" });
    assert.deepEqual(spread(honoring, given), [100, 0, 100]);
  });

  test("pods with other labels or namespaces, and terminating ones, do not count", () => {
    const pods = [
      ...on("a", 1, { labels: { app: "other" } }),
      ...on("a", 1, { labels, namespace: "elsewhere" }),
      ...on("a", 1, { labels, deletionTimestamp: "2026-01-01T00:00:00Z" }),
      ...on("b", 1),
    ];
    assert.deepEqual(spread(asking(zoneKey), { candidates: threeZones, pods }), [100, 0, 100]);
  });

  test("of a pod with constraints of its own nothing else is asked", () => {
    const whenUnsatisfiable = "DoNotSchedule";
    const hard = { topologyKey: zoneKey, maxSkew: 1, whenUnsatisfiable };
    const wanting = pod({ topologySpreadConstraints: [hard] });
    const everybody = { selectorOf: () => ({ selector: { matchLabels: labels }, signature: "" }) };
    const given = { candidates: threeZones, pods: on("a", 1) };
    const scorer = (asked: Pod) =>
      scores(given, (nodes, cache) => spreadScorer(asked, nodes, cache, everybody));
    assert.equal(scorer(wanting), undefined);
    // By node ln(5) and 2 for the skew of 3, by zone ln(5) and 4 for that of 5: 9, 6 and 6.
    assert.deepEqual(scorer(pod()), [66, 100, 100]);
  });
});

suite("preferred affinity between pods", () => {
  const term = (topologyKey = hostKey) => ({ topologyKey, labelSelector: { matchLabels: labels } });
  const near = (weight: number): Partial<Pod["spec"]> => ({
    affinity: {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm: term() }],
      },
    },
  });
  const affine = (wanting: Pod, given: Case) =>
    scores(given, (nodes, cache) => affinityScorer(podInfo(wanting), nodes, cache));
  const candidates = [node("a"), node("b"), node("c")];

  test("is scaled between the lowest and the highest score, with the errors of binary fractions", () => {
    const pods = [...on("a", 100), ...on("b", 29)];
    // As a binary fraction, 0.29 times 100 is a little less than 29.
    assert.deepEqual(affine(pod(near(1)), { candidates, pods }), [100, 28, 0]);
  });

  test("is 0 without a matching pod, and the same if all nodes have as many", () => {
    assert.equal(affine(pod(near(1)), { candidates }), undefined);
    const pods = [...on("a", 1), ...on("b", 1), ...on("c", 1)];
    assert.deepEqual(affine(pod(near(1)), { candidates, pods }), [0, 0, 0]);
  });

  test("counts the preferences of existing pods, and 1 for what they require", () => {
    const wanting = (affinity: NonNullable<Pod["spec"]["affinity"]>, nodeName: string): Pod =>
      pod({ nodeName, affinity }, { labels: {} });
    const weighted = [{ weight: 4, podAffinityTerm: term() }];
    const pods = [
      wanting({ podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term()] } }, "a"),
      wanting({ podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: weighted } }, "b"),
    ];
    assert.deepEqual(affine(pod(), { candidates, pods }), [25, 100, 0]);
    const away = { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: weighted } };
    assert.deepEqual(affine(pod(), { candidates, pods: [wanting(away, "b")] }), [100, 0, 100]);
    const apart = {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term()] },
    };
    assert.equal(affine(pod(), { candidates, pods: [wanting(apart, "b")] }), undefined);
    assert.equal(affine(pod({}, { labels: {} }), { candidates, pods }), undefined);
  });
});

suite("soft taints, node affinity and balance", () => {
  const soft = (...keys: string[]): Node["spec"] => ({
    taints: keys.map((key) => ({ key, value: "x", effect: "PreferNoSchedule" })),
  });
  const plugin = taintToleration("1.36");

  test("the fewer untolerated PreferNoSchedule taints the better", () => {
    const hard = { taints: [{ key: "x", effect: "NoSchedule" }] };
    const candidates = [
      node("a", "z", soft("x", "y", "z")),
      node("b", "z", soft("x")),
      node("c", "z", hard),
      node("d"),
    ];
    assert.deepEqual(byPlugin(plugin, pod(), { candidates }), [0, 67, 100, 100]);
    const tolerating = (effect?: string): Pod =>
      pod({ tolerations: [{ key: "y", operator: "Exists", ...(effect && { effect }) }] });
    assert.deepEqual(byPlugin(plugin, tolerating(), { candidates }), [0, 50, 100, 100]);
    const softly = tolerating("PreferNoSchedule");
    assert.deepEqual(byPlugin(plugin, softly, { candidates }), [0, 50, 100, 100]);
    const hardly = tolerating("NoSchedule");
    assert.deepEqual(byPlugin(plugin, hardly, { candidates }), [0, 67, 100, 100]);
    assert.equal(byPlugin(plugin, pod(), { candidates: [node("d")] }), undefined);
  });

  test("the weights of the terms that a node matches add up", () => {
    const preferring = (...weights: number[]): Pod =>
      pod({
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: weights.map((weight, i) => ({
              weight,
              preference: {
                matchExpressions: [
                  { key: zoneKey, operator: "In", values: i === 0 ? ["za"] : ["za", "zb"] },
                ],
              },
            })),
          },
        },
      });
    const candidates = [node("a", "za"), node("b", "zb"), node("c", "zc")];
    assert.deepEqual(byPlugin(nodeAffinity, preferring(10, 20), { candidates }), [100, 66, 0]);
    assert.equal(byPlugin(nodeAffinity, pod(), { candidates }), undefined);
  });

  test("a node without CPU or memory counts as balanced, and no use as more than 100 percent", () => {
    const balance = nodeResourcesBalancedAllocation("1.35");
    const asking = (cpu: string): Pod =>
      pod({ containers: [{ name: "main", resources: { requests: { cpu } } }] });
    const bare = node("bare");
    const lacking = (allocatable: Record<string, string>): Node => ({
      ...bare,
      status: { allocatable },
    });
    const given = (candidate: Node): Case => ({ candidates: [candidate] });
    assert.deepEqual(byPlugin(balance, asking("5"), given(lacking({ cpu: "10" }))), [100]);
    assert.deepEqual(byPlugin(balance, asking("5"), given(lacking({ memory: "1Gi" }))), [100]);
    assert.deepEqual(byPlugin(balance, asking("20"), given(bare)), [50]);
  });
});
