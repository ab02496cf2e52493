/** How long pods tolerate NoExecute taints, also when taints or tolerations change. After taint_eviction_test.go. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { taintEvictionController } from "../../../src/engine/controllers/taint-eviction.ts";
import { bare } from "../../support/bare-objects.ts";
import { Scene } from "../../support/component-scene.ts";

type Toleration = NonNullable<KubeObject<"Pod">["spec"]["tolerations"]>[number];

suite("taint eviction", () => {
  const node = (...keys: readonly string[]): KubeObject<"Node"> =>
    bare("Node", "node", { spec: { taints: keys.map((key) => ({ key, effect: "NoExecute" })) } });
  const bears = (key: string, tolerationSeconds?: number): Toleration => ({
    key,
    operator: "Exists",
    ...(tolerationSeconds !== undefined && { tolerationSeconds }),
  });
  const pod = (...tolerations: readonly Toleration[]): KubeObject<"Pod"> =>
    bare("Pod", "web", { spec: { nodeName: "node", containers: [], tolerations } });
  const isThere = (scene: Scene): boolean => scene.get("Pod", "default", "web") !== undefined;
  const marking =
    "Pod/default/web Normal TaintManagerEviction Marking for deletion Pod default/web";
  const cancelling =
    "Pod/default/web Normal TaintManagerEviction Cancelling deletion of Pod default/web";

  test("of several taints the one tolerated for the shortest time decides", () => {
    const goesAfter = (...tolerations: readonly Toleration[]): number | undefined => {
      const scene = new Scene([taintEvictionController], [node("a", "b"), pod(...tolerations)]);
      for (let seconds = 0; seconds < 4; seconds++, scene.run(500))
        if (!isThere(scene.run(500))) return seconds;
      return undefined;
    };
    assert.equal(goesAfter(bears("a"), bears("b")), undefined);
    assert.equal(goesAfter(bears("a", 2), bears("b", 1)), 1);
    assert.equal(goesAfter(bears("a"), bears("b", 2)), 2);
    assert.equal(goesAfter(bears("a", -5), bears("b", 100)), 0);
    assert.equal(goesAfter(bears("a", 100)), 0);
  });

  test("a scheduled eviction is not delayed by a longer toleration or another taint", () => {
    const before = pod(bears("a", 10), bears("b", 100));
    for (const change of [pod(bears("a", 100), bears("b", 100)), node("a", "b"), node("b")]) {
      const scene = new Scene([taintEvictionController], [node("a"), before]).run(5_000);
      scene.runtime.api.restore(change);
      assert.ok(isThere(scene.run(4_500)));
      assert.ok(!isThere(scene.run(1_000)));
      assert.deepEqual(scene.events, [marking]);
    }
  });

  test("an immediate eviction is not canceled when the pod is processed again", () => {
    const scene = new Scene([taintEvictionController], [node("a"), pod()]).run(500);
    assert.deepEqual(scene.events, [`×2 ${marking}`]);
  });

  test("a pod is evicted at once when it no longer tolerates the taint", () => {
    const scene = new Scene([taintEvictionController], [node("a"), pod(bears("a", 100))]);
    scene.run(5_000).runtime.api.restore(pod());
    assert.ok(!isThere(scene.run(500)));
    assert.deepEqual(scene.events, [cancelling, marking]);
  });

  test("a taint that is removed and added again is tolerated for the whole time again", () => {
    const scene = new Scene([taintEvictionController], [node("a"), pod(bears("a", 10))]);
    scene.run(5_000).runtime.api.restore(node());
    scene.run(100).runtime.api.restore(node("a"));
    assert.ok(isThere(scene.run(9_500)));
    assert.ok(!isThere(scene.run(1_000)));
    assert.deepEqual(scene.events, [cancelling, marking]);
  });

  test("a scheduled eviction is canceled if only a taint tolerated forever is left", () => {
    const patient = pod(bears("a", 10), bears("b"));
    const scene = new Scene([taintEvictionController], [node("a", "b"), patient]);
    scene.run(5_000).runtime.api.restore(node("b"));
    assert.ok(isThere(scene.run(100_000)));
    assert.deepEqual(scene.events, [cancelling]);
  });
});
