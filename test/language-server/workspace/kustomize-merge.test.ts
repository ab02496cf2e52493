import assert from "node:assert/strict";
import { kustomized } from "../../support/kustomized.ts";

/** What a patch makes of a pod. */
function spec(old: string, patch: string, head = "apiVersion: v1\n  kind: Pod"): unknown {
  const { objects, problems } = kustomized(`
  #- kustomization.yaml
  resources: [pod.yaml]
  patches: [{ path: patch.yaml }]
  #- pod.yaml
  ${head}
  metadata: { name: web }
  spec: ${old}
  #- patch.yaml
  ${head}
  metadata: { name: web }
  spec: ${patch}
`);
  return problems.length > 0 ? problems : objects[0]?.["spec"];
}

const ports = (list: string): string => `{ containers: [{ name: a, ports: [${list}] }] }`;

suite("lists that kustomize merges", () => {
  for (const [what, old, patch, wanted] of [
    [
      "an item that the patch contains twice is merged once",
      "{ volumes: [{ name: v, emptyDir: {} }] }",
      "{ volumes: [{ name: v, hostPath: { path: /a } }, { name: v, nfs: { path: /b } }] }",
      { volumes: [{ name: "v", emptyDir: {}, hostPath: { path: "/a" } }] },
    ],
    [
      "the last of two items with one name in the object is kept",
      "{ containers: [{ name: a, env: [{ name: X, value: one }, { name: X, value: two }] }] }",
      "{ containers: [{ name: a, env: [{ name: Z, value: three }] }] }",
      {
        containers: [
          {
            name: "a",
            env: [
              { name: "Z", value: "three" },
              { name: "X", value: "two" },
            ],
          },
        ],
      },
    ],
    [
      "an item without a name drops all items of the object",
      "{ volumes: [{ name: v, emptyDir: {} }, { name: w, emptyDir: {} }] }",
      "{ volumes: [{ name: x, emptyDir: {} }, { hostPath: { path: /a } }] }",
      { volumes: [{ name: "x", emptyDir: {} }] },
    ],
    [
      "items that would be removed are not added to a missing list",
      "{}",
      "{ volumes: [{ name: v, $patch: delete }, { name: w, emptyDir: { medium: null } }] }",
      { volumes: [{ name: "w", emptyDir: {} }] },
    ],
    [
      "only the directive is kept in a list that did not exist",
      "{}",
      "{ volumes: [{ $patch: replace }, { name: v, emptyDir: {} }] }",
      { volumes: [{ $patch: "replace" }] },
    ],
    [
      "the directive and the items after it are kept in a list of ports that did not exist",
      "{ containers: [{ name: a }] }",
      ports("{ containerPort: 1 }, { $patch: replace }, { containerPort: 2 }"),
      { containers: [{ name: "a", ports: [{ $patch: "replace" }, { containerPort: 2 }] }] },
    ],
    [
      "ports with protocols keep their order, and new ones come first",
      ports("{ containerPort: 1, protocol: TCP }, { containerPort: 2, protocol: TCP }"),
      ports("{ containerPort: 2, protocol: TCP, name: b }, { containerPort: 3, protocol: TCP }"),
      {
        containers: [
          {
            name: "a",
            ports: [
              { containerPort: 3, protocol: "TCP" },
              { containerPort: 1, protocol: "TCP" },
              { containerPort: 2, protocol: "TCP", name: "b" },
            ],
          },
        ],
      },
    ],
    [
      "a port without a protocol does not change those with one",
      ports("{ containerPort: 1, protocol: TCP }, { containerPort: 1, protocol: UDP }"),
      ports("{ containerPort: 1, name: b }"),
      {
        containers: [
          {
            name: "a",
            ports: [
              { containerPort: 1, protocol: "TCP" },
              { containerPort: 1, protocol: "UDP" },
            ],
          },
        ],
      },
    ],
    [
      "a port with only a name removes none",
      ports("{ containerPort: 1, name: b }"),
      ports("{ name: b, $patch: delete }"),
      { containers: [{ name: "a", ports: [{ containerPort: 1, name: "b" }] }] },
    ],
    [
      "lists that Kubernetes 1.21 did not have are replaced",
      "{ schedulingGates: [{ name: a }], imagePullSecrets: [{ name: a }] }",
      "{ schedulingGates: [{ name: b }], imagePullSecrets: [{ name: b }] }",
      { schedulingGates: [{ name: "b" }], imagePullSecrets: [{ name: "b" }, { name: "a" }] },
    ],
  ] as const)
    test(what, () => assert.deepEqual(spec(old, patch), wanted));

  test("lists in an API version that kustomize does not know are replaced", () =>
    assert.deepEqual(
      spec(
        "{ template: { spec: { volumes: [{ name: a }] } } }",
        "{ template: { spec: { volumes: [{ name: b }] } } }",
        "apiVersion: extensions/v1beta1\n  kind: Deployment",
      ),
      { template: { spec: { volumes: [{ name: "b" }] } } },
    ));

  test("thousands of items are merged quickly", () => {
    const many = Array.from({ length: 3000 }, (_, port) => ({
      containerPort: port,
      protocol: "TCP",
    }));
    const container = JSON.stringify({ containers: [{ name: "a", ports: many }] });
    const merged = spec(container, container) as typeof container;
    assert.deepEqual(merged, JSON.parse(container));
  });
});

suite("directives of strategic merge patches", () => {
  for (const [patch, message] of [
    [
      "{ $patch: other }",
      "patch.yaml:4: kustomize refuses the patch: unknown patch strategy 'other'",
    ],
    [
      "{ volumes: [{ name: v, $patch: other }] }",
      "patch.yaml:4: kustomize refuses the patch: unknown patch strategy 'other'",
    ],
    [
      "{ volumes: [{ $patch: other }] }",
      "patch.yaml:4: kustomize refuses the patch: unknown patch strategy 'other'",
    ],
    [
      "text",
      "patch.yaml:4: kustomize refuses the patch: wrong node kind: expected MappingNode but got ScalarNode",
    ],
  ] as const)
    test(`${patch} is refused`, () =>
      assert.deepEqual(spec("{ volumes: [{ name: v }] }", patch), [message]));

  test("removed metadata keeps the name and the namespace", () => {
    const { objects } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  patches: [{ path: patch.yaml }]
  #- a.yaml
  { apiVersion: v1, kind: Pod, metadata: { name: a, namespace: b, labels: { x: z } } }
  #- patch.yaml
  { apiVersion: v1, kind: Pod, metadata: { name: a, namespace: b, $patch: delete } }
`);
    assert.deepEqual(objects[0]?.["metadata"], { name: "a", namespace: "b" });
  });

  for (const [what, patch, wanted] of [
    [
      "an object with `$patch: replace` is left as it is",
      "$patch: replace\n  data: { c: d }",
      { metadata: { name: "a", namespace: "b", labels: { x: "z" } }, data: { a: "b" } },
    ],
    [
      "replaced metadata keeps the name and the namespace",
      "data: { c: d }",
      {
        metadata: { annotations: { q: "r" }, name: "a", namespace: "b" },
        data: { a: "b", c: "d" },
      },
    ],
  ] as const)
    test(what, () => {
      const { objects } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  patches: [{ path: patch.yaml }]
  #- a.yaml
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: a, namespace: b, labels: { x: z } }
  data: { a: b }
  #- patch.yaml
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: a, namespace: b, $patch: replace, annotations: { q: r } }
  ${patch}
`);
      assert.deepEqual(objects, [{ apiVersion: "v1", kind: "ConfigMap", ...wanted }]);
    });
});

suite("parts of an object that a merge patch does not mention", () => {
  for (const [what, old, wanted] of [
    [
      "the last of several items with one name is kept",
      "{ volumes: [{ name: v, emptyDir: {} }, { name: w }, { name: v, hostPath: { path: /a } }] }",
      { volumes: [{ name: "v", hostPath: { path: "/a" } }, { name: "w" }] },
    ],
    [
      "this also holds within items that the patch does not mention",
      "{ containers: [{ name: a, volumeMounts: [{ name: v, mountPath: /x }, { name: w, mountPath: /x }] }] }",
      { containers: [{ name: "a", volumeMounts: [{ name: "w", mountPath: "/x" }] }] },
    ],
    [
      "ports are also distinguished by protocol, and duplicates are removed",
      ports(
        "{ containerPort: 53 }, { containerPort: 53, protocol: UDP }, { containerPort: 1 }, { containerPort: 1 }",
      ),
      {
        containers: [
          {
            name: "a",
            ports: [
              { containerPort: 53 },
              { containerPort: 53, protocol: "UDP" },
              { containerPort: 1 },
            ],
          },
        ],
      },
    ],
    [
      "lists that are replaced as a whole keep duplicates",
      "{ tolerations: [{ key: a }, { key: a }] }",
      { tolerations: [{ key: "a" }, { key: "a" }] },
    ],
  ] as const)
    test(what, () =>
      assert.deepEqual(spec(old, "{ nodeName: one }"), { ...wanted, nodeName: "one" }),
    );

  test("list items beside a patched one are processed, too", () =>
    assert.deepEqual(
      spec(
        "{ containers: [{ name: a }, { name: b, env: [{ name: X, value: one }, { name: X, value: two }] }] }",
        "{ containers: [{ name: a, image: x }] }",
      ),
      {
        containers: [
          { name: "a", image: "x" },
          { name: "b", env: [{ name: "X", value: "two" }] },
        ],
      },
    ));

  test("duplicate finalizers are removed", () => {
    const { objects } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  patches: [{ patch: '{ apiVersion: v1, kind: Pod, metadata: { name: a, labels: { x: z } } }' }]
  #- a.yaml
  { apiVersion: v1, kind: Pod, metadata: { name: a, finalizers: [p/q, p/q] } }
`);
    assert.deepEqual(objects[0]?.["metadata"], {
      name: "a",
      finalizers: ["p/q"],
      labels: { x: "z" },
    });
  });
});

suite("kinds and YAML as kustomize knows them", () => {
  test("a kind that kustomize does not know gets the namespace even if it is cluster-scoped", () => {
    const { objects } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  namespace: shop
  #- a.yaml
  { apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: { name: a } }
  ---
  { apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: b } }
  ---
  { apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: { name: c } }
`);
    assert.deepEqual(
      objects.map(({ metadata }) => metadata),
      [{ name: "a", namespace: "shop" }, { name: "b" }, { name: "c" }],
    );
  });

  test("yes, on and similar words are texts, in objects and in merge patches", () => {
    const { objects } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  patches: [{ path: patch.yaml }]
  #- a.yaml
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: a }
  data: { a: yes, b: [Off, true], c: "on", n: 1 }
  #- patch.yaml
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: a }
  data: { d: No }
`);
    assert.deepEqual(objects[0]?.["data"], {
      a: "yes",
      b: ["Off", true],
      c: "on",
      n: 1,
      d: "No",
    });
  });
});
