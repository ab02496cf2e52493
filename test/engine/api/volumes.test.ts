/** What the API server refuses of volumes, claims, classes and their use in pods, and what may change of them. */
import assert from "node:assert/strict";
import { clusterOf, create, field, refusal, replace } from "./answer.ts";

const pod = (container: string): string => `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  volumes:
    - { name: data, persistentVolumeClaim: { claimName: data } }
    - { name: tmp, emptyDir: {} }
    - name: own
      ephemeral:
        volumeClaimTemplate:
          spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  containers: [{ name: app, image: busybox, ${container} }]`;

const container = (fields: string): string =>
  refusal(create(pod(fields))).replaceAll("spec.containers[0].", "");
const mounts = (...list: readonly string[]): string => `volumeMounts: [${list.join(", ")}]`;
const devices = (...list: readonly string[]): string => `volumeDevices: [${list.join(", ")}]`;

suite("Mounts of a container", () => {
  test("name a volume of the pod", () => {
    assert.equal(
      container(mounts("{ name: other, mountPath: /a }")),
      'volumeMounts[0].name: Not found: "other"',
    );
    assert.equal(
      container(mounts("{ name: '', mountPath: /a }")),
      'volumeMounts[0].name: Required value\nvolumeMounts[0].name: Not found: ""',
    );
  });

  test("each have a path of their own, which no device has", () => {
    assert.equal(
      container(mounts("{ name: data, mountPath: '' }")),
      "volumeMounts[0].mountPath: Required value",
    );
    assert.equal(
      container(mounts("{ name: data, mountPath: /a }", "{ name: tmp, mountPath: /a }")),
      'volumeMounts[1].mountPath: Invalid value: "/a": must be unique',
    );
    assert.equal(
      container(
        `${mounts("{ name: tmp, mountPath: /a }")}, ${devices("{ name: data, devicePath: /a }")}`,
      ),
      [
        'volumeMounts[0].mountPath: Invalid value: "/a": must not already exist as a path in volumeDevices',
        'volumeDevices[0].devicePath: Invalid value: "/a": must not already exist as a path in volumeMounts',
      ].join("\n"),
    );
  });

  test("are of volumes that are no devices of the same container", () => {
    assert.equal(
      container(
        `${mounts("{ name: data, mountPath: /a }")}, ${devices("{ name: data, devicePath: /dev/a }")}`,
      ),
      [
        'volumeMounts[0].name: Invalid value: "data": must not already exist in volumeDevices',
        'volumeDevices[0].name: Invalid value: "data": must not already exist in volumeMounts',
      ].join("\n"),
    );
  });

  test("have one path below the volume's root, written out or made of variables", () => {
    const below = (path: string): string =>
      container(mounts(`{ name: tmp, mountPath: /a, ${path} }`));
    assert.equal(below("subPath: b/..c"), "accepted");
    assert.equal(
      below("subPath: ../b"),
      `volumeMounts.subPath: Invalid value: "../b": must not contain '..'`,
    );
    assert.equal(
      below("subPath: /b"),
      'volumeMounts.subPath: Invalid value: "/b": must be a relative path',
    );
    assert.equal(
      below("subPathExpr: ../b"),
      `volumeMounts.subPathExpr: Invalid value: "../b": must not contain '..'`,
    );
    assert.equal(
      below("subPath: b, subPathExpr: $(C)"),
      'volumeMounts[0].subPathExpr: Invalid value: "$(C)": subPathExpr and subPath are mutually exclusive',
    );
  });

  test("show the host what is mounted below them for privileged containers only", () => {
    const propagation = (mode: string): string =>
      mounts(`{ name: tmp, mountPath: /a, mountPropagation: ${mode} }`);
    assert.equal(container(propagation("HostToContainer")), "accepted");
    assert.equal(
      container(propagation("Both")),
      'volumeMounts.mountPropagation: Unsupported value: "Both": supported values: "Bidirectional", "HostToContainer", "None"',
    );
    assert.equal(
      container(propagation("Bidirectional")),
      "volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers",
    );
    assert.equal(
      container(`${propagation("Bidirectional")}, securityContext: { privileged: true }`),
      "accepted",
    );
  });

  test("are read-only all the way down only where they are read-only and alone", () => {
    const mode = (fields: string): string =>
      container(mounts(`{ name: tmp, mountPath: /a, ${fields} }`));
    assert.equal(mode("recursiveReadOnly: Disabled"), "accepted");
    assert.equal(
      mode("recursiveReadOnly: Sometimes"),
      'volumeMounts.recursiveReadOnly: Unsupported value: "Sometimes": supported values: "Disabled", "Enabled", "IfPossible"',
    );
    assert.equal(
      mode("recursiveReadOnly: Enabled"),
      "volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true",
    );
    const enabled = "readOnly: true, recursiveReadOnly: Enabled";
    assert.equal(mode(`${enabled}, mountPropagation: None`), "accepted");
    assert.equal(
      mode(`${enabled}, mountPropagation: HostToContainer`),
      "volumeMounts.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified",
    );
  });
});

suite("Devices of a container", () => {
  const device = (...list: readonly string[]): string => container(devices(...list));

  test("are claims, also those that the pod brings", () => {
    assert.equal(
      device("{ name: data, devicePath: /dev/a }", "{ name: own, devicePath: /dev/b }"),
      "accepted",
    );
    assert.equal(
      device("{ name: tmp, devicePath: /dev/a }"),
      'volumeDevices[0].name: Invalid value: "tmp": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
    );
    assert.equal(
      device("{ name: other, devicePath: /dev/a }"),
      'volumeDevices[0].name: Not found: "other"',
    );
    assert.equal(
      device("{ name: '', devicePath: /dev/a }"),
      'volumeDevices[0].name: Required value\nvolumeDevices[0].name: Not found: ""',
    );
  });

  test("each have a volume and a path of their own", () => {
    assert.equal(
      device("{ name: data, devicePath: /dev/a }", "{ name: data, devicePath: /dev/b }"),
      'volumeDevices[1].name: Invalid value: "data": must be unique',
    );
    assert.equal(
      device("{ name: data, devicePath: /dev/a }", "{ name: own, devicePath: /dev/a }"),
      'volumeDevices[1].devicePath: Invalid value: "/dev/a": must be unique',
    );
    assert.equal(
      device("{ name: data, devicePath: '' }"),
      "volumeDevices[0].devicePath: Required value",
    );
    assert.equal(
      device("{ name: data, devicePath: /dev/../a }"),
      `volumeDevices[0].devicePath: Invalid value: "/dev/../a": can not contain backsteps ('..')`,
    );
  });
});

const podVolume = (source: string): string =>
  refusal(
    create(`
apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: app, image: busybox }], volumes: [{ name: data, ${source} }] }`),
  ).replaceAll("spec.volumes[0].", "");

suite("Volumes of a pod", () => {
  const item = (path: string, more = ""): string =>
    `{ path: ${path}, fieldRef: { fieldPath: metadata.name }${more} }`;

  test("have one source, or are empty directories", () => {
    assert.equal(podVolume(""), "accepted");
    assert.equal(
      podVolume("emptyDir: {}, hostPath: { path: /a }"),
      "hostPath: Forbidden: may not specify more than 1 volume type",
    );
  });

  test("each have a name that is a label, and one size at most of zero or more", () => {
    const named = (...names: readonly string[]): string =>
      refusal(
        create(`
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: app, image: busybox }]
  volumes: [${names.map((name) => `{ name: "${name}", emptyDir: {} }`).join(", ")}]`),
      );
    assert.equal(named(""), "spec.volumes[0].name: Required value");
    assert.match(named("a.b"), /^spec\.volumes\[0\]\.name: Invalid value: "a\.b": /);
    assert.equal(named("a", "b", "a"), 'spec.volumes[2].name: Duplicate value: "a"');
    assert.equal(podVolume("emptyDir: { sizeLimit: 0 }"), "accepted");
    assert.equal(
      podVolume("emptyDir: { sizeLimit: -1 }"),
      "emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity",
    );
  });

  test("name no claim that the pod itself brings", () => {
    assert.equal(
      podVolume("persistentVolumeClaim: { claimName: '' }"),
      "persistentVolumeClaim.claimName: Required value",
    );
    const own = pod("").replace("claimName: data", "claimName: web-own");
    assert.equal(
      refusal(create(own)),
      'spec.volumes[0].persistentVolumeClaim.claimName: Invalid value: "web-own": must not reference a PVC that gets created for an ephemeral volume',
    );
  });

  test("that the pod brings have a template without a name, and the spec of a claim", () => {
    assert.equal(podVolume("ephemeral: {}"), "ephemeral.volumeClaimTemplate: Required value");
    const template = (metadata: string, modes: string): string =>
      podVolume(
        `ephemeral: { volumeClaimTemplate: { metadata: ${metadata}, spec: { accessModes: ${modes}, resources: { requests: { storage: 1Gi } } } } }`,
      );
    assert.equal(template("{ labels: { a: b } }", "[ReadWriteOnce]"), "accepted");
    assert.equal(
      template("{ name: x }", "[ReadWriteOnce]"),
      "ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set",
    );
    assert.equal(
      template("{}", "[]"),
      "ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required",
    );
  });

  test("of a driver name the driver, and a secret by its name alone", () => {
    assert.equal(podVolume("csi: { driver: '' }"), "csi.driver: Required value");
    assert.equal(
      podVolume("csi: { driver: a.b, nodePublishSecretRef: {} }"),
      "csi.nodePublishSecretRef.name: Required value",
    );
  });

  test("of the host are below its root, of a type that is known", () => {
    assert.equal(podVolume("hostPath: { path: '' }"), "hostPath.path: Required value");
    assert.equal(
      podVolume("hostPath: { path: /a/../b }"),
      `hostPath.path: Invalid value: "/a/../b": must not contain '..'`,
    );
    assert.equal(
      podVolume("hostPath: { path: /a, type: Pipe }"),
      'hostPath.type: Unsupported value: "Pipe": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
    );
  });

  test("put files below themselves, with a mode of nine bits", () => {
    assert.equal(
      podVolume("secret: { secretName: a, items: [{ key: k, path: /p }] }"),
      'secret.items[0].path: Invalid value: "/p": must be a relative path',
    );
    assert.equal(
      podVolume("configMap: { name: a, items: [{ key: '', path: p }] }"),
      "configMap.items[0].key: Required value",
    );
    assert.equal(podVolume("configMap: { name: a, defaultMode: 511 }"), "accepted");
    assert.equal(
      podVolume("configMap: { name: a, defaultMode: 512 }"),
      "configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive",
    );
  });

  test("tell of the pod one thing in each file", () => {
    const files = (...items: readonly string[]): string =>
      podVolume(`downwardAPI: { items: [${items.join(", ")}] }`);
    assert.equal(files(item("a/..b")), "accepted");
    assert.equal(
      files(item("../a")),
      `downwardAPI.path: Invalid value: "../a": must not contain '..'`,
    );
    assert.equal(
      files(item("..a")),
      `downwardAPI.path: Invalid value: "..a": must not start with '..'`,
    );
    assert.equal(
      files("{ path: a }"),
      "downwardAPI: Required value: one of fieldRef and resourceFieldRef is required",
    );
    assert.equal(
      files(item("a", ", resourceFieldRef: { containerName: app, resource: limits.cpu }")),
      'downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously',
    );
  });

  test("that are put together have one thing in each source, and no file twice", () => {
    const sources = (...list: readonly string[]): string =>
      podVolume(`projected: { sources: [${list.join(", ")}] }`);
    const secret = "{ secret: { name: a, items: [{ key: k, path: p }] } }";
    assert.equal(
      sources("{ secret: { name: a }, configMap: { name: b } }"),
      "projected.sources[0]: Forbidden: may not specify more than 1 volume type per source",
    );
    assert.equal(
      sources(secret, "{ configMap: { name: b, items: [{ key: k, path: p }] } }"),
      'projected: Invalid value: "b": conflicting duplicate paths',
    );
    assert.equal(
      sources(secret, `{ downwardAPI: { items: [${item("p")}] } }`),
      'projected: Invalid value: "p": conflicting duplicate paths',
    );
    assert.equal(sources(secret, `{ downwardAPI: { items: [${item("q")}] } }`), "accepted");
  });

  test("hold tokens of at least ten minutes", () => {
    const token = (fields: string): string =>
      podVolume(`projected: { sources: [{ serviceAccountToken: { ${fields} } }] }`);
    const at = "projected.sources[0].serviceAccountToken.expirationSeconds";
    assert.equal(token("path: t, expirationSeconds: 600"), "accepted");
    assert.equal(
      token("path: t, expirationSeconds: 599"),
      `${at}: Invalid value: 599: may not specify a duration less than 10 minutes`,
    );
    assert.equal(
      token("path: t, expirationSeconds: 4294967297"),
      `${at}: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds`,
    );
    assert.equal(token("path: ''"), "projected.path: Required value");
  });

  test("of networks say which share or which disk", () => {
    const disk = (fields: string): string =>
      podVolume(`iscsi: { targetPortal: 10.0.0.1, iqn: iqn.2026-01.a:b, lun: 0, ${fields} }`);
    assert.equal(
      podVolume("nfs: { server: '', path: a }"),
      'nfs.server: Required value\nnfs.path: Invalid value: "a": must be an absolute path',
    );
    assert.equal(disk(""), "accepted");
    assert.equal(
      podVolume("iscsi: { targetPortal: 10.0.0.1, iqn: bad, lun: 0 }"),
      'iscsi.iqn: Invalid value: "bad": must be valid format starting with iqn, eui, or naa',
    );
    assert.equal(
      podVolume("iscsi: { targetPortal: 10.0.0.1, iqn: eui.12, lun: 256 }"),
      'iscsi.iqn: Invalid value: "eui.12": must be valid format\niscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
    );
    assert.equal(disk("chapAuthSession: true"), "iscsi.secretRef: Required value");
    assert.equal(
      podVolume("fc: { targetWWNs: [a] }"),
      "fc.lun: Required value: lun is required if targetWWNs is specified",
    );
    assert.equal(
      podVolume("fc: { targetWWNs: [a], wwids: [b], lun: 1 }"),
      'fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously',
    );
  });
});

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

  test("has one source", () => {
    assert.equal(asked(""), "spec: Required value: must specify a volume type");
    assert.equal(
      asked(`${nfs}, hostPath: { path: /a }`),
      "spec.nfs: Forbidden: may not specify more than 1 volume type",
    );
  });

  test("has a size above zero and nothing else for its capacity", () => {
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

  test("has modes that are known, and that of one pod alone", () => {
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

  test("that is a host's root is not recycled", () => {
    const recycled = (path: string): string =>
      asked(`hostPath: { path: ${path} }, persistentVolumeReclaimPolicy: Recycle`);
    assert.equal(recycled("/a"), "accepted");
    for (const root of ["/", "//", "/./"]) {
      assert.equal(
        recycled(root),
        "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
      );
    }
    assert.equal(
      asked(`${nfs}, persistentVolumeReclaimPolicy: Keep`),
      'spec.persistentVolumeReclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Recycle", "Retain"',
    );
  });

  test("of a driver names the driver, its handle and the namespace of each secret", () => {
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

  test("has an attributes class only where a driver can know it", () => {
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

  test("that is local says which nodes have it, and where below their root", () => {
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

  test("has mount options in the old annotation only where its source takes any", () => {
    const options = "volume.beta.kubernetes.io/mount-options: ro";
    assert.equal(asked(nfs, options), "accepted");
    assert.equal(
      asked("hostPath: { path: /a }", options),
      "metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type",
    );
  });

  const change = (from: string, to: string): string => refusal(replace(volume(from), volume(to)));

  test("keeps its source, but for a secret for growth that is added", () => {
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
  });

  test("keeps its mode, and an attributes class once it has one", () => {
    assert.equal(
      change(nfs, `${nfs}, volumeMode: Block`),
      'volumeMode: Invalid value: "Block": field is immutable',
    );
    assert.equal(
      change(`${csi}, volumeAttributesClassName: gold`, csi),
      "spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden",
    );
  });

  test("keeps the nodes that reach it, but may learn the present name of a label", () => {
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

suite("What may change of a claim", () => {
  const annotation = "volume.beta.kubernetes.io/storage-class";
  const claim = (spec: string, className?: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  namespace: default
  annotations: { ${className === undefined ? "" : `${annotation}: ${className}`} }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, ${spec} }`;
  const refused = (from: string, to: string): readonly string[] => {
    const causes = refusal(replace(from, to)).matchAll(/^([\w./-]+): (?:Forbidden|Invalid)/gm);
    return [...causes].map(([, path = ""]) => path);
  };

  test("the volume and the class, while it has none", () => {
    const late = replace(claim(""), claim("volumeName: disk, storageClassName: gold"));
    assert.equal(field(late, "spec.volumeName"), "disk");
    assert.equal(field(late, "spec.storageClassName"), "gold");
    assert.deepEqual(refused(claim("volumeName: disk"), claim("volumeName: other")), ["spec"]);
    assert.deepEqual(refused(claim("storageClassName: gold"), claim("storageClassName: slow")), [
      "spec",
    ]);
  });

  test("its size once it is bound, down to what is asked for or just above what is there", () => {
    const cluster = clusterOf(
      "[{ apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: fast }, provisioner: a, allowVolumeExpansion: true }]",
    );
    const sized = (size: string): string => claim("storageClassName: fast").replace("1Gi", size);
    const resized = (from: string, to: string, status: unknown): string =>
      refusal(replace(sized(from), sized(to), status, cluster));
    const bound = { phase: "Bound", capacity: { storage: "2Gi" } };
    const tooSmall =
      "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity";
    assert.equal(resized("2Gi", "3Gi", bound), "accepted");
    assert.equal(resized("5Gi", "3Gi", bound), "accepted");
    assert.equal(resized("5Gi", "2Gi", bound), tooSmall);
    assert.equal(resized("2Gi", "1Gi", bound), tooSmall);
    assert.match(
      resized("2Gi", "3Gi", { phase: "Pending" }),
      /^spec: Forbidden: spec is immutable after creation except resources.requests and/,
    );
  });

  test("its attributes class once it is bound, but not to none when it has one", () => {
    const [gold, slow, none] = ["gold", "slow", '""'].map((name) =>
      claim(`volumeAttributesClassName: ${name}`),
    ) as [string, string, string];
    const wish = { phase: "Bound" };
    const has = { phase: "Bound", currentVolumeAttributesClassName: "gold" };
    const path = "spec.volumeAttributesClassName";
    assert.equal(refusal(replace(gold, slow, has)), "accepted");
    assert.equal(refusal(replace(claim(""), gold, wish)), "accepted");
    assert.equal(
      refusal(replace(gold, none, has)),
      `${path}: Forbidden: update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil`,
    );
    assert.equal(
      refusal(replace(gold, claim(""), has)),
      `${path}: Forbidden: update to nil is forbidden when status.currentVolumeAttributesClassName is not nil`,
    );
    assert.equal(refusal(replace(gold, none, wish)), "accepted");
  });

  test("not its volume mode", () => {
    assert.deepEqual(refused(claim(""), claim("volumeMode: Block")), ["spec", "volumeMode"]);
  });

  test("the old class annotation, only by way of the field and to the same class", () => {
    assert.equal(
      refusal(replace(claim("", "gold"), claim("", "slow"))),
      `metadata.annotations.${annotation}: Invalid value: "slow": field is immutable`,
    );
    assert.equal(
      refusal(replace(claim("", "gold"), claim(""))),
      `metadata.annotations.${annotation}: Invalid value: "": field is immutable`,
    );
    for (const kept of [undefined, "gold"]) {
      assert.deepEqual(
        refused(claim("", "gold"), claim("storageClassName: gold", kept)),
        [],
        `annotation after: ${kept}`,
      );
    }
    const path = `metadata.annotations.${annotation}`;
    assert.deepEqual(refused(claim("", "gold"), claim("storageClassName: slow")), [path, "spec"]);
    assert.deepEqual(refused(claim(""), claim("storageClassName: slow", "gold")), [path]);
  });
});

suite("A class", () => {
  const storageClass = (fields: string, provisioner = "a"): string => `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: ${provisioner}
${fields}`;

  test("keeps who provisions, how, and what becomes of volumes", () => {
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

  test("may begin to allow growth, mount options and other topologies", () => {
    for (const fields of [
      "allowVolumeExpansion: true",
      "mountOptions: [ro]",
      "allowedTopologies: [{ matchLabelExpressions: [{ key: zone, values: [a] }] }]",
    ])
      assert.equal(refusal(replace(storageClass(""), storageClass(fields))), "accepted");
  });

  test("names its policies as they are called, and each zone once", () => {
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

  test("names its driver and at least one parameter, and keeps both", () => {
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
