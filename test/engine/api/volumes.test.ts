/** Validation of PersistentVolumes and classes, and of their updates. */
import assert from "node:assert/strict";
import { create, refusal, replace } from "./answer.ts";

const nfs = "nfs: { server: a, path: /a }";
const csi = "csi: { driver: a.b, volumeHandle: h }";

const volume = (spec: string, annotations = ""): string => `
apiVersion: v1
kind: PersistentVolume
metadata: { name: disk, annotations: { ${annotations} } }
spec: { accessModes: [ReadWriteOnce], capacity: { storage: 1Gi }, ${spec} }`;

const on = (key: string): string =>
  `nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: ${key}, operator: In, values: [a] }] }] } }`;

suite("A volume", () => {
  const asked = (spec: string, annotations?: string): string =>
    refusal(create(volume(spec, annotations)));
  const without = (part: string, instead: string): string =>
    refusal(create(volume(nfs).replace(part, instead)));

  test("must have one source", () => {
    assert.equal(asked(""), "spec: Required value: must specify a volume type");
    assert.equal(
      asked(`${nfs}, hostPath: { path: /a }`),
      "spec.nfs: Forbidden: may not specify more than 1 volume type",
    );
  });

  test("must have a positive storage capacity and no other one", () => {
    assert.equal(
      without("capacity: { storage: 1Gi },", ""),
      'spec.capacity: Required value\nspec.capacity: Unsupported value: null: supported values: "storage"',
    );
    assert.equal(
      without("storage: 1Gi", "storage: 1Gi, cpu: 1"),
      'spec.capacity: Unsupported value: {"cpu":"1","storage":"1Gi"}: supported values: "storage"',
    );
    assert.equal(
      without("1Gi", "0"),
      'spec.capacity[storage]: Invalid value: "0": must be greater than zero',
    );
  });

  test("over iSCSI reports its secret before its initiator", () => {
    assert.equal(
      asked(
        "iscsi: { targetPortal: a, iqn: iqn.2026-01.a:b, lun: 0, secretRef: {}, initiatorName: me }",
      ),
      [
        "spec.iscsi.secretRef.name: Required value",
        'spec.iscsi.initiatorname: Invalid value: "me": must be valid format',
      ].join("\n"),
    );
  });

  test("over iSCSI with an initiator has a limit for the length of its name and portal", () => {
    const portal = (length: number, more = ", initiatorName: 'iqn.2026-01.a:b'"): string =>
      asked(
        `iscsi: { targetPortal: ${"a".repeat(length)}, iqn: 'iqn.2026-01.a:b', lun: 0${more} }`,
      );
    assert.equal(portal(59), "accepted");
    assert.equal(
      portal(60),
      `spec.iscsi.targetportal: Invalid value: "${"a".repeat(60)}": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.`,
    );
    assert.equal(portal(60, ""), "accepted");
  });

  test("must have all required fields of its source", () => {
    const missing: readonly (readonly [string, ...string[]])[] = [
      ["glusterfs: { endpoints: '', path: '' }", "glusterfs.endpoints", "glusterfs.path"],
      ["iscsi: { targetPortal: '', iqn: 'iqn.2026-01.a:b', lun: 0 }", "iscsi.targetPortal"],
      ["cinder: { volumeID: '' }", "cinder.volumeID"],
      [
        "cinder: { volumeID: a, secretRef: {} }",
        "cinder.secretRef.name",
        "cinder.secretRef.namespace",
      ],
      [
        "azureFile: { secretName: '', shareName: '' }",
        "azureFile.secretName",
        "azureFile.shareName",
      ],
      [
        "azureFile: { secretName: a, shareName: b, secretNamespace: '' }",
        "azureFile.secretNamespace",
      ],
      ["storageos: { volumeName: a, secretRef: { name: b } }", "storageos.secretRef.namespace"],
      [
        "csi: { driver: a.b, volumeHandle: h, nodePublishSecretRef: { namespace: a } }",
        "csi.nodePublishSecretRef.name",
      ],
      [`local: { path: '' }, ${on("a")}`, "local.path"],
    ];
    for (const [source, ...fields] of missing)
      assert.equal(asked(source), fields.map((name) => `spec.${name}: Required value`).join("\n"));
    for (const source of [
      "cinder: { volumeID: a, secretRef: { name: b, namespace: c } }",
      "azureFile: { secretName: a, shareName: b, secretNamespace: c }",
      "storageos: { volumeName: a, secretRef: { name: b, namespace: c } }",
      "glusterfs: { endpoints: a, path: b, endpointsNamespace: c }",
    ])
      assert.equal(asked(source), "accepted");
  });

  test("must have valid namespaces, secrets and class names", () => {
    const gluster = (namespace: string): string =>
      asked(`glusterfs: { endpoints: a, path: b, endpointsNamespace: '${namespace}' }`);
    assert.equal(
      gluster(""),
      'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
    );
    assert.equal(
      gluster("a.b"),
      'spec.glusterfs.endpointsNamespace: Invalid value: "a.b": must not contain dots',
    );
    const secret = (reference: string): string =>
      asked(`csi: { driver: a.b, volumeHandle: h, nodePublishSecretRef: { ${reference} } }`);
    const at = "^spec\\.csi\\.nodePublishSecretRef";
    assert.match(secret("name: A, namespace: b"), new RegExp(`${at}\\.name: Invalid value: "A"`));
    assert.match(
      secret("name: a, namespace: b.c"),
      new RegExp(`${at}\\.namespace: Invalid value: "b\\.c"`),
    );
    assert.match(
      asked(`${nfs}, storageClassName: A`),
      /^spec\.storageClassName: Invalid value: "A"/,
    );
    assert.equal(asked(`${nfs}, persistentVolumeReclaimPolicy: ""`), "accepted");
  });

  test("must have known modes, and ReadWriteOncePod alone", () => {
    assert.equal(without("[ReadWriteOnce]", "[]"), "spec.accessModes: Required value");
    assert.equal(
      without("[ReadWriteOnce]", "[RWO]"),
      'spec.accessModes: Unsupported value: "RWO": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    );
    assert.equal(
      without("[ReadWriteOnce]", "[ReadWriteOnce, ReadWriteOncePod]"),
      "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes",
    );
    assert.equal(
      asked(`${nfs}, volumeMode: Raw`),
      'spec.volumeMode: Unsupported value: "Raw": supported values: "Block", "Filesystem"',
    );
  });

  test("must not be recycled if it is the host's root", () => {
    const recycled = (path: string): string =>
      asked(`hostPath: { path: ${path} }, persistentVolumeReclaimPolicy: Recycle`);
    assert.equal(recycled("/a"), "accepted");
    for (const root of ["/", "//", "/./"]) {
      assert.equal(
        recycled(root),
        "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
      );
    }
    assert.match(recycled("/a/b/../.."), /may not be 'recycle' for a hostPath mount of '\/'$/);
    assert.equal(
      asked(`${nfs}, persistentVolumeReclaimPolicy: Keep`),
      'spec.persistentVolumeReclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Recycle", "Retain"',
    );
  });

  test("of a CSI driver must have a driver name, a handle and namespaces of its secrets", () => {
    assert.match(
      asked("csi: { driver: a b, volumeHandle: h }"),
      /^spec\.csi\.driver: Invalid value: "a b": a lowercase RFC 1123 subdomain must consist/,
    );
    assert.equal(
      asked("csi: { driver: '', volumeHandle: '' }"),
      "spec.csi.driver: Required value\nspec.csi.volumeHandle: Required value",
    );
    for (const secret of [
      "controllerPublishSecretRef",
      "controllerExpandSecretRef",
      "nodePublishSecretRef",
      "nodeExpandSecretRef",
    ]) {
      assert.equal(
        asked(`csi: { driver: a.b, volumeHandle: h, ${secret}: { name: a } }`),
        `spec.csi.${secret}.namespace: Required value`,
      );
    }
  });

  test("can have an attributes class only with a CSI driver", () => {
    assert.equal(asked(`${csi}, volumeAttributesClassName: gold`), "accepted");
    assert.equal(
      asked(`${nfs}, volumeAttributesClassName: gold`),
      "spec.csi: Required value: has to be specified when using volumeAttributesClassName",
    );
    assert.equal(
      asked(`${csi}, volumeAttributesClassName: ''`),
      "spec.volumeAttributesClassName: Required value: an empty string is disallowed",
    );
  });

  test("that is local must have node affinity and a path without '..'", () => {
    assert.equal(
      asked("local: { path: /a }"),
      "spec.nodeAffinity: Required value: Local volume requires node affinity",
    );
    assert.equal(
      asked(`local: { path: /a/../b }, ${on("a")}`),
      `spec.local.path: Invalid value: "/a/../b": must not contain '..'`,
    );
    assert.equal(
      asked(`${nfs}, nodeAffinity: {}`),
      "spec.nodeAffinity.required: Required value: must specify required node constraints",
    );
  });

  test("can have the old mount options annotation only if its source supports mount options", () => {
    const options = "volume.beta.kubernetes.io/mount-options: ro";
    assert.equal(asked(nfs, options), "accepted");
    assert.equal(
      asked("hostPath: { path: /a }", options),
      "metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type",
    );
  });

  const change = (from: string, to: string): string => refusal(replace(volume(from), volume(to)));

  test("keeps its source, but a secret for expansion can be added", () => {
    assert.equal(
      change(nfs, "nfs: { server: b, path: /a }"),
      `spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation
@@ -4,7 +4,7 @@
  "HostPath": null,
  "Glusterfs": null,
  "NFS": {
-  "Server": "a",
+  "Server": "b",
   "Path": "/a",
   "ReadOnly": false
  },
`,
    );
    const growing =
      "csi: { driver: a.b, volumeHandle: h, controllerExpandSecretRef: { name: a, namespace: b } }";
    assert.equal(change(csi, growing), "accepted");
    assert.match(change(growing, csi), /spec.persistentvolumesource is immutable/);
    // The secret that may be added is left out of the difference.
    const moved = change(csi, growing.replace("volumeHandle: h", "volumeHandle: i"));
    assert.deepEqual(moved.match(/^[-+] .*$/gm), [
      '-  "VolumeHandle": "h",',
      '+  "VolumeHandle": "i",',
    ]);
  });

  test("keeps its mode, and must not lose its attributes class", () => {
    assert.equal(
      change(nfs, `${nfs}, volumeMode: Block`),
      'volumeMode: Invalid value: "Block": field is immutable',
    );
    assert.equal(
      change(`${csi}, volumeAttributesClassName: gold`, csi),
      "spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden",
    );
  });

  test("keeps its node affinity, except for renaming beta labels", () => {
    const zone = "topology.kubernetes.io/zone";
    assert.equal(change(nfs, `${nfs}, ${on("a")}`), "accepted");
    assert.equal(
      change(`${nfs}, ${on("failure-domain.beta.kubernetes.io/zone")}`, `${nfs}, ${on(zone)}`),
      "accepted",
    );
    assert.equal(
      change(`${nfs}, ${on("a")}`, `${nfs}, ${on("b")}`),
      'nodeAffinity: Invalid value: {"Required":{"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"b","Operator":"In","Values":["a"]}],"MatchFields":null}]}}: field is immutable, except for updating from beta label to GA',
    );
    assert.equal(
      change(`${nfs}, ${on("a")}`, nfs),
      "nodeAffinity: Invalid value: null: field is immutable, except for updating from beta label to GA",
    );
  });
});

suite("Parameters", () => {
  const asked = (kind: string, driver: string, parameters: object): string =>
    refusal(
      create(
        `{ apiVersion: storage.k8s.io/v1, kind: ${kind}, metadata: { name: c }, ${driver}: a, parameters: ${JSON.stringify(parameters)} }`,
      ),
    );
  const many = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, "a"]));

  for (const [kind, driver] of [
    ["StorageClass", "provisioner"],
    ["VolumeAttributesClass", "driverName"],
  ] as const) {
    test(`of a ${kind} are limited to 512 and 256 KiB, and have names`, () => {
      assert.equal(asked(kind, driver, many(512)), "accepted");
      assert.equal(
        asked(kind, driver, many(513)),
        "parameters: Too long: may not be more than 512 bytes",
      );
      assert.equal(asked(kind, driver, { a: "a".repeat(262_143) }), "accepted");
      assert.equal(
        asked(kind, driver, { a: "a".repeat(262_144) }),
        "parameters: Too long: may not be more than 262144 bytes",
      );
      assert.equal(
        asked(kind, driver, { "": "a" }),
        'parameters: Invalid value: "": field can not be empty.',
      );
    });
  }
});

suite("A storage class", () => {
  const storageClass = (fields: string, provisioner = "a"): string => `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: ${provisioner}
${fields}`;

  test("keeps provisioner, parameters, reclaim policy and binding mode", () => {
    const change = (fields: string, provisioner?: string): string =>
      refusal(replace(storageClass(""), storageClass(fields, provisioner)));
    assert.equal(change("", "b"), 'provisioner: Invalid value: "b": field is immutable');
    assert.equal(
      change("parameters: { a: b }"),
      'parameters: Invalid value: {"a":"b"}: field is immutable',
    );
    assert.equal(
      change("reclaimPolicy: Retain"),
      'reclaimPolicy: Invalid value: "Retain": field is immutable',
    );
    assert.equal(
      change("volumeBindingMode: WaitForFirstConsumer"),
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    );
  });

  test("can change expansion, mount options and topologies", () => {
    for (const fields of [
      "allowVolumeExpansion: true",
      "mountOptions: [ro]",
      "allowedTopologies: [{ matchLabelExpressions: [{ key: zone, values: [a] }] }]",
    ])
      assert.equal(refusal(replace(storageClass(""), storageClass(fields))), "accepted");
  });

  test("must have known policies, and each zone once", () => {
    const asked = (fields: string): string => refusal(create(storageClass(fields)));
    assert.equal(
      asked("reclaimPolicy: Recycle"),
      'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
    );
    assert.equal(
      asked("volumeBindingMode: Late"),
      'volumeBindingMode: Unsupported value: "Late": supported values: "Immediate", "WaitForFirstConsumer"',
    );
    assert.equal(
      asked("parameters: { '': b }"),
      'parameters: Invalid value: "": field can not be empty.',
    );
    const zones = (...expressions: readonly string[]): string =>
      asked(`allowedTopologies: [{ matchLabelExpressions: [${expressions.join(", ")}] }]`);
    const at = "allowedTopologies[0].matchLabelExpressions";
    assert.equal(zones("{ key: zone, values: [] }"), `${at}[0].values: Required value`);
    assert.equal(
      zones("{ key: zone, values: [a, a] }"),
      `${at}[0].values[1]: Duplicate value: "a"`,
    );
    assert.equal(
      zones("{ key: zone, values: [a] }", "{ key: zone, values: [b] }"),
      `${at}[1].key: Duplicate value: "zone"`,
    );
  });
});

suite("An attributes class", () => {
  const attributes = (fields: string): string => `
apiVersion: storage.k8s.io/v1
kind: VolumeAttributesClass
metadata: { name: gold }
${fields}`;

  test("must have a driver and at least one parameter, and keeps both", () => {
    const gold = attributes("driverName: a.b\nparameters: { iops: '1' }");
    assert.equal(refusal(create(gold)), "accepted");
    assert.equal(
      refusal(create(attributes("driverName: ''"))),
      "driverName: Required value\nparameters: Required value: must contain at least one key/value pair",
    );
    assert.equal(
      refusal(replace(gold, gold.replace("a.b", "c.d"))),
      "driverName: Forbidden: updates to driverName are forbidden.",
    );
    assert.equal(
      refusal(replace(gold, gold.replace("'1'", "'2'"))),
      "parameters: Forbidden: updates to parameters are forbidden.",
    );
  });
});
