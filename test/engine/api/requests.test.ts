import assert from "node:assert/strict";
import { clusterOf, create, field, patch, patchStored, refusal, replace } from "./answer.ts";

interface Claim {
  readonly modes?: string;
  readonly size?: string;
  readonly metadata?: string;
}

const claim = (
  spec = "",
  { modes = "[ReadWriteOnce]", size = "1Gi", metadata = "name: data" }: Claim = {},
): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { ${metadata} }
spec: { accessModes: ${modes}, resources: { requests: { storage: ${size} } }, ${spec} }`;

const pod = (spec: string): string => `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: app, image: busybox }], ${spec} }`;

suite("Decoding", () => {
  test("reports unknown fields with their paths", () => {
    assert.equal(
      refusal(create(pod("volume: [], hostnam: x"))),
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.hostnam", unknown field "spec.volume"',
    );
  });

  test("escapes invisible characters in unknown fields as Go does", () => {
    assert.match(
      refusal(create(pod('"hostname\\u00a0": x, "dns\\tPolicy": x'))),
      /unknown field "spec\.dns\\tPolicy", unknown field "spec\.hostname\\u00a0"$/,
    );
  });

  test("reports a wrong type with Go's structs, before unknown fields", () => {
    assert.equal(
      refusal(create(pod("volumes: [{ name: v, configMap: { name: 5 } }], bogus: 1"))),
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number into Go struct field ConfigMapVolumeSource.spec.volumes.VolumeSource.configMap.LocalObjectReference.name of type string',
    );
  });

  test("reports an invalid quantity before everything else, without a path", () => {
    assert.equal(
      refusal(create(claim("volumeMode: 5", { size: "1GB" }))),
      "PersistentVolumeClaim in version \"v1\" cannot be handled as a PersistentVolumeClaim: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  });

  test("checks the range of integers", () => {
    const answer = (spec: string): string => refusal(create(pod(spec)));
    const seconds = "terminationGracePeriodSeconds";
    assert.equal(answer("priority: 0, hostname: a"), "accepted");
    assert.equal(answer(`${seconds}: 9223372036854775807`), "accepted");
    const wrong = 'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number';
    for (const [spec, shown, type] of [
      [`${seconds}: 18446744073709551616`, "18446744073709552000", "int64"],
      [`${seconds}: 0.5`, "0.5", "int64"],
      ["priority: 2147483648", "2147483648", "int32"],
      ["priority: -2147483649", "-2147483649", "int32"],
    ] as const) {
      const field = spec.slice(0, spec.indexOf(":"));
      assert.equal(
        answer(spec),
        `${wrong} ${shown} into Go struct field PodSpec.spec.${field} of type ${type}`,
      );
    }
  });

  test("accepts the least int32 as a count or percentage", () => {
    const budget = "{ apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: { name: b }";
    assert.match(
      refusal(create(`${budget}, spec: { minAvailable: -2147483648 } }`)),
      /Invalid value: -2147483648: must be greater than or equal to 0/,
    );
    assert.match(
      refusal(create(`${budget}, spec: { minAvailable: -2147483649 } }`)),
      /cannot unmarshal number -2147483649 into Go struct field/,
    );
  });

  test("reports maps with the Go types of their values", () => {
    const place = "Go struct field PodDisruptionBudgetStatus.status.disruptedPods";
    assert.ok(
      refusal(
        create(
          "{ apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: { name: b }, status: { disruptedPods: 5 } }",
        ),
      ).endsWith(`cannot unmarshal number into ${place} of type map[string]v1.Time`),
    );
    assert.ok(
      refusal(create(`${claim()}\nstatus: { allocatedResourceStatuses: 5 }`)).endsWith(
        "allocatedResourceStatuses of type map[v1.ResourceName]v1.ClaimResourceStatus",
      ),
    );
  });

  test("accepts bytes as a list of numbers", () => {
    const secret = (list: string): string => `
apiVersion: v1
kind: Secret
metadata: { name: s }
data: { a: ${list} }`;
    assert.equal(field(create(secret("[104, 105, null, 255]")), "data.a"), "aGkA/w==");
    for (const [item, got] of [
      ["256", "number 256"],
      ["1.5", "number 1.5"],
      ["x", "string"],
    ])
      assert.equal(
        refusal(create(secret(`[104, ${item}]`))),
        `Secret in version "v1" cannot be handled as a Secret: json: cannot unmarshal ${got} into Go struct field Secret.data of type uint8`,
      );
  });

  test("reports the position of an error in base64, also after its padding", () => {
    const secret = (text: string): string =>
      refusal(
        create(
          `{ apiVersion: v1, kind: Secret, metadata: { name: a }, data: { k: ${JSON.stringify(text)} } }`,
        ),
      );
    for (const [text, place] of [
      ["YWJ", 0],
      ["YW-j", 2],
      ["YQ=", 3],
      ["YQ=x", 2],
      ["YQ=\n\nx", 4],
      ["YQ==\n\nx", 6],
      ["YWI=YQ==", 4],
    ] as const)
      assert.match(secret(text), new RegExp(`illegal base64 data at input byte ${place}$`), text);
    for (const text of ["YQ=\n=", "YWI=\r\n", "Y\nQ=="]) assert.equal(secret(text), "accepted");
  });

  test("drops line breaks and spare bits of base64", () => {
    const stored = (text: string): unknown =>
      field(
        create(
          `{ apiVersion: v1, kind: Secret, metadata: { name: a }, data: { k: ${JSON.stringify(text)} } }`,
        ),
        "data.k",
      );
    for (const text of ["YQ==", "Y\nQ=\n=", "YR==", "YQ==\n"]) assert.equal(stored(text), "YQ==");
    for (const text of ["YWI=", "YWJ="]) assert.equal(stored(text), "YWI=");
    assert.equal(stored("YWJj\nYWJj"), "YWJjYWJj");
  });

  test("never throws", () => {
    for (const text of [
      "null",
      "[]",
      "5",
      "{}",
      "{ kind: Pod }",
      "{ apiVersion: v1, kind: Pod, metadata: 5 }",
    ]) {
      assert.equal(create(text).ok, false, text);
    }
  });
});

suite("The API server completes", () => {
  test("a claim with volume mode, phase and finalizer", () => {
    const answer = create(claim());
    assert.equal(field(answer, "spec.volumeMode"), "Filesystem");
    assert.equal(field(answer, "status.phase"), "Pending");
    assert.deepEqual(field(answer, "metadata.finalizers"), ["kubernetes.io/pvc-protection"]);
    assert.equal(field(answer, "metadata.namespace"), "default");
  });

  test("a claim without a class with the newest default class, but not one with an empty class", () => {
    const cluster = clusterOf(`
      - kind: StorageClass
        metadata: { name: old, creationTimestamp: "2025-01-01T00:00:00Z", annotations: { storageclass.kubernetes.io/is-default-class: "true" } }
      - kind: StorageClass
        metadata: { name: new, creationTimestamp: "2026-01-01T00:00:00Z", annotations: { storageclass.kubernetes.io/is-default-class: "true" } }`);
    assert.equal(field(create(claim(), cluster), "spec.storageClassName"), "new");
    assert.equal(
      field(create(claim('storageClassName: ""'), cluster), "spec.storageClassName"),
      "",
    );
  });

  test("a claim by silently dropping a data source that is neither claim nor snapshot", () => {
    const answer = create(claim("dataSource: { apiGroup: example.com, kind: Backup, name: x }"));
    assert.equal(field(answer, "spec.dataSource"), undefined);
  });

  test("a StatefulSet by dropping maxUnavailable, whose gate is off", () => {
    const answer = create(`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        updateStrategy: { rollingUpdate: { maxUnavailable: 2 } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: main, image: nginx }] }`);
    assert.deepEqual(field(answer, "spec.updateStrategy.rollingUpdate"), { partition: 0 });
  });

  test("a namespace with a label of its generated name", () => {
    const answer = create("{ apiVersion: v1, kind: Namespace, metadata: { generateName: team- } }");
    assert.deepEqual(field(answer, "metadata.labels"), {
      "kubernetes.io/metadata.name": "team-xxxxx",
    });
  });

  test("an object by dropping empty fields, whatever admission adds beside them", () => {
    const node = create(
      "{ apiVersion: v1, kind: Node, metadata: { name: n }, spec: { podCIDRs: [] }, status: { capacity: {} } }",
    );
    assert.equal(field(node, "spec.podCIDRs"), undefined);
    assert.equal(field(node, "status.allocatable"), undefined);
    const service = create(
      "{ apiVersion: v1, kind: Service, metadata: { name: s }, spec: { ports: [{ port: 80 }], clusterIPs: [], ipFamilies: [] } }",
    );
    assert.deepEqual(field(service, "spec.ipFamilies"), ["IPv4"]);
    assert.equal((field(service, "spec.clusterIPs") as unknown[]).length, 1);
  });

  test("a pod with tolerations, priority and QoS class", () => {
    const answer = create(pod(""));
    assert.equal((field(answer, "spec.tolerations") as unknown[]).length, 2);
    assert.equal(field(answer, "spec.priority"), 0);
    assert.equal(field(answer, "status.qosClass"), "BestEffort");
  });

  test("an object by dropping empty optional fields and adding required lists", () => {
    const node = create(
      "{ apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: { name: n }, spec: {} }",
    );
    assert.deepEqual(field(node, "spec.drivers"), []);
    assert.equal(
      field(create(claim("selector: { matchLabels: {} }")), "spec.selector.matchLabels"),
      undefined,
    );
  });
});

suite("The API server refuses", () => {
  test("ReadWriteOncePod with other access modes", () => {
    assert.equal(
      refusal(create(claim("", { modes: "[ReadWriteOncePod, ReadWriteMany]" }))),
      "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes",
    );
  });

  test("a claim with an invalid size, name or mode", () => {
    const asked = (spec: string): string =>
      refusal(
        create(
          `{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], ${spec} } }`,
        ),
      );
    const size = (storage: string): string => `resources: { requests: { storage: ${storage} } }`;
    assert.equal(asked(""), "spec.resources[storage]: Required value");
    assert.equal(
      asked(size("0")),
      'spec.resources[storage]: Invalid value: "0": must be greater than zero',
    );
    assert.equal(
      asked(`${size("1Gi")}, volumeMode: Raw`),
      'spec.volumeMode: Unsupported value: "Raw": supported values: "Block", "Filesystem"',
    );
    for (const field of ["storageClassName", "volumeAttributesClassName"])
      assert.match(
        asked(`${size("1Gi")}, ${field}: A`),
        new RegExp(`^spec\\.${field}: Invalid value: "A": a lowercase RFC 1123 subdomain`),
      );
    assert.match(
      asked(`${size("1Gi")}, selector: { matchLabels: { a: "?" } }`),
      /^spec\.selector\.matchLabels: Invalid value: "\?": a valid label must be/,
    );
  });

  test("a claim with two different data sources", () => {
    const asked = (dataSource: string, dataSourceRef: string): string =>
      refusal(
        create(
          `{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, dataSource: { ${dataSource} }, dataSourceRef: { ${dataSourceRef} } } }`,
        ),
      );
    const snapshot = "apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot";
    assert.equal(asked(`${snapshot}, name: a`, `${snapshot}, name: a`), "accepted");
    for (const other of [
      `${snapshot}, name: b`,
      "apiGroup: snapshot.storage.k8s.io, kind: Other, name: a",
      "apiGroup: other.k8s.io, kind: VolumeSnapshot, name: a",
    ])
      assert.equal(
        asked(`${snapshot}, name: a`, other),
        "spec: Invalid value: {}: must match dataSourceRef",
      );
  });

  test("a local volume without node affinity", () => {
    const volume = `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: v }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], local: { path: /mnt } }`;
    assert.equal(
      refusal(create(volume)),
      "spec.nodeAffinity: Required value: Local volume requires node affinity",
    );
  });

  test("a mount of a missing or invalid volume", () => {
    const answer = create(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: app, image: busybox, volumeMounts: [{ name: data, mountPath: /data }] }]
        volumes: [{ name: data, hostPath: { path: /a/../b } }]`);
    assert.equal(
      refusal(answer),
      'spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain \'..\'\nspec.containers[0].volumeMounts[0].name: Not found: "data"',
    );
  });

  test("an object in a missing namespace", () => {
    assert.equal(
      refusal(create(claim("", { metadata: "name: data, namespace: team" }))),
      'namespaces "team" not found',
    );
  });

  test("a second controller and an Event as owner, shown in Go's order", () => {
    const owner = (fields: string): string => `{ uid: a, ${fields}, name: x, apiVersion: v1 }`;
    const owned = (...owners: readonly string[]): string =>
      refusal(
        create(claim("", { metadata: `name: data, ownerReferences: [${owners.join(", ")}]` })),
      );
    assert.equal(
      owned(
        owner("controller: true, kind: Pod"),
        owner("kind: Pod, controller: true").replace("uid: a", "uid: b"),
      ),
      'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"x","uid":"a","controller":true},{"apiVersion":"v1","kind":"Pod","name":"x","uid":"b","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Pod/x and Pod/x',
    );
    assert.equal(
      owned(owner("blockOwnerDeletion: true, kind: Event")),
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"x","uid":"a","blockOwnerDeletion":true}: /v1, Kind=Event is disallowed from being an owner',
    );
  });

  test("a claim that a LimitRange does not allow", () => {
    const cluster = clusterOf(`
      - kind: LimitRange
        metadata: { name: sizes, namespace: default }
        spec: { limits: [{ type: PersistentVolumeClaim, min: { storage: 2Gi } }] }`);
    assert.equal(
      refusal(create(claim(), cluster)),
      'persistentvolumeclaims "data" is forbidden: minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi',
    );
  });

  test("a pod with the prefix of its name in the message, if it has no name yet", () => {
    const nameless = (metadata: string): string =>
      pod("priorityClassName: high").replace("name: web", metadata);
    const why = "is forbidden: no PriorityClass with name high was found";
    assert.equal(refusal(create(nameless("generateName: web-"))), `pods "web-" ${why}`);
    assert.equal(refusal(create(nameless(""))), `pods "Unknown" ${why}`);
  });

  test("a snapshot without exactly one source", () => {
    const answer = create(
      "{ apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: { name: s }, spec: { source: {} } }",
    );
    assert.equal(
      refusal(answer),
      "spec.source: Invalid value: exactly one of volumeSnapshotContentName and persistentVolumeClaimName must be set",
    );
  });

  test("no name only because JavaScript gives it a meaning", () => {
    const word = "constructor";
    const accepted = [
      `{ apiVersion: v1, kind: Secret, metadata: { name: a }, type: ${word} }`,
      `{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { ${word}: b }, binaryData: { c: YQ== } }`,
    ];
    for (const object of accepted) assert.equal(refusal(create(object)), "accepted");
    const containers = "containers: [{ name: a, image: b }]";
    const pod = (spec: string): string =>
      refusal(
        create(
          `{ apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { ${containers}, ${spec} } }`,
        ),
      );
    assert.equal(
      pod(`priorityClassName: ${word}`),
      `pods "a" is forbidden: no PriorityClass with name ${word} was found`,
    );
    const affinity = `affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: z, labelSelector: {}, matchLabelKeys: [${word}] }] } }`;
    assert.equal(pod(affinity), "accepted");
  });
});

suite("managedFields", () => {
  const managed = (...entries: string[]): string =>
    claim("", { metadata: `name: data, managedFields: [${entries.join(", ")}]` });
  const entry = "apiVersion: v1, fieldsType: FieldsV1, fieldsV1: { f:spec: {} }, operation: Update";

  test("are never a reason to refuse an object, readable or not", () => {
    const readable = `{ ${entry}, manager: kubectl }`;
    const kept = create(managed(readable));
    assert.equal((field(kept, "metadata.managedFields") as readonly unknown[]).length, 1);
    for (const [part, wrong] of [
      ["operation: Update", "operation: Edit"],
      ["fieldsType: FieldsV1", "fieldsType: FieldsV2"],
      ["apiVersion: v1", 'apiVersion: ""'],
    ] as const) {
      const answer = create(managed(readable, `{ ${entry.replace(part, wrong)} }`));
      assert.equal(field(answer, "metadata.managedFields"), undefined, wrong);
    }
    const unreadable = managed(`{ ${entry.replace("Update", "Edit")} }`);
    assert.equal(refusal(replace(claim(), unreadable)), "accepted");
  });

  test("except for managers with long or unprintable names", () => {
    assert.equal(
      refusal(create(managed(`{ ${entry}, manager: ${"m".repeat(129)} }`))),
      "metadata.managedFields[0].manager: Too long: may not be more than 128 bytes",
    );
    assert.equal(
      refusal(create(managed(`{ ${entry}, manager: "é\\tb" }`))),
      'metadata.managedFields[0].manager: Invalid value: "é\\tb": invalid character U+0009 (at position 2)',
    );
    assert.equal(
      refusal(create(managed(`{ ${entry}, subresource: ${"s".repeat(257)} }`))),
      "metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes",
    );
  });
});

suite("The API server accepts changes of", () => {
  test("a claim's size only if it is bound and its class allows it", () => {
    const larger = claim("storageClassName: fast", { size: "2Gi" });
    assert.match(
      refusal(replace(claim("storageClassName: fast"), larger)),
      /^spec: Forbidden: spec is immutable after creation except .*\n@@ -6,7 \+6,7 @@\n/,
    );
    const bound = { phase: "Bound", capacity: { storage: "1Gi" } };
    assert.equal(
      refusal(replace(claim("storageClassName: fast"), larger, bound)),
      'persistentvolumeclaims "data" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
    const cluster = clusterOf(
      "[{ kind: StorageClass, metadata: { name: fast }, allowVolumeExpansion: true }]",
    );
    assert.equal(
      refusal(replace(claim("storageClassName: fast"), larger, bound, cluster)),
      "accepted",
    );
  });

  test("quantities to equal ones", () => {
    const same = claim("", { size: "1024Mi" });
    assert.equal(refusal(replace(claim(), same)), "accepted");
  });

  test("nothing in an immutable ConfigMap or Secret, not even an empty map", () => {
    for (const [kind, field] of [
      ["ConfigMap", "data"],
      ["ConfigMap", "binaryData"],
      ["Secret", "data"],
    ]) {
      const sealed = (data: string): string =>
        `{ apiVersion: v1, kind: ${kind}, metadata: { name: s, namespace: default }, immutable: true${data} }`;
      const change = (before: string, after: string): string =>
        refusal(replace(sealed(before), sealed(after)));
      const refused = `${field}: Forbidden: field is immutable when \`immutable\` is set`;
      const given = `, ${field}: { capacity: MWdp }`;
      assert.equal(change(given, given), "accepted");
      assert.equal(change(given, `, ${field}: { capacity: MTAyNG1p }`), refused);
      assert.equal(change(given, ""), refused);
      assert.equal(change("", `, ${field}: {}`), refused);
      assert.equal(change(`, ${field}: {}`, ""), "accepted");
    }
  });

  test("nothing in the parameters of a storage class", () => {
    const storageClass = (tier: string): string =>
      `{ apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: c }, provisioner: d, parameters: { tier: ${tier} } }`;
    assert.equal(
      refusal(replace(storageClass("a"), storageClass("b"))),
      'parameters: Invalid value: {"tier":"b"}: field is immutable',
    );
  });
});

suite("The API server warns about", () => {
  test("fractions of a byte", () => {
    const answer = create(claim("", { size: "1.5" }));
    assert.deepEqual(answer.warnings, [
      'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
    ]);
  });

  test("duplicate owner references, which are stored once, even if the object is refused", () => {
    const owner = (uid: string): string => `{ apiVersion: v1, kind: Pod, name: p, uid: ${uid} }`;
    const owned = (...uids: string[]): string =>
      claim("", { metadata: `name: data, ownerReferences: [${uids.map(owner).join(", ")}]` });
    const warning = (when: string): readonly string[] => [
      `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: a, a`,
    ];
    const answer = create(owned("a", "b", "a", "a"));
    assert.deepEqual(answer.warnings, warning(""));
    assert.equal((field(answer, "metadata.ownerReferences") as readonly unknown[]).length, 2);
    assert.deepEqual(create(owned("a", "b")).warnings, []);
    assert.deepEqual(create(owned("a", "a", "a").replace("1Gi", "0")).warnings, warning(""));
    assert.deepEqual(replace(claim(), owned("a", "a", "a")).warnings, warning(""));
    const references = `[${owner("a")}, ${owner("a")}, ${owner("a")}]`;
    assert.deepEqual(
      patch(claim(), `metadata: { ownerReferences: ${references} }`).warnings,
      warning(" after mutating admission happens"),
    );
  });

  test("huge sizes that look fractional because the check overflows, but not about powers of ten", () => {
    const warned = (size: string): number => create(claim("", { size })).warnings.length;
    assert.equal(warned("10Pi"), 1);
    assert.equal(warned("1e18"), 0);
  });
});

suite("API servers before 1.34", () => {
  const set = `
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: { name: db }
    spec:
      selector: { matchLabels: { app: db } }
      template: { metadata: { labels: { app: db } }, spec: { containers: [{ name: db, image: db }] } }
      volumeClaimTemplates: [{ metadata: { name: data }, spec: { accessModes: [ReadWriteOnce] } }]`;

  test("do not validate the claim templates of a StatefulSet", () => {
    assert.equal(refusal(create(set, clusterOf(), "1.33")), "accepted");
    assert.equal(
      refusal(create(set, clusterOf(), "1.34")),
      "spec.volumeClaimTemplates[0].spec.resources[storage]: Required value",
    );
  });

  test("do not have attributes classes", () => {
    const answer = create(claim("volumeAttributesClassName: gold"), clusterOf(), "1.33");
    assert.equal(field(answer, "spec.volumeAttributesClassName"), undefined);
    const changed = replace(
      claim(),
      claim("volumeAttributesClassName: gold"),
      undefined,
      clusterOf(),
      "1.33",
    );
    assert.equal(field(changed, "spec.volumeAttributesClassName"), undefined);
    const attributesClass =
      "{ apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: { name: gold }, driverName: d, parameters: { a: b } }";
    assert.equal(
      refusal(create(attributesClass, clusterOf(), "1.33")),
      "the server could not find the requested resource",
    );
  });
});

suite("Updates and patches", () => {
  test("are invalid if the patch does not fit the object, which the message shows as patched", () => {
    const answer = patch(claim(), "{ spec: { volume: pv } }");
    assert.ok(!answer.ok);
    assert.equal(answer.error.code, 422);
    assert.match(
      answer.error.message,
      /^ "" is invalid: patch: Invalid value: "\{.*\}": strict decoding error: unknown field "spec.volume"$/,
    );
  });

  test("lose null fields in list entries", () => {
    const change =
      "{ metadata: { ownerReferences: [{ apiVersion: v1, kind: Pod, name: p, uid: u, no: null }] } }";
    assert.equal(refusal(patch(claim(), change)), "accepted");
  });

  test("of an object that is being deleted report a new finalizer once, even if it is listed twice", () => {
    const leaving = "deletionTimestamp: 2026-01-01T00:00:00Z, deletionGracePeriodSeconds: 0";
    const going = claim("", { metadata: `name: data, finalizers: [a.b/c], ${leaving}` });
    assert.match(
      refusal(patchStored(going, "{ metadata: { finalizers: [x.y/z, x.y/z] } }")),
      /found new finalizers \[\]string\{"x\.y\/z"\}\n/,
    );
  });

  test("with another uid are invalid as a patch, and fail a precondition as a replacement", () => {
    const change = "{ metadata: { uid: other } }";
    const immutable = 'metadata.uid: Invalid value: "other": field is immutable';
    assert.equal(refusal(patch(claim(), change)), `${immutable}\n${immutable}`);
    const replacement = claim("", { metadata: "name: data, uid: other" });
    assert.match(refusal(replace(claim(), replacement)), /Precondition failed: UID/);
  });

  test("with another uid report the key of the object in etcd", () => {
    const controller = (uid = ""): string => `{ apiVersion: v1, kind: ReplicationController,
      metadata: { name: web, ${uid} },
      spec: { selector: { app: web }, template: {
        metadata: { labels: { app: web } },
        spec: { containers: [{ name: app, image: nginx }] } } } }`;
    const answer = replace(controller(), controller("uid: other"));
    assert.match(refusal(answer), /, Key: \/controllers\/default\/web,/);
  });

  test("with another name or namespace are bad requests before anything else; without one they get that of the request", () => {
    const answers = [
      "{ metadata: { name: other, uid: other } }",
      "{ metadata: { name: null, resourceVersion: '7' } }",
      "{ metadata: { name: other, namespace: other } }",
    ].map((change) => patch(claim(), change));
    assert.deepEqual(
      answers.map((answer) =>
        answer.ok ? "accepted" : `${answer.error.code} ${answer.error.message}`,
      ),
      [
        "400 the name of the object (other) does not match the name on the URL (data)",
        "400 the name of the object (data based on URL) was undeterminable: name must be provided",
        "400 the namespace of the provided object does not match the namespace sent on the request",
      ],
    );
    const elsewhere = claim("", { metadata: "name: data, namespace: team" });
    const unplaced = patchStored(elsewhere, "{ metadata: { namespace: null } }");
    assert.equal(field(unplaced, "metadata.namespace"), "team");
    const volume =
      "{ apiVersion: v1, kind: PersistentVolume, metadata: { name: p }, spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], csi: { driver: d, volumeHandle: h } } }";
    assert.equal(refusal(patch(volume, "{ metadata: { namespace: team } }")), "accepted");
  });

  test("with another resourceVersion conflict before anything else", () => {
    const change = '{ metadata: { uid: other, resourceVersion: "7" } }';
    assert.match(refusal(patch(claim(), change)), /the object has been modified/);
    const same = claim("", { metadata: 'name: data, resourceVersion: "01"' });
    assert.equal(refusal(replace(claim(), same)), "accepted");
  });

  test("with a resourceVersion that is not a number are refused without comparing it", () => {
    const versioned = (version: string): string =>
      refusal(
        replace(claim(), claim("", { metadata: `name: data, resourceVersion: "${version}"` })),
      );
    assert.equal(versioned("x"), 'strconv.ParseUint: parsing "x": invalid syntax');
    assert.equal(
      versioned("18446744073709551616"),
      'strconv.ParseUint: parsing "18446744073709551616": value out of range',
    );
  });

  test("of some kinds need a resourceVersion, and report nothing else without one", () => {
    const objects = [
      "{ apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: { name: a }, handler: a }",
      "{ apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: { name: a }, spec: {} }",
      "{ apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: { name: a }, spec: {} }",
    ];
    const answers = objects.map((object) => replace(object, object));
    assert.deepEqual(
      answers.map((answer) => (answer.ok ? "accepted" : answer.error.message)),
      [
        "runtimeclasses.node.k8s.io",
        "poddisruptionbudgets.policy",
        "csidrivers.storage.k8s.io",
      ].map(
        (resource) =>
          `${resource} "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
      ),
    );
    const label = "labels: { 'a b': c }";
    const wrong = objects[0]?.replace("a }", `a, ${label} }`) ?? "";
    assert.match(
      refusal(replace(objects[0] ?? "", wrong)),
      /^metadata\.resourceVersion: .*update$/,
    );
  });
});
