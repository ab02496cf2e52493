/** Which daemon pods an update replaces next. */
import assert from "node:assert/strict";
import { nextReplacement } from "../../../../src/engine/controllers/daemon-set/update.ts";
import { bare } from "../../../support/bare-objects.ts";

type Limits = { readonly maxUnavailable?: number | string; readonly maxSurge?: number | string };

/** A pod: `old` or `new`, then its state: `ready`, `fresh` (ready for a second), `down` or `leaving`. */
type PodWords = `${"old" | "new"} ${"ready" | "fresh" | "down" | "leaving"}`;

/**
 * Returns which pods are removed, as `node: words`, and which nodes get a second pod, as `+node`. All nodes want a pod except
 * those in `unwilling`; the node `gone` does not exist.
 */
function next(
  limits: Limits,
  nodes: Readonly<Record<string, readonly PodWords[]>>,
  unwilling = "",
): string {
  const set = bare("DaemonSet", "agent", {
    spec: { minReadySeconds: 10, updateStrategy: { rollingUpdate: limits } },
  });
  const pod = (node: string, words: PodWords, at: number) => {
    const [age, state] = words.split(" ");
    return bare("Pod", `${node}: ${words}`, {
      metadata: {
        uid: `${node}/${at}`,
        labels: { "controller-revision-hash": age ?? "" },
        ...(state === "leaving" && { deletionTimestamp: "2026-01-01T00:00:00Z" }),
      },
      status: {
        conditions: [
          {
            type: "Ready",
            status: state === "down" ? "False" : "True",
            lastTransitionTime: `2026-01-01T00:00:${state === "fresh" ? "51" : "50"}Z`,
          },
        ],
      },
    });
  };
  const found = nextReplacement({
    set,
    podsByNode: new Map(
      Object.entries(nodes).map(([node, pods]) => [node, pods.map((p, at) => pod(node, p, at))]),
    ),
    wantsPod: new Map(
      Object.keys(nodes)
        .filter((node) => node !== "gone")
        .map((node) => [node, !unwilling.includes(node)]),
    ),
    hash: "new",
    now: 60_000,
  });
  if (typeof found === "string") return found;
  const { remove, surgeOnto } = found;
  return [...remove.map(({ metadata }) => metadata.name), ...surgeOnto.map((n) => `+${n}`)].join(
    ", ",
  );
}

suite("rolling update of a DaemonSet", () => {
  const one: Limits = { maxUnavailable: 1 };
  const surge: Limits = { maxSurge: 1, maxUnavailable: 0 };

  test("removes as many available pods as maxUnavailable allows", () => {
    const all = { a: ["old ready"], b: ["old ready"], c: ["old ready"] } as const;
    assert.equal(next(one, all), "a: old ready");
    assert.equal(next({ maxUnavailable: "50%" }, all), "a: old ready, b: old ready");
    assert.equal(next({ maxUnavailable: 0, maxSurge: 0 }, all), "a: old ready");
  });

  test("always removes old pods that are unavailable, and counts them", () => {
    const nodes = { a: ["old ready"], b: ["old down"], c: ["old fresh"] } as const;
    assert.equal(next(one, nodes), "b: old down, c: old fresh");
    assert.equal(next({ maxUnavailable: 3 }, nodes), "b: old down, c: old fresh, a: old ready");
  });

  test("counts nodes whose new pod is not yet available", () => {
    assert.equal(next(one, { a: ["new fresh"], b: ["old ready"] }), "");
    assert.equal(next(one, { a: ["new ready"], b: ["old ready"] }), "b: old ready");
  });

  test("counts nodes without a pod, and those with more than one", () => {
    assert.equal(next(one, { a: [], b: ["old ready"] }), "");
    assert.equal(next(one, { a: ["old leaving"], b: ["old ready"] }), "");
    assert.equal(next(one, { a: ["old ready", "new ready"], b: ["old ready"] }), "");
    assert.equal(next(one, { a: ["old ready", "old ready"], b: ["old ready"] }), "");
    assert.equal(next(one, { a: ["new ready", "new ready"], b: ["old ready"] }), "");
  });

  test("a surge adds new pods beside old ones, as many as maxSurge allows", () => {
    assert.equal(next(surge, { a: ["old ready"], b: ["old ready"] }), "+a");
    assert.equal(next({ maxSurge: "100%" }, { a: ["old ready"], b: ["old ready"] }), "+a, +b");
    assert.equal(next(surge, { a: ["old ready", "new fresh"], b: ["old ready"] }), "");
    assert.equal(next(surge, { a: ["old ready", "old ready"], b: ["old ready"] }), "");
  });

  test("a surge ignores the limit on nodes whose old pod is unavailable", () => {
    assert.equal(
      next(surge, { a: ["old ready"], b: ["old down"], c: ["old fresh"] }),
      "+b, +c, +a",
    );
  });

  test("a surge removes an old pod once the new one beside it is available", () => {
    const nodes = { a: ["old ready", "new ready"], b: ["new ready"], c: ["old ready"] } as const;
    assert.equal(next(surge, nodes), "a: old ready, +c");
  });

  test("a surge adds no pod to a node that wants none, and removes the pod there once enough others are available", () => {
    const ready = ["old ready"] as const;
    assert.equal(next(surge, { a: ready, b: ["new ready"] }, "a"), "a: old ready");
    assert.equal(next(surge, { a: ready, b: ["new fresh"] }, "a"), "");
    assert.equal(
      next(surge, { a: ready, b: ready, c: ["new ready"] }, "ab"),
      "a: old ready, b: old ready",
    );
    assert.equal(next(surge, { a: ready, b: ready, c: ["new fresh"] }, "ab"), "a: old ready");
    assert.equal(next(surge, { a: ready, b: ready }, "a"), "a: old ready, +b");
    assert.equal(next(surge, { a: ["old down"], b: ["new fresh"] }, "a"), "a: old down");
  });

  test("a surge waits until the old pod of a deleted node is gone", () => {
    const lost = { gone: ["old down"], b: ["old ready"] } as const;
    assert.equal(next(surge, lost), `couldn't get node for nodeName "gone": node "gone" not found`);
    assert.equal(next(one, lost), "gone: old down");
  });
});
