import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import {
  applied,
  isNoteTooLong,
  lastAppliedAnnotation,
} from "../../../../src/engine/api/patch/apply-patch.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Stored {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } & Fields;
  readonly spec: Fields;
}

function pod(spec: Fields, applied?: Fields, metadata: Fields = {}): KubeObject {
  const annotations =
    applied === undefined ? {} : { [lastAppliedAnnotation]: JSON.stringify(applied) };
  const own = { name: "p", namespace: "default", uid: "u", annotations, ...metadata };
  return { apiVersion: "v1", kind: "Pod", metadata: own, spec } as unknown as KubeObject;
}

function manifest(spec: Fields, metadata: Fields = {}): Fields {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p", ...metadata }, spec };
}

function apply(current: KubeObject, next: Fields): Stored {
  const answer = applied(current, next);
  assert.ok(answer.ok);
  return answer.fields as unknown as Stored;
}

suite("kubectl apply to an existing object", () => {
  test("changes nothing if the manifest has not changed", () => {
    const said = manifest({ containers: [{ name: "a", image: "x" }] });
    const stored = pod(
      { containers: [{ name: "a", image: "x", imagePullPolicy: "Always" }] },
      said,
    );
    assert.deepEqual(apply(stored, said), stored);
  });

  test("removes what the last manifest said and this one does not", () => {
    const before = manifest({ nodeName: "n", priority: 1 }, { labels: { a: "1", b: "2" } });
    const stored = pod({ nodeName: "n", priority: 1, schedulerName: "s" }, before, {
      labels: { a: "1", b: "2", c: "others" },
    });
    const { metadata, spec } = apply(stored, manifest({ nodeName: "n" }, { labels: { a: "1" } }));
    assert.deepEqual(spec, { nodeName: "n", schedulerName: "s" });
    assert.deepEqual(metadata["labels"], { a: "1", c: "others" });
  });

  test("keeps others' annotations, and adds its own with the manifest", () => {
    const said = manifest({ nodeName: "n" });
    const stored = pod({}, manifest({}), { annotations: { theirs: "x" } });
    const { annotations = {} } = apply(stored, said).metadata;
    assert.equal(annotations["theirs"], "x");
    assert.match(annotations[lastAppliedAnnotation] ?? "", /"nodeName":"n"/);
  });

  test("adds the annotation as kubectl does, without one that was printed in the manifest", () => {
    const printed = { annotations: { mine: "a<b", [lastAppliedAnnotation]: "{}" } };
    const { annotations } = apply(pod({}), manifest({ nodeName: "n" }, printed)).metadata;
    assert.deepEqual(annotations, {
      mine: "a<b",
      [lastAppliedAnnotation]:
        '{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{"mine":"a\\u003cb"},"name":"p","namespace":"default"},"spec":{"nodeName":"n"}}\n',
    });
  });

  test("identifies list elements by their keys, and keeps those that others have added", () => {
    const token = { name: "kube-api-access-x", projected: {} };
    const mount = { name: "kube-api-access-x", mountPath: "/var/run/secrets" };
    const said = manifest({
      containers: [{ name: "a", volumeMounts: [{ name: "data", mountPath: "/data" }] }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
    });
    const stored = pod({
      containers: [{ name: "a", volumeMounts: [{ name: "data", mountPath: "/data" }, mount] }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }, token],
    });
    const { spec } = apply(stored, said);
    assert.deepEqual(spec, (stored as unknown as Stored).spec);
  });

  test("removes an element that only the last manifest had", () => {
    const before = manifest({ containers: [{ name: "a" }, { name: "b" }] });
    const stored = pod(
      { containers: [{ name: "a" }, { name: "b" }, { name: "injected" }] },
      before,
    );
    const { spec } = apply(stored, manifest({ containers: [{ name: "a" }] }));
    assert.deepEqual(spec["containers"], [{ name: "a" }, { name: "injected" }]);
  });

  test("replaces a volume source", () => {
    const stored = pod({ volumes: [{ name: "v", emptyDir: {} }] });
    const { spec } = apply(
      stored,
      manifest({ volumes: [{ name: "v", hostPath: { path: "/x" } }] }),
    );
    assert.deepEqual(spec["volumes"], [{ name: "v", hostPath: { path: "/x" } }]);
  });

  test("replaces lists whose elements have no key, and adds to sets", () => {
    const tolerations = [{ key: "mine" }];
    const stored = pod({ tolerations: [{ key: "theirs" }] }, undefined, { finalizers: ["theirs"] });
    const { metadata, spec } = apply(stored, manifest({ tolerations }, { finalizers: ["mine"] }));
    assert.deepEqual(spec["tolerations"], tolerations);
    assert.deepEqual(metadata["finalizers"], ["mine", "theirs"]);
  });

  test("removes from a set what only the last manifest had, and keeps what others have added", () => {
    const finalizers = ["x.io/a", "x.io/b"];
    const before = manifest({}, { finalizers });
    const stored = pod({}, before, { finalizers: [...finalizers, "others.io/c"] });
    const after = (metadata: Fields): unknown =>
      apply(stored, manifest({}, metadata)).metadata["finalizers"];
    assert.deepEqual(after({ finalizers: ["x.io/b"] }), ["x.io/b", "others.io/c"]);
    assert.deepEqual(after({ finalizers: [] }), ["others.io/c"]);
    assert.equal(after({}), undefined);
  });

  test("removes a label that is null in the manifest", () => {
    const said = manifest({}, { labels: { a: "1", b: "2" } });
    const stored = pod({}, said, { labels: { a: "1", b: "2" } });
    const { metadata } = apply(stored, manifest({}, { labels: { a: "1", b: null } }));
    assert.deepEqual(metadata["labels"], { a: "1" });
  });

  test("keeps others' values in a custom resource if manifests repeat a null", () => {
    const metadata = { name: "s", namespace: "default", uid: "u" };
    const apiVersion = "snapshot.storage.k8s.io/v1";
    const said = (spec: Fields): Fields => ({ apiVersion, kind: "VolumeSnapshot", metadata, spec });
    const source = { persistentVolumeClaimName: "data" };
    const stored = (before: Fields): KubeObject => {
      const annotations = { [lastAppliedAnnotation]: JSON.stringify(said(before)) };
      const spec = { source, volumeSnapshotClassName: "default-class" };
      return { ...said(spec), metadata: { ...metadata, annotations } } as unknown as KubeObject;
    };
    const next = said({ source, volumeSnapshotClassName: null });
    const kept = apply(stored({ source, volumeSnapshotClassName: null }), next);
    assert.equal(kept.spec["volumeSnapshotClassName"], "default-class");
    for (const before of [{ source }, { source, volumeSnapshotClassName: "mine" }]) {
      assert.equal(apply(stored(before), next).spec["volumeSnapshotClassName"], undefined);
    }
  });

  test("keeps the manifest's order, with others' elements before those that they preceded", () => {
    const named = (names: string): readonly Fields[] => [...names].map((name) => ({ name }));
    const orders: readonly (readonly [string, string, string])[] = [
      ["xab", "ab", "xab"],
      ["axb", "ab", "axb"],
      ["axb", "ba", "xba"],
      ["xa", "na", "nxa"],
      ["ax", "an", "anx"],
      ["axby", "nab", "naxby"],
    ];
    for (const [stored, said, wanted] of orders) {
      const next = manifest({ containers: named(said) });
      const { spec } = apply(pod({ containers: named(stored) }), next);
      assert.deepEqual(spec["containers"], named(wanted), said);
    }
  });

  test("puts the replacement of an element after others' elements", () => {
    const stored = pod(
      { containers: [{ name: "old" }, { name: "theirs" }] },
      manifest({ containers: [{ name: "old" }] }),
    );
    const { spec } = apply(stored, manifest({ containers: [{ name: "new" }] }));
    assert.deepEqual(spec["containers"], [{ name: "theirs" }, { name: "new" }]);
  });

  test("confuses ports with the same number as kubectl does if their list changes", () => {
    const service = (ports: readonly Fields[]): Fields => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "dns", namespace: "default" },
      spec: { ports },
    });
    const port = (text: string): Fields => {
      const [name = "", number = 0, nodePort] = text.split(" ");
      const protocol = name.startsWith("udp") ? "UDP" : "TCP";
      const own = { name, port: Number(number), protocol };
      return nodePort === undefined ? own : { ...own, nodePort: Number(nodePort) };
    };
    const both = ["udp 53", "tcp 53"];
    const stored = ["udp 53 30001", "tcp 53 30002"];
    const changes: readonly (readonly [
      before: string[],
      said: string[],
      there: string[],
      after: string[],
    ])[] = [
      [both, both, stored, stored],
      [both, [...both, "tcp-m 80"], stored, [...stored, "tcp-m 80"]],
      // A new port takes the place of the other one; one that is left out takes the other one with it.
      [["udp 53"], both, ["udp 53 30001"], ["udp 53 30001"]],
      [["tcp 53"], both, ["tcp 53 30002"], ["udp 53 30002"]],
      [both, ["udp 53"], stored, []],
      [both, ["udp 54", "tcp 54"], stored, ["udp 54"]],
    ];
    for (const [before, said, there, after] of changes) {
      const noted = { [lastAppliedAnnotation]: JSON.stringify(service(before.map(port))) };
      const object = {
        ...service(there.map(port)),
        metadata: { name: "dns", namespace: "default", annotations: noted },
      };
      const { spec } = apply(object as unknown as KubeObject, service(said.map(port)));
      assert.deepEqual(spec["ports"], after.map(port), `${before} to ${said}`);
    }
  });

  test("replaces the selector of a disruption budget", () => {
    const budget = (selector: Fields): Fields => ({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "b" },
      spec: { selector },
    });
    const stored = {
      ...budget({ matchLabels: { theirs: "x" } }),
      metadata: { name: "b", namespace: "default" },
    } as unknown as KubeObject;
    const { spec } = apply(stored, budget({ matchLabels: { mine: "y" } }));
    assert.deepEqual(spec["selector"], { matchLabels: { mine: "y" } });
  });

  test("changes a list of a hundred thousand variables correctly", () => {
    const variables = (value: string): readonly Fields[] =>
      Array.from({ length: 100_000 }, (_, i) => ({ name: `v${(i * 7919) % 100_000}`, value }));
    const containers = (value: string): Fields => ({
      containers: [{ name: "a", env: variables(value) }],
    });
    const { spec } = apply(
      pod(containers("1"), manifest(containers("1"))),
      manifest(containers("2")),
    );
    assert.deepEqual(spec, containers("2"));
  });
});

suite("kubectl's annotation in a new object", () => {
  const isTooLong = (annotations: Fields, text: string): boolean =>
    isNoteTooLong(manifest({ text }, { annotations }), "shop");

  test("must fit together with the object's other annotations", () => {
    const note = (text: string): string =>
      `{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{"a":"b"},"name":"p","namespace":"shop"},"spec":{"text":"${text}"}}\n`;
    const others = note("").length + lastAppliedAnnotation.length + "ab".length;
    assert.equal(isTooLong({ a: "b" }, "x".repeat(262_144 - others)), false);
    assert.equal(isTooLong({ a: "b" }, "x".repeat(262_145 - others)), true);
  });

  test("takes six bytes for each character that HTML gives a meaning to", () => {
    assert.equal(isTooLong({}, "<".repeat(43_000)), false);
    assert.equal(isTooLong({}, "<".repeat(44_000)), true);
  });

  test("is not the reason if annotations are too long without it", () => {
    assert.equal(isTooLong({ a: "x".repeat(262_144) }, ""), false);
  });
});
