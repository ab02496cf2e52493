import assert from "node:assert/strict";
import { type KubeObject, namesOf } from "../../../src/engine/api/meta.ts";
import { KindCache } from "../../../src/engine/runtime/informer.ts";
import { newLife } from "../../../src/engine/runtime/life.ts";

type Pod = KubeObject<"Pod">;

function pod(name: string, node?: string): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "default",
      uid: name,
      resourceVersion: "1",
      creationTimestamp: "",
    },
    spec: { containers: [], ...(node !== undefined && { nodeName: node }) },
  };
}

function deliver(cache: KindCache<"Pod">, before: Pod | undefined, after?: Pod): void {
  const object = after ?? before;
  if (object !== undefined) cache.deliver(namesOf(object), before, after);
}

const nodeOf = (p: Pod): readonly string[] =>
  p.spec.nodeName === undefined ? [] : [p.spec.nodeName];

suite("informer", () => {
  test("tells a new handler of everything that is there, then of every change", () => {
    const cache = new KindCache<"Pod">();
    deliver(cache, undefined, pod("a"));
    const heard: string[] = [];
    cache.informer(newLife()).on({
      add: (p) => heard.push(`add ${p.metadata.name}`),
      update: (_, p) => heard.push(`update ${p.metadata.name}`),
      delete: (p) => heard.push(`delete ${p.metadata.name}`),
    });
    deliver(cache, pod("a"), pod("a", "node-a"));
    deliver(cache, pod("a", "node-a"), undefined);
    assert.deepEqual(heard, ["add a", "update a", "delete a"]);
  });

  test("tells a field-selected handler of an object that comes into its selection as of a new one", () => {
    const cache = new KindCache<"Pod">();
    const informer = cache.informer(newLife());
    informer.index("node", nodeOf);
    const heard: string[] = [];
    informer.onIndexed("node", "node-a", {
      add: (p) => heard.push(`add ${p.metadata.name}`),
      update: (_, p) => heard.push(`update ${p.metadata.name}`),
      delete: (p) => heard.push(`delete ${p.metadata.name}`),
    });
    deliver(cache, undefined, pod("a"));
    deliver(cache, pod("a"), pod("a", "node-a"));
    deliver(cache, undefined, pod("b", "node-b"));
    deliver(cache, pod("a", "node-a"), undefined);
    assert.deepEqual(heard, ["add a", "delete a"]);
  });

  test("finds by index what is there now, also where the index came later than the object", () => {
    const cache = new KindCache<"Pod">();
    const informer = cache.informer(newLife());
    deliver(cache, undefined, pod("a", "node-a"));
    informer.index("node", nodeOf);
    deliver(cache, undefined, pod("b", "node-a"));
    deliver(cache, pod("a", "node-a"), pod("a", "node-b"));
    assert.deepEqual(
      informer.byIndex("node", "node-a").map((p) => p.metadata.name),
      ["b"],
    );
    assert.deepEqual(informer.byIndex("node", "node-c"), []);
  });

  test("tells nothing to a component that is dead", () => {
    const cache = new KindCache<"Pod">();
    const life = newLife();
    const heard: string[] = [];
    cache.informer(life).on({ add: (p) => heard.push(p.metadata.name) });
    deliver(cache, undefined, pod("a"));
    life.hasEnded = true;
    deliver(cache, undefined, pod("b"));
    assert.deepEqual(heard, ["a"]);
  });
});
