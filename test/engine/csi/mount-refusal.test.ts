/** What the drivers of the catalogue refuse to attach and mount, with the exact text. */
import assert from "node:assert/strict";
import { Backend } from "../../../src/engine/csi/backend.ts";
import { knownDriver } from "../../../src/engine/csi/catalogue/catalogue.ts";
import { controllerService } from "../../../src/engine/csi/controller-service.ts";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import {
  type CsiRequest,
  strippedSecrets,
  type VolumeCapability,
} from "../../../src/engine/csi/messages.ts";
import { nodeService } from "../../../src/engine/csi/node-service.ts";
import { toResult } from "../../../src/engine/csi/rpc.ts";
import { filesOf, manyReaders, manyWriters, nodes, sharedBlock, writer } from "./create-volume.ts";

type Attributes = Readonly<Record<string, string>>;

function backendOf(driver: string): Backend {
  const { traits } = knownDriver(driver) ?? assert.fail(driver);
  return new Backend(driverProfile({ ...traits, name: driver }), nodes);
}

function attach(
  driver: string,
  volume_id: string,
  backend: Backend = backendOf(driver),
  volume_context: Attributes = {},
): string {
  const request = { volume_id, node_id: "n1", volume_capability: writer, volume_context };
  const answer = controllerService["ControllerPublishVolume"]?.(backend, request, 0) ?? {};
  const { code, message } = toResult(answer);
  return `${code} ${message}`;
}

/** Calls NodeStageVolume, if the driver has it, and NodePublishVolume; returns the first refusal after its call, or OK. */
function mount(driver: string, capability: VolumeCapability, more: CsiRequest = {}): string {
  const backend = backendOf(driver);
  const isInline = more.volume_context?.["csi.storage.k8s.io/ephemeral"] === "true";
  const stages = backend.profile.stageUnstage && !isInline;
  const request = {
    volume_id: "vol-1",
    staging_target_path: "/staging",
    target_path: "/target",
    volume_capability: capability,
    ...more,
  };
  for (const call of [...(stages ? ["NodeStageVolume"] : []), "NodePublishVolume"]) {
    const { code, message } = toResult(nodeService[call]?.(backend, "n1", request) ?? {});
    if (code !== "OK") return `${call} ${code} ${message}`;
  }
  return "OK";
}

function byHand(driver: string, attributes: Attributes, more: CsiRequest = {}): string {
  return mount(driver, manyWriters, { volume_context: attributes, ...more });
}

function inline(driver: string, attributes: Attributes = {}, more: CsiRequest = {}): string {
  const volume_context = { "csi.storage.k8s.io/ephemeral": "true", ...attributes };
  return mount(driver, writer, { volume_context, ...more });
}

suite("a driver that checks what it is to attach or mount", () => {
  test("EFS reads file system, path and access point from the handle", () => {
    const handle = (volume_id: string): string => byHand("efs.csi.aws.com", {}, { volume_id });
    const invalid = "NodePublishVolume InvalidArgument volume ID";
    for (const good of [
      "fs-1",
      "fs-1:",
      "fs-1::",
      "fs-1:/data",
      "fs-1:data:fsap-2",
      "fs-1::fsap-2",
    ])
      assert.equal(handle(good), "OK", good);
    for (const newer of ["efs:fs-1", "efs:fs-1:/data", "s3files:fs-1::fsap-2"])
      assert.equal(handle(newer), "OK", newer);
    assert.equal(
      handle("data"),
      `${invalid} 'data' is invalid: Expected a file system ID of the form 'fs-...'`,
    );
    assert.equal(
      handle("fs-1:a:fsap-2:c"),
      `${invalid} 'fs-1:a:fsap-2:c' is invalid: Expected at most three fields separated by ':'`,
    );
    assert.equal(
      handle("fs-1::ap-2"),
      `${invalid} 'fs-1::ap-2' has an invalid access point ID 'ap-2': Expected it to be of the form 'fsap-...'`,
    );
  });

  test("EFS refuses unknown attributes; it checks the access mode before them and the handle after them", () => {
    const refused = "NodePublishVolume InvalidArgument";
    const efs = (attributes: Attributes, use = manyWriters, volume_id = "fs-1"): string =>
      mount("efs.csi.aws.com", use, { volume_context: attributes, volume_id });
    const provisioned = { "storage.kubernetes.io/csiProvisionerIdentity": "1-2-efs.csi.aws.com" };
    assert.equal(efs({ ...provisioned, encryptInTransit: "true", path: "/data" }), "OK");
    assert.equal(
      efs({ subPath: "/a" }, manyWriters, "data"),
      `${refused} Volume context property subPath not supported.`,
    );
    for (const path of ["data", ""])
      assert.equal(
        efs({ path }),
        `${refused} Volume context property "path" must be an absolute path`,
      );
    assert.equal(
      efs({ encryptInTransit: "yes" }),
      `${refused} Volume context property "encryptInTransit" must be a boolean value: strconv.ParseBool: parsing "yes": invalid syntax`,
    );
    assert.equal(
      efs({ subPath: "/a" }, manyReaders),
      `${refused} Volume capability not supported: invalid access mode: MULTI_NODE_READER_ONLY`,
    );
    assert.equal(
      efs({}, sharedBlock),
      `${refused} Volume capability not supported: only filesystem volumes are supported`,
    );
    const withTls = {
      mount: { mount_flags: ["tls"] },
      access_mode: { mode: "SINGLE_NODE_WRITER" },
    };
    assert.equal(efs({ encryptInTransit: "true" }, withTls), "OK");
    assert.equal(
      efs({ encryptInTransit: "false" }, withTls),
      `${refused} Found tls in mountOptions but encryptInTransit is false`,
    );
  });

  test("static volumes of shares need attributes that say where the share is", () => {
    const nfs = (attributes: Attributes): string => byHand("nfs.csi.k8s.io", attributes);
    const refused = "NodePublishVolume InvalidArgument";
    assert.equal(nfs({ share: "/a" }), `${refused} server is a required parameter`);
    assert.equal(nfs({ server: "s" }), `${refused} share is a required parameter`);
    assert.equal(
      nfs({ server: "s", share: "/a", mountPermissions: "0o777" }),
      `${refused} invalid mountPermissions 0o777`,
    );
    assert.equal(nfs({ Server: "s", share: "/a", mountPermissions: "0777" }), "OK");
    assert.equal(
      byHand("smb.csi.k8s.io", { src: "//s/a", b: "c" }),
      "NodeStageVolume InvalidArgument source field is missing, current context: map[b:c src://s/a]",
    );
    assert.equal(byHand("smb.csi.k8s.io", { Source: "//s/a" }), "OK");
    assert.equal(
      byHand("filestore.csi.storage.gke.io", { ip: "10.0.0.2" }),
      "NodeStageVolume InvalidArgument volume attribute key volume not set",
    );
    assert.equal(
      mount("nfs.manila.csi.openstack.org", manyWriters, { secrets: strippedSecrets }),
      "NodeStageVolume InvalidArgument volume context cannot be nil or empty",
    );
  });

  test("Ceph stages nothing without a secret, and lets only one node write to an image with a file system", () => {
    const noSecret = "NodeStageVolume InvalidArgument stage secrets cannot be nil or empty";
    for (const driver of ["rbd", "cephfs"].map((type) => `rook-ceph.${type}.csi.ceph.com`)) {
      assert.equal(mount(driver, writer), noSecret);
      assert.equal(mount(driver, writer, { secrets: strippedSecrets }), "OK");
    }
    const rbd = (use: VolumeCapability): string =>
      mount("rbd.csi.ceph.com", use, { secrets: strippedSecrets });
    assert.equal(
      rbd(manyWriters),
      "NodeStageVolume InvalidArgument rbd: RWX access mode request is only valid for volumes with access type `block`",
    );
    assert.equal(rbd(sharedBlock), "OK");
    assert.equal(rbd(manyReaders), "OK");
    // It logs in before it checks the access mode.
    assert.equal(
      mount("rbd.csi.ceph.com", manyWriters, { secrets: ["userID"] }),
      "NodeStageVolume InvalidArgument missing key field 'userKey' in secrets",
    );
  });

  test("inline volumes of secrets need a SecretProviderClass, and all such volumes must be read-only", () => {
    const refused = "NodePublishVolume";
    const secrets = (attributes: Attributes, more: CsiRequest = {}): string =>
      inline("secrets-store.csi.k8s.io", attributes, more);
    const attributes = { secretProviderClass: "keys" };
    assert.equal(secrets({}), `${refused} Unknown secretProviderClass is not set`);
    assert.equal(secrets(attributes), `${refused} InvalidArgument Readonly is not true in request`);
    assert.equal(secrets(attributes, { readonly: true }), "OK");
    for (const driver of ["csi.cert-manager.io", "csi.spiffe.io"]) {
      assert.equal(
        inline(driver),
        `${refused} InvalidArgument pod.spec.volumes[].csi.readOnly must be set to 'true'`,
      );
      assert.equal(inline(driver, {}, { readonly: true }), "OK");
    }
  });

  test("Cloud Storage FUSE requires a bucket's name in inline volumes, and checks the types of attributes", () => {
    const bucket = (attributes: Attributes): string =>
      byHand("gcsfuse.csi.storage.gke.io", attributes);
    const refused = "NodePublishVolume InvalidArgument";
    assert.equal(
      inline("gcsfuse.csi.storage.gke.io"),
      `${refused} NodePublishVolume VolumeContext "bucketName" must be provided for ephemeral storage`,
    );
    assert.equal(inline("gcsfuse.csi.storage.gke.io", { bucketName: "b" }), "OK");
    assert.equal(bucket({}), "OK");
    assert.equal(
      bucket({ skipCSIBucketAccessCheck: "yes" }),
      `${refused} volume attribute skipCSIBucketAccessCheck only accepts a valid bool value, got "yes"`,
    );
    assert.equal(
      bucket({ metadataCacheTTLSeconds: "1h" }),
      `${refused} volume attribute metadataCacheTTLSeconds only accepts a valid int value, got "1h"`,
    );
    assert.match(
      bucket({ fileCacheCapacity: "ten" }),
      /volume attribute fileCacheCapacity only accepts a valid Quantity value, got "ten", error: quantities must match/,
    );
    assert.equal(bucket({ fileCacheCapacity: "10Gi", metadataCacheTTLSeconds: "-1" }), "OK");
    assert.equal(
      mount("gcsfuse.csi.storage.gke.io", sharedBlock),
      `${refused} driver only supports mount access type volume capability`,
    );
  });

  test("Blob requires a container's name in inline volumes, and checks modes and fsGroup change policies", () => {
    const blob = "blob.csi.azure.com";
    const container = { containerName: "data" };
    const inlineWords = "NodePublishVolume InvalidArgument";
    assert.equal(inline(blob, container), "OK");
    assert.equal(
      inline(blob, { secretName: "account" }),
      `${inlineWords} NodeStageVolume: containerName must be specified for ephemeral volumes`,
    );
    assert.equal(byHand(blob, {}), "OK");
    const wrong = { fsGroupChangePolicy: "Never", mountPermissions: "0888" };
    const mode = "InvalidArgument invalid mountPermissions 0888";
    assert.equal(byHand(blob, { ...container, ...wrong }), `NodeStageVolume ${mode}`);
    assert.equal(inline(blob, { ...container, ...wrong }), `NodePublishVolume ${mode}`);
    const group =
      "InvalidArgument fsGroupChangePolicy(Never) is not supported, supported fsGroupChangePolicy list: [None Always OnRootMismatch]";
    const { fsGroupChangePolicy } = wrong;
    assert.equal(byHand(blob, { fsGroupChangePolicy }), `NodeStageVolume ${group}`);
    assert.equal(inline(blob, { ...container, fsGroupChangePolicy }), `NodePublishVolume ${group}`);
  });

  test("OSS requires a bucket and an endpoint without the bucket's name, and checks its options", () => {
    const driver = "ossplugin.csi.alibabacloud.com";
    const oss = (attributes: Attributes): string => {
      const attached = attach(driver, "data", undefined, attributes);
      return attached === "OK " ? byHand(driver, attributes) : attached;
    };
    const refused = "InvalidArgument OSS";
    const bucket = { bucket: "data", url: "oss-cn-hangzhou.aliyuncs.com" };
    for (const url of [bucket.url, `https://${bucket.url}`, "data.example.org", "data2.a.b.c.d"])
      assert.equal(oss({ Bucket: "data", url, path: "/a" }), "OK");
    assert.equal(oss({ url: bucket.url }), `${refused} parameters error: Url/Bucket empty`);
    assert.equal(oss({ containerNetworkFileSystem: "data" }), "OK");
    assert.equal(oss({ runtimeClass: "rund" }), "OK");
    const invalid = (url: string): string =>
      `${refused} url error: url is invalid, ${url} is a bucket domain name, please use endpoint instead`;
    const own = "data.oss-cn-hangzhou.aliyuncs.com";
    const inner = "data.oss-cn-hangzhou-internal.aliyuncs.com";
    assert.equal(oss({ ...bucket, url: own }), invalid(`https://${own}`));
    assert.equal(oss({ ...bucket, url: inner }), invalid(`http://${inner}`));
    assert.equal(oss({ ...bucket, url: `http://${own}` }), invalid(`http://${own}`));
    assert.equal(
      oss({ ...bucket, path: "a" }),
      `${refused} path error: start with a, should start with /`,
    );
    assert.equal(oss({ ...bucket, path: "a", fuseType: "OSSFS2" }), "OK");
    assert.equal(
      oss({ ...bucket, fuseType: "s3fs" }),
      `${refused} parameters error: Unsupported fuseType s3fs`,
    );
    assert.equal(oss({ ...bucket, encrypted: "AES256" }), "OK");
    assert.equal(
      oss({ ...bucket, encrypted: "true" }),
      `${refused} encrypted error: invalid SSE encrypted type`,
    );
    assert.equal(
      oss({ ...bucket, encrypted: "kms", fuseType: "ossfs2" }),
      `${refused} encrypted error: ossfs2 does not support encryption`,
    );
    assert.equal(
      oss({ ...bucket, recovery: "true" }),
      `${refused} parameters error: ossfs does not support recovery`,
    );
    assert.equal(
      oss({ ...bucket, bucketSpace: "s" }),
      `${refused} parameters error: agenticBucket/bucketSpace/bucketSpacePrefix and bucket are mutually exclusive`,
    );
    assert.equal(
      oss({ ...bucket, authType: "csi-secret-store" }),
      `${refused} authorization error: ossfs: use CsiSecretStore but secretProviderClass is empty`,
    );
    for (const otherOpts of ["-o allow_other -o umask=022", "-oallow_other,umask=022 -o"])
      assert.equal(oss({ ...bucket, otherOpts }), "OK");
    for (const otherOpts of ["allow_other,umask=022", "-o allow_other umask=022"])
      assert.equal(
        oss({ ...bucket, otherOpts }),
        `NodePublishVolume InvalidArgument rpc error: code = InvalidArgument desc = invalid otherOpts: "${otherOpts}"`,
      );
    for (const elsewhere of [{ directAssigned: "true" }, { runtimeClass: "rund" }])
      for (const wrong of [
        { url: own },
        { path: "a" },
        { fuseType: "s3fs" },
        { encrypted: "true" },
        { encrypted: "kms", fuseType: "ossfs2" },
        { recovery: "true" },
        { authType: "csi-secret-store" },
        { otherOpts: "allow_other" },
      ])
        assert.equal(oss({ ...bucket, ...wrong, ...elsewhere }), "OK", JSON.stringify(wrong));
  });

  test("Alibaba's NAS requires absolute paths, and sets no mode on the root directory", () => {
    const nas = (attributes: Attributes): string =>
      byHand("nasplugin.csi.alibabacloud.com", {
        server: "a.cn-hangzhou.nas.aliyuncs.com",
        ...attributes,
      });
    const refused = "NodePublishVolume Unknown";
    for (const attributes of [{}, { path: "/" }, { path: "/a", mode: "0755" }])
      assert.equal(nas(attributes), "OK");
    assert.equal(nas({ path: "a" }), `${refused} the path format is illegal`);
    for (const path of ["/", ""])
      assert.equal(
        nas({ path, mode: "0755" }),
        `${refused} NAS: root directory cannot set mode: 0755`,
      );
    assert.equal(
      nas({ path: "/a", loopImageSize: "1Gi" }),
      'NodePublishVolume InvalidArgument invalid loopImageSize: "1Gi"',
    );
  });

  test("S3 requires a bucket's name, and checks the access mode after that", () => {
    const refused = "NodePublishVolume InvalidArgument";
    assert.equal(mount("s3.csi.aws.com", writer), `${refused} Bucket name not provided`);
    const volume_context = { bucketName: "b" };
    assert.equal(
      mount("s3.csi.aws.com", filesOf("SINGLE_NODE_SINGLE_WRITER"), { volume_context }),
      `${refused} Volume capability not supported`,
    );
    assert.equal(byHand("s3.csi.aws.com", volume_context), "OK");
  });

  test("FSx requires attributes that say where the file system is, and gives them to the volumes it creates", () => {
    const lustre = (attributes: Attributes): string => byHand("fsx.csi.aws.com", attributes);
    const refused = "NodePublishVolume InvalidArgument";
    assert.equal(lustre({ DNSName: "fs-1" }), `${refused} dnsname is not provided`);
    assert.equal(lustre({ dnsname: "fs-1" }), "OK");
    assert.equal(
      mount("fsx.csi.aws.com", manyReaders, { volume_context: { dnsname: "fs-1" } }),
      `${refused} Volume capability not supported`,
    );
    const zfs = (attributes: Attributes): string => byHand("fsx.openzfs.csi.aws.com", attributes);
    const there = { DNSName: "fs-1", ResourceType: "volume" };
    assert.equal(zfs({}), `${refused} NodePublishVolume: dnsName is not provided`);
    assert.equal(
      zfs({ DNSName: "fs-1" }),
      `${refused} NodePublishVolume: resourceType "" is invalid`,
    );
    assert.equal(
      zfs(there),
      `${refused} NodePublishVolume: volumePath must be provided when mounting an OpenZFS volume`,
    );
    assert.equal(zfs({ ...there, VolumePath: "/fsx/v" }), "OK");
    for (const [driver, parameters] of [
      ["fsx.csi.aws.com", {}],
      ["fsx.openzfs.csi.aws.com", { ResourceType: "volume" }],
    ] as const) {
      const backend = backendOf(driver);
      const request = { name: "pvc-1", volume_capabilities: [manyWriters], parameters };
      const { response } = toResult(controllerService["CreateVolume"]?.(backend, request, 0) ?? {});
      const { volume_context } = response["volume"] as { readonly volume_context: Attributes };
      assert.equal(byHand(driver, volume_context), "OK", driver);
    }
  });

  test("Mayastor attaches to one node, and reports modes by number", () => {
    const backend = backendOf("io.openebs.csi-mayastor");
    const request = { volume_id: "v", node_id: "n1", volume_capability: manyReaders };
    const reply = controllerService["ControllerPublishVolume"]?.(backend, request, 0) ?? {};
    assert.equal(toResult(reply).message, "Invalid volume access mode: 3");
  });

  test("TopoLVM mounts on one node, stages nothing, and makes a second call wait for the first", () => {
    assert.equal(
      mount("topolvm.io", manyWriters),
      "NodePublishVolume FailedPrecondition unsupported access mode: MULTI_NODE_MULTI_WRITER (5)",
    );
    assert.equal(knownDriver("topolvm.io")?.traits.stageUnstage, false);
    assert.equal(knownDriver("topolvm.io")?.traits.concurrency, "wait");
  });

  test("JuiceFS refuses raw devices", () => {
    const refused = "NodePublishVolume InvalidArgument Volume capability not supported";
    assert.equal(mount("csi.juicefs.com", sharedBlock), refused);
    assert.match(mount("csi.juicefs.com", manyReaders), /Empty name$|^OK$/);
  });

  test("Hetzner's handles are numbers, and another handle is not found", () => {
    const hetzner = "csi.hetzner.cloud";
    assert.equal(attach(hetzner, "my-volume"), "NotFound volume not found");
    assert.match(attach(hetzner, "12345678"), /^OK/);
    const backend = backendOf(hetzner);
    controllerService["CreateVolume"]?.(
      backend,
      { name: "pvc-1", volume_capabilities: [writer] },
      0,
    );
    const [own = ""] = backend.volumes.keys();
    assert.match(own, /^\d+$/);
    assert.match(attach(hetzner, own, backend), /^OK/);
  });

  test("Persistent Disk attaches handles with a project, a zone or region, and a name", () => {
    const disk = (volume_id: string): string => attach("pd.csi.storage.gke.io", volume_id);
    assert.equal(
      disk("my-disk"),
      "InvalidArgument ControllerPublishVolume volume ID is invalid: failed to get id components. Expected projects/{project}/zones/{zone}/disks/{name}. Got: my-disk",
    );
    assert.match(disk("projects/p/zones/z/my-disk"), /Got: projects\/p\/zones\/z\/my-disk$/);
    for (const good of ["projects/p/zones/z/disks/d", "projects/p/regions/r/disks/d"])
      assert.match(disk(good), /^OK/);
  });
});
