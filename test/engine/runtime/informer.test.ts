import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { KeyNumbers } from "../../../src/engine/by-key.ts";
import { KindCache } from "../../../src/engine/runtime/informer.ts";
import { newLife } from "../../../src/engine/runtime/life.ts";
import { newSlot, type Slot } from "../../../src/engine/store/object-store.ts";

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

/** A cache to which tests deliver watch events. */
class Watched extends KindCache<"Pod"> {
  constructor() {
    super(new KeyNumbers());
  }

  readonly #slots = new Map<string, Slot>();

  put(object: Pod): void {
    const { name } = object.metadata;
    const slot = this.#slots.get(name) ?? newSlot(object);
    this.#slots.set(name, slot);
    this.deliver(slot, object);
  }

  remove(name: string): void {
    const slot = this.#slots.get(name);
    assert.ok(slot);
    this.deliver(slot, undefined);
  }
}

const nodeOf = (p: Pod): readonly string[] =>
  p.spec.nodeName === undefined ? [] : [p.spec.nodeName];

suite("informer", () => {
  test("calls a new handler for every existing object, then for every change", () => {
    const cache = new Watched();
    cache.put(pod("a"));
    const heard: string[] = [];
    cache.informer(newLife()).on({
      add: (p) => heard.push(`add ${p.metadata.name}`),
      update: (_, p) => heard.push(`update ${p.metadata.name}`),
      delete: (p) => heard.push(`delete ${p.metadata.name}`),
    });
    cache.put(pod("a", "node-a"));
    cache.remove("a");
    assert.deepEqual(heard, ["add a", "update a", "delete a"]);
  });

  test("calls an indexed handler's `add` for an object that begins to match", () => {
    const cache = new Watched();
    const informer = cache.informer(newLife());
    informer.index("node", nodeOf);
    const heard: string[] = [];
    informer.onIndexed("node", "node-a", {
      add: (p) => heard.push(`add ${p.metadata.name}`),
      update: (_, p) => heard.push(`update ${p.metadata.name}`),
      delete: (p) => heard.push(`delete ${p.metadata.name}`),
    });
    cache.put(pod("a"));
    cache.put(pod("a", "node-a"));
    cache.put(pod("b", "node-b"));
    cache.remove("a");
    assert.deepEqual(heard, ["add a", "delete a"]);
  });

  test("finds current objects by index, even if the index was added after them", () => {
    const cache = new Watched();
    const informer = cache.informer(newLife());
    cache.put(pod("a", "node-a"));
    informer.index("node", nodeOf);
    cache.put(pod("b", "node-a"));
    cache.put(pod("a", "node-b"));
    assert.deepEqual(
      informer.byIndex("node", "node-a").map((p) => p.metadata.name),
      ["b"],
    );
    assert.deepEqual(informer.byIndex("node", "node-c"), []);
  });

  test("finds an object by index after a change of its status, and calls the handlers", () => {
    const cache = new Watched();
    const informer = cache.informer(newLife());
    informer.index("node", nodeOf);
    const heard: (string | undefined)[] = [];
    informer.onIndexed("node", "node-a", { update: (_, p) => heard.push(p.status?.phase) });
    const before = pod("a", "node-a");
    cache.put(before);
    const after: Pod = { ...before, status: { phase: "Running" } };
    cache.put(after);
    assert.deepEqual(informer.byIndex("node", "node-a"), [after]);
    assert.deepEqual(heard, ["Running"]);
  });

  test("finds an object by new labels, annotations and owners, even if its spec is the same", () => {
    const cache = new Watched();
    const informer = cache.informer(newLife());
    informer.index("label", ({ metadata }) => Object.keys(metadata.labels ?? {}));
    informer.index("annotation", ({ metadata }) => Object.keys(metadata.annotations ?? {}));
    informer.index("owner", ({ metadata }) => (metadata.ownerReferences ?? []).map((o) => o.uid));
    let now = pod("a");
    cache.put(now);
    const found = (index: string, value: string): number => informer.byIndex(index, value).length;
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "u" };
    for (const added of [
      { labels: { l: "" } },
      { annotations: { a: "" } },
      { ownerReferences: [owner] },
    ]) {
      now = { ...now, metadata: { ...now.metadata, ...added } };
      cache.put(now);
    }
    assert.deepEqual(
      [found("label", "l"), found("annotation", "a"), found("owner", "u")],
      [1, 1, 1],
    );
  });

  test("does not call the handlers of a component that has ended", () => {
    const cache = new Watched();
    const life = newLife();
    const heard: string[] = [];
    cache.informer(life).on({ add: (p) => heard.push(p.metadata.name) });
    cache.put(pod("a"));
    life.hasEnded = true;
    cache.put(pod("b"));
    assert.deepEqual(heard, ["a"]);
  });
});
