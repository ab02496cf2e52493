/** Validation of a pod's volumes, and of their mounts and devices. */
import assert from "node:assert/strict";
import { create, refusal } from "./answer.ts";

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

suite("A container's mounts", () => {
  test("must name a volume of the pod", () => {
    assert.equal(
      container(mounts("{ name: other, mountPath: /a }")),
      'volumeMounts[0].name: Not found: "other"',
    );
    assert.equal(
      container(mounts("{ name: '', mountPath: /a }")),
      'volumeMounts[0].name: Required value\nvolumeMounts[0].name: Not found: ""',
    );
  });

  test("must have unique paths, also among devices", () => {
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

  test("are compared with devices by the last path of each volume", () => {
    const twice = mounts("{ name: tmp, mountPath: /a }", "{ name: tmp, mountPath: /b }");
    assert.equal(
      container(`${twice}, ${devices("{ name: data, devicePath: /b }")}`),
      [
        'volumeMounts[1].mountPath: Invalid value: "/b": must not already exist as a path in volumeDevices',
        'volumeDevices[0].devicePath: Invalid value: "/b": must not already exist as a path in volumeMounts',
      ].join("\n"),
    );
    assert.equal(
      container(`${twice}, ${devices("{ name: data, devicePath: /a }")}`),
      'volumeMounts[0].mountPath: Invalid value: "/a": must not already exist as a path in volumeDevices',
    );
  });

  test("must not have a volume that is also a device", () => {
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

  test("must have a subPath within the volume, or an expression, not both", () => {
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

  test("may be Bidirectional in privileged containers only", () => {
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

  test("may be recursively read-only only if they are read-only and not propagated", () => {
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

suite("A container's devices", () => {
  const device = (...list: readonly string[]): string => container(devices(...list));

  test("must be claims, or ephemeral volumes", () => {
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

  test("must have unique volumes and unique paths", () => {
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

suite("A pod's volumes", () => {
  const item = (path: string, more = ""): string =>
    `{ path: ${path}, fieldRef: { fieldPath: metadata.name }${more} }`;

  test("must have one source, or become emptyDirs", () => {
    assert.equal(podVolume(""), "accepted");
    assert.equal(
      podVolume("emptyDir: {}, hostPath: { path: /a }"),
      "hostPath: Forbidden: may not specify more than 1 volume type",
    );
  });

  test("must have unique labels as names, and no negative sizeLimit", () => {
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

  test("must not use the claim of an ephemeral volume", () => {
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

  test("must have a valid claim template without a name if they are ephemeral", () => {
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

  test("must name a driver, and a secret by name, if they are inline CSI volumes", () => {
    assert.equal(podVolume("csi: { driver: '' }"), "csi.driver: Required value");
    assert.equal(
      podVolume("csi: { driver: a.b, nodePublishSecretRef: {} }"),
      "csi.nodePublishSecretRef.name: Required value",
    );
  });

  test("must have a hostPath without '..' and of a known type", () => {
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

  test("must keep files within the volume, with a mode of nine bits", () => {
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

  test("must have exactly one field for each downwardAPI file", () => {
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

  test("must have one kind of source for each projection, and no file twice", () => {
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

  test("must have projected tokens of at least ten minutes", () => {
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

  test("must name a share or a disk if they are network volumes", () => {
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
    // Upstream: validateQuobyteVolumeSource, and the length in validateVolumes; both count bytes, as Go's len does.
    const tenant = "quobyte.tenant: Required value";
    assert.equal(
      podVolume(`quobyte: { registry: "a:1", volume: v, tenant: ${"é".repeat(33)} }`),
      `${tenant}: must be a UUID and may not exceed a length of 64 characters`,
    );
    const portal = "é".repeat(30);
    assert.equal(
      podVolume(
        `iscsi: { targetPortal: ${portal}, iqn: iqn.2026-01.a:b, lun: 0, initiatorName: iqn.2026-01.a:b }`,
      ),
      'name: Invalid value: "data": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
    );
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
