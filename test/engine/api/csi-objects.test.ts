/** Validation of the objects that drivers, their sidecars and the attach-detach controller write. */
import assert from "node:assert/strict";
import { create, field, refusal, replace, report } from "./answer.ts";

/** An update with the resourceVersion, which these kinds require. */
const change = (before: string, after: string): string =>
  refusal(replace(before, after.replace("metadata: {", "metadata: { resourceVersion: '1',")));

suite("A CSIDriver", () => {
  const driver = (spec: string): string =>
    `{ apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: { name: a.b }, spec: { ${spec} } }`;
  const asked = (spec: string): string => refusal(create(driver(spec)));

  test("must request tokens of at least ten minutes, one for each audience", () => {
    const token = (seconds: number): string =>
      asked(`tokenRequests: [{ audience: a, expirationSeconds: ${seconds} }]`);
    const at = "spec.tokenRequests[0].expirationSeconds: Invalid value";
    assert.equal(token(600), "accepted");
    assert.equal(token(599), `${at}: 599: may not specify a duration less than 10 minutes`);
    assert.equal(
      token(4294967297),
      `${at}: 4294967297: may not specify a duration larger than 2^32 seconds`,
    );
    assert.equal(
      asked("tokenRequests: [{ audience: a }, { audience: a }]"),
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
    );
  });

  test("must update allocatable counts at most every ten seconds", () => {
    assert.equal(asked("nodeAllocatableUpdatePeriodSeconds: 10"), "accepted");
    assert.equal(
      asked("nodeAllocatableUpdatePeriodSeconds: 9"),
      "spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds",
    );
  });

  test("must request tokens to get them as secrets", () => {
    const secrets = "serviceAccountTokenInSecrets: true";
    assert.equal(asked(`${secrets}, tokenRequests: [{ audience: a }]`), "accepted");
    assert.equal(
      asked(secrets),
      "spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified",
    );
  });

  test("must have known lifecycle modes and a known fsGroup policy", () => {
    assert.equal(
      asked("volumeLifecycleModes: [Sometimes]"),
      'spec.volumeLifecycleModes: Unsupported value: "Sometimes": supported values: "Persistent", "Ephemeral"',
    );
    assert.equal(
      asked("fsGroupPolicy: Maybe"),
      'spec.fsGroupPolicy: Unsupported value: "Maybe": supported values: "File", "None", "ReadWriteOnceWithFSType"',
    );
  });

  test("loses fields behind disabled gates, on create and update", () => {
    const gated = driver("preventPodSchedulingIfMissing: true");
    assert.equal(field(create(gated), "spec.preventPodSchedulingIfMissing"), undefined);
    const later = replace(
      driver(""),
      gated.replace("metadata: {", "metadata: { resourceVersion: '1',"),
    );
    assert.equal(field(later, "spec.preventPodSchedulingIfMissing"), undefined);
  });

  test("keeps attachRequired and its lifecycle modes, but may change storageCapacity", () => {
    assert.equal(
      change(driver("attachRequired: true"), driver("attachRequired: false")),
      "spec.attachedRequired: Invalid value: false: field is immutable",
    );
    assert.equal(
      change(
        driver("volumeLifecycleModes: [Persistent]"),
        driver("volumeLifecycleModes: [Ephemeral]"),
      ),
      'spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable',
    );
    assert.equal(
      change(driver("storageCapacity: true"), driver("storageCapacity: false")),
      "accepted",
    );
  });
});

suite("A CSINode", () => {
  const node = (...drivers: readonly string[]): string =>
    `{ apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: { name: n }, spec: { drivers: [${drivers.join(", ")}] } }`;
  const asked = (...drivers: readonly string[]): string =>
    refusal(create(node(...drivers))).replace("spec.drivers", "");

  test("must have each driver once, with a node id", () => {
    assert.equal(
      asked("{ name: a.b, nodeID: x }", "{ name: a.b, nodeID: y }"),
      '[1].name: Duplicate value: "a.b"',
    );
    assert.equal(asked("{ name: '', nodeID: x }"), "[0].name: Required value");
    assert.equal(asked("{ name: a.b, nodeID: '' }"), "[0].nodeID: Required value");
    assert.match(
      asked(`{ name: a.b, nodeID: ${"x".repeat(257)} }`),
      /^\[0\]\.nodeID: Invalid value: "x+": must be 256 characters or less$/,
    );
  });

  test("must have each topology key once, as a label key, and no negative limit", () => {
    assert.equal(
      asked("{ name: a.b, nodeID: x, topologyKeys: [z, z] }"),
      '[0]: Duplicate value: "z"',
    );
    assert.match(
      asked("{ name: a.b, nodeID: x, topologyKeys: [a b] }"),
      /^\[0\]: Invalid value: "a b": name part must consist of/,
    );
    assert.match(asked("{ name: a.b, nodeID: x, topologyKeys: [''] }"), /^\[0\]: Required value\n/);
    assert.equal(asked("{ name: a.b, nodeID: x, allocatable: { count: 0 } }"), "accepted");
    assert.equal(
      asked("{ name: a.b, nodeID: x, allocatable: { count: -1 } }"),
      "[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0",
    );
  });

  test("can add and remove drivers, but not change them", () => {
    assert.equal(
      change(node("{ name: a.b, nodeID: x }"), node("{ name: a.b, nodeID: y }")),
      'spec.drivers: Invalid value: {"Name":"a.b","NodeID":"y","TopologyKeys":null,"Allocatable":null}: field is immutable',
    );
    assert.equal(
      change(node("{ name: a.b, nodeID: x }"), node("{ name: c.d, nodeID: x }")),
      "accepted",
    );
  });

  test("reports changed drivers in their old order: ValidateCSINodeUpdate", () => {
    const named = (...names: readonly string[]): readonly string[] =>
      names.map((name, index) => `{ name: ${name}, nodeID: n${index} }`);
    assert.deepEqual(
      change(node(...named("a.b", "c.d")), node(...named("c.d", "a.b"))).match(/"Name":"[^"]*"/g),
      ['"Name":"a.b"', '"Name":"c.d"'],
    );
  });
});

suite("A CSIStorageCapacity", () => {
  const capacity = (fields: string): string =>
    `{ apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, metadata: { name: c, namespace: default }, ${fields} }`;

  test("must have a class name, valid topology and no negative capacity", () => {
    const asked = (fields: string): string => refusal(create(capacity(fields)));
    assert.match(asked("storageClassName: A"), /^storageClassName: Invalid value: "A": /);
    assert.equal(
      asked("storageClassName: a, capacity: -1"),
      'capacity: Invalid value: "-1": must be greater than or equal to 0',
    );
    assert.match(
      asked("storageClassName: a, nodeTopology: { matchLabels: { a b: c } }"),
      /^nodeTopology\.matchLabels: Invalid value: "a b": name part must consist of/,
    );
  });

  test("keeps its class and its nodes, but may change its capacity", () => {
    const of = (name: string, fields = ""): string =>
      capacity(`storageClassName: ${name}, ${fields}`);
    assert.equal(
      change(of("a"), of("b")),
      'storageClassName: Invalid value: "b": field is immutable',
    );
    assert.equal(
      change(of("a", "nodeTopology: {}"), of("a", "nodeTopology: { matchLabels: { zone: a } }")),
      'nodeTopology: Invalid value: {"matchLabels":{"zone":"a"}}: field is immutable',
    );
    assert.equal(change(of("a", "capacity: 1"), of("a", "capacity: 2")), "accepted");
  });
});

suite("A VolumeAttachment", () => {
  const attachment = (source: string, node = "n"): string =>
    `{ apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: { name: v }, spec: { attacher: a.b, nodeName: ${node}, source: { ${source} } } }`;
  const inline = (fields: string): string =>
    refusal(
      create(attachment(`inlineVolumeSpec: { accessModes: [ReadWriteOnce], ${fields} }`)),
    ).replaceAll("spec.source.inlineVolumeSpec.", "");
  const csi = "csi: { driver: a.b, volumeHandle: h }";

  test("limits errors to 1 KiB and metadata to 256 KiB", () => {
    const told = (status: string): string =>
      refusal(report(attachment("persistentVolumeName: pv"), status));
    const text = (length: number): string => "a".repeat(length);
    for (const name of ["attachError", "detachError"]) {
      assert.equal(told(`{ attached: false, ${name}: { message: ${text(1024)} } }`), "accepted");
      assert.equal(
        told(`{ attached: false, ${name}: { message: ${text(1025)} } }`),
        `status.${name}.message: Too long: may not be more than 262144 bytes`,
      );
      assert.equal(told(`{ attached: false, ${name}: { errorCode: 0 } }`), "accepted");
      assert.equal(
        told(`{ attached: false, ${name}: { errorCode: -1 } }`),
        `status.${name}.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive`,
      );
    }
    const metadata = (length: number): string =>
      told(`{ attached: true, attachmentMetadata: { path: ${text(length - 4)} } }`);
    assert.equal(metadata(262144), "accepted");
    assert.equal(
      metadata(262145),
      "status.attachmentMetadata: Too long: may not be more than 262144 bytes",
    );
  });

  test("must have a valid node name and a valid driver name", () => {
    const at = (object: string): string => refusal(create(object)).replace(/: a lower.*/, "");
    const good = attachment("persistentVolumeName: pv");
    assert.equal(
      at(attachment("persistentVolumeName: pv", "A")),
      'spec.nodeName: Invalid value: "A"',
    );
    assert.equal(at(good.replace("a.b", "a_b")), 'spec.attacher: Invalid value: "a_b"');
    assert.equal(at(good.replace("a.b", "A.B")), "accepted");
    assert.equal(
      at(good.replace("a.b", "a".repeat(64))),
      "spec.attacher: Too long: may not be more than 63 bytes",
    );
  });

  test("must have exactly one volume, by name or by spec", () => {
    assert.equal(refusal(create(attachment("persistentVolumeName: p"))), "accepted");
    assert.equal(
      refusal(create(attachment(""))),
      "spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName",
    );
    assert.equal(
      refusal(
        create(
          attachment(
            `persistentVolumeName: p, inlineVolumeSpec: { accessModes: [ReadWriteOnce], ${csi} }`,
          ),
        ),
      ),
      "spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName",
    );
  });

  test("with two volumes gets no other error about them: validateVolumeAttachmentSource", () => {
    const two = attachment(
      "persistentVolumeName: p, inlineVolumeSpec: { capacity: { storage: 1 } }",
    );
    assert.equal(
      refusal(create(two)),
      "spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName",
    );
  });

  test("must have a valid volume name on create only: ValidateVolumeAttachmentV1", () => {
    const named = (volume: string): string => attachment(`persistentVolumeName: "${volume}"`);
    const subdomain = (volume: string): RegExp =>
      new RegExp(
        `^spec.source.persistentVolumeName: Invalid value: "${volume}": a lowercase RFC 1123`,
        "m",
      );
    const missing =
      "spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName";
    const changed = (volume: string): string =>
      `spec: Invalid value: {"Attacher":"a.b","Source":{"PersistentVolumeName":"${volume}","InlineVolumeSpec":null},"NodeName":"n"}: field is immutable`;
    assert.match(refusal(create(named("P"))), subdomain("P"));
    assert.match(refusal(create(named(""))), subdomain(""));
    assert.equal(change(named("p"), named("P")), changed("P"));
    assert.equal(change(named("p"), named("")), `${missing}\n${changed("")}`);
  });

  test("limits an inline volume to what a pod's in-tree volume can express, with CSI as source", () => {
    assert.equal(inline(csi), "accepted");
    const context = "may not be specified in the context of inline volumes";
    assert.equal(inline(`${csi}, capacity: { storage: 1Gi }`), `capacity: Forbidden: ${context}`);
    assert.equal(inline(`${csi}, claimRef: { name: a }`), `claimRef: Forbidden: ${context}`);
    assert.equal(inline(`${csi}, storageClassName: a`), `storageClassName: Forbidden: ${context}`);
    assert.equal(
      inline(`${csi}, persistentVolumeReclaimPolicy: Delete`),
      "persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes",
    );
    assert.equal(
      inline(`${csi}, volumeMode: Block`),
      "volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes",
    );
    assert.equal(
      inline("nfs: { server: a, path: /b }"),
      "csi: Required value: has to be specified in the context of inline volumes",
    );
  });

  test("accepts any attributes class in an inline volume, and no affinity: ValidatePersistentVolumeSpec without options", () => {
    assert.equal(inline(`${csi}, volumeAttributesClassName: A_b`), "accepted");
    assert.equal(
      inline("local: { path: /a }, nodeAffinity: {}"),
      [
        "csi: Required value: has to be specified in the context of inline volumes",
        "nodeAffinity: Forbidden: may not be specified in the context of inline volumes",
        "nodeAffinity: Required value: Local volume requires node affinity",
      ].join("\n"),
    );
  });

  test("is immutable", () => {
    const named = (node: string): string => attachment("persistentVolumeName: p", node);
    assert.equal(
      change(named("n"), named("m")),
      'spec: Invalid value: {"Attacher":"a.b","Source":{"PersistentVolumeName":"p","InlineVolumeSpec":null},"NodeName":"m"}: field is immutable',
    );
  });
});
