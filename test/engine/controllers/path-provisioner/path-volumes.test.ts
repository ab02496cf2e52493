/** Upstream: local-path-provisioner, dynamic-localpv-provisioner, minikube pkg/storage and nfs-subdir-external-provisioner, Provision of each. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import {
  cephFs,
  cephRbd,
} from "../../../../src/engine/controllers/path-provisioner/ceph-volumes.ts";
import { dockerHostPath } from "../../../../src/engine/controllers/path-provisioner/docker-host-path.ts";
import { localPathVolumes } from "../../../../src/engine/controllers/path-provisioner/local-path.ts";
import { minikubeHostPath } from "../../../../src/engine/controllers/path-provisioner/minikube-host-path.ts";
import { nfsSubdir } from "../../../../src/engine/controllers/path-provisioner/nfs-subdir.ts";
import { openEbsLocal } from "../../../../src/engine/controllers/path-provisioner/openebs-local.ts";
import {
  flexVolumesOf,
  glusterVolumes,
  iscsiVolumes,
} from "../../../../src/engine/controllers/path-provisioner/other-volumes.ts";
import type {
  PathRequest,
  PathVolume,
  PathVolumes,
} from "../../../../src/engine/controllers/path-provisioner/path-volumes.ts";
import { bare } from "../../../support/bare-objects.ts";

interface Asked {
  readonly spec?: object;
  readonly metadata?: object;
  readonly storageClass?: object;
  readonly labels?: Readonly<Record<string, string>>;
}

const hostname = "kubernetes.io/hostname";

/** local-path without a known configuration. */
const localPath = localPathVolumes(() => ({ usualPath: "/opt/local-path-provisioner" }));

function request({ spec = {}, metadata = {}, storageClass = {}, labels = {} }: Asked): PathRequest {
  const node = bare("Node", "n1", { metadata: { labels: { [hostname]: "host-1", ...labels } } });
  return {
    claim: bare("PersistentVolumeClaim", "data", { metadata: { uid: "u", ...metadata }, spec }),
    storageClass: bare("StorageClass", "c", storageClass) as KubeObject<"StorageClass">,
    node,
  };
}

/** A request without a selected node. */
function early(asked: Asked = {}): PathRequest {
  const { claim, storageClass } = request(asked);
  return { claim, storageClass };
}

function made(volumes: PathVolumes, asked: PathRequest): PathVolume {
  const planned = volumes.plan(asked);
  assert.ok(typeof planned !== "string", String(planned));
  return planned;
}

/** The error; undefined if a volume is planned. */
function refused(volumes: PathVolumes, asked: PathRequest): string | undefined {
  const planned = volumes.plan(asked);
  return typeof planned === "string" ? planned : undefined;
}

const only = (key: string, value: string): object => ({
  required: {
    nodeSelectorTerms: [{ matchExpressions: [{ key, operator: "In", values: [value] }] }],
  },
});

suite("volumes of minikube, Ceph and nfs-subdir", () => {
  const nfs = (asked: Asked): string | undefined => made(nfsSubdir, request(asked)).spec.nfs?.path;
  const patterned = (pathPattern: string, metadata: object = {}): string | undefined =>
    nfs({ storageClass: { parameters: { pathPattern } }, metadata });

  test("minikube's directories are named after namespace and claim", () => {
    assert.deepEqual(made(minikubeHostPath, early()), {
      metadata: {},
      spec: { hostPath: { path: "/tmp/hostpath-provisioner/default/data" } },
    });
  });

  test("Docker Desktop's are named after claim and volume, in an annotation too", () => {
    const path = "/var/lib/k8s-pvs/data/pvc-u";
    assert.deepEqual(made(dockerHostPath, early()), {
      metadata: { annotations: { "docker.io/hostpath": path } },
      spec: { hostPath: { path } },
    });
  });

  test("FlexVolumes are of the provisioner's driver, or of one of its name, and Oracle's are not shared", () => {
    const storageClass = { mountOptions: ["noatime"] };
    assert.deepEqual(made(flexVolumesOf("oracle.com/oci"), request({ storageClass })).spec, {
      flexVolume: { driver: "oracle/oci" },
      mountOptions: ["noatime"],
    });
    assert.deepEqual(made(flexVolumesOf("example.com/x"), early()).spec, {
      flexVolume: { driver: "example.com/x" },
    });
    const shared = request({ spec: { accessModes: ["ReadWriteOnce", "ReadWriteMany"] } });
    assert.equal(
      refused(flexVolumesOf("oracle.com/oci"), shared),
      "invalid access mode ReadWriteMany specified. Only ReadWriteOnce is supported",
    );
    assert.equal(refused(flexVolumesOf("example.com/x"), shared), undefined);
  });

  test("those of iSCSI provisioners are one target per claim, also raw; GlusterFS's are named after it", () => {
    const { iscsi, volumeMode } = made(
      iscsiVolumes,
      request({ spec: { volumeMode: "Block" } }),
    ).spec;
    assert.equal(iscsi?.iqn, "iqn.2016-09.com.example:pvc-u");
    assert.equal(volumeMode, "Block");
    assert.equal(iscsiVolumes.supportsBlock, true);
    assert.deepEqual(made(glusterVolumes, early()).spec.glusterfs, {
      endpoints: "glusterfile-dynamic-data",
      path: "vol_u",
    });
  });

  test("Ceph's former provisioners make volumes of in-tree plugins, and refuse what they cannot make", () => {
    const parameters = { monitors: "10.0.0.1:6789,10.0.0.2:6789", adminSecretName: "admin" };
    const asked = (given: Asked): PathRequest =>
      request({ storageClass: { parameters: { ...parameters, fsType: "xfs" } }, ...given });
    const monitors = ["10.0.0.1:6789", "10.0.0.2:6789"];
    const { rbd } = made(cephRbd, asked({})).spec;
    assert.deepEqual(
      [rbd?.monitors, rbd?.pool, rbd?.user, rbd?.fsType],
      [monitors, "rbd", "admin", "xfs"],
    );
    assert.deepEqual(made(cephFs, asked({})).spec.cephfs?.monitors, monitors);
    assert.equal(
      refused(cephRbd, asked({ spec: { accessModes: ["ReadWriteMany"] } })),
      "invalid AccessModes [ReadWriteMany]: only AccessModes [ReadWriteOnce ReadOnlyMany] are supported",
    );
    for (const volumes of [cephRbd, cephFs]) {
      assert.equal(refused(volumes, request({})), "missing Ceph admin secret name");
      const selector = asked({ spec: { selector: {} } });
      assert.equal(refused(volumes, selector), "claim Selector is not supported");
    }
    const unmonitored = request({ storageClass: { parameters: { adminSecretName: "admin" } } });
    assert.equal(refused(cephFs, unmonitored), "missing Ceph monitors");
  });

  test("nfs-subdir's are named after namespace, claim and volume, or as the class says", () => {
    assert.equal(nfs({}), "/exports/default-data-pvc-u");
    assert.equal(patterned(""), "/exports/default-data-pvc-u");
    assert.equal(patterned("${.PVC.namespace}/${.PVC.name}"), "/exports/default/data");
    const metadata = { labels: { app: "web" }, annotations: { tier: "gold" } };
    const pattern = "${.PVC.labels.app}-${.PVC.annotations.tier}-${.PVC.labels.none}${.PVC.uid}x";
    assert.equal(patterned(pattern, metadata), "/exports/web-gold-x");
  });

  test("only nfs-subdir's volumes get the class's mount options", () => {
    const asked = request({ storageClass: { mountOptions: ["hard"] } });
    assert.deepEqual(made(nfsSubdir, asked).spec.mountOptions, ["hard"]);
    for (const volumes of [localPath, minikubeHostPath, openEbsLocal])
      assert.equal(made(volumes, asked).spec.mountOptions, undefined);
  });

  test("minikube accepts claims with a selector, nfs-subdir refuses them", () => {
    const selected = early({ spec: { selector: { matchLabels: {} } } });
    assert.equal(refused(minikubeHostPath, selected), undefined);
    assert.equal(refused(nfsSubdir, selected), "claim Selector is not supported");
    assert.equal(refused(nfsSubdir, early()), undefined);
  });
});

suite("volumes of local-path", () => {
  const path = "/opt/local-path-provisioner/pvc-u_default_data";

  test("are directories of the node in their nodeAffinity, named by its hostname", () => {
    assert.deepEqual(made(localPath, request({})), {
      metadata: { annotations: { "local.path.provisioner/selected-node": "n1" } },
      spec: {
        hostPath: { path, type: "DirectoryOrCreate" },
        nodeAffinity: only(hostname, "host-1"),
      },
    });
  });

  test("are local ones if class or claim asks for that; the claim overrides the class", () => {
    const storageClass = { metadata: { annotations: { defaultVolumeType: "local" } } };
    assert.deepEqual(made(localPath, request({ storageClass })).spec.local, { path });
    const metadata = { annotations: { volumeType: "HostPath" } };
    const volume = made(localPath, request({ storageClass, metadata }));
    assert.equal(volume.spec.local, undefined);
    const wrong = request({ metadata: { annotations: { volumeType: "tape" } } });
    assert.equal(
      refused(localPath, wrong),
      'failed to create persistent volume source: "tape" is not a recognised volume type',
    );
  });

  test("are refused for selectors, shared access modes, and without a node", () => {
    const modes = (...accessModes: readonly string[]): string | undefined =>
      refused(localPath, request({ spec: { accessModes } }));
    assert.equal(modes("ReadWriteOnce", "ReadWriteOncePod"), undefined);
    const shared = "NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes";
    assert.equal(modes("ReadWriteOnce", "ReadOnlyMany"), shared);
    assert.equal(refused(localPath, early()), "configuration error, no node was specified");
    assert.equal(
      refused(localPath, request({ spec: { selector: { matchLabels: {} } } })),
      "claim.Spec.Selector is not supported",
    );
  });
});

suite("volumes of OpenEBS's local host paths", () => {
  const configured = (config: string): Asked => ({
    storageClass: { metadata: { annotations: { "cas.openebs.io/config": config } } },
  });
  const refusal = (asked: Asked): string | undefined => refused(openEbsLocal, request(asked));

  test("are local directories of the node's hostname", () => {
    assert.deepEqual(made(openEbsLocal, request({})), {
      metadata: { labels: { "openebs.io/cas-type": "local-hostpath" } },
      spec: {
        local: { path: "/var/openebs/local/pvc-u", fsType: "" },
        nodeAffinity: only(hostname, "host-1"),
      },
    });
  });

  test("are where the class's configuration says, and require the labels that it names", () => {
    const config = `
- name: StorageType
  value: "hostpath"   # the only one
- name: BasePath
  value: '/mnt/disk/'
- name: NodeAffinityLabels
  list:
    - "openebs.io/rack"
`.trimStart();
    const labels = { "openebs.io/rack": "r7" };
    const { spec } = made(openEbsLocal, request({ ...configured(config), labels }));
    assert.equal(spec.local?.path, "/mnt/disk/pvc-u");
    assert.deepEqual(spec.nodeAffinity, only("openebs.io/rack", "r7"));
    assert.equal(refusal(configured(config)), undefined);
  });

  test("are configured by the claim if the class does not", () => {
    const metadata = {
      annotations: {
        "cas.openebs.io/config":
          "- name: BasePath\n  value: /claims\n- name: StorageType\n  value: x",
      },
    };
    const asked = { ...configured("- name: StorageType\n  value: hostpath\n"), metadata };
    assert.equal(made(openEbsLocal, request(asked)).spec.local?.path, "/claims/pvc-u");
    assert.equal(refusal(asked), undefined);
  });

  test("are refused in the provisioner's words", () => {
    const once = { spec: { accessModes: ["ReadWriteOnce"] } };
    assert.equal(refusal(once), undefined);
    const shared = { spec: { accessModes: ["ReadWriteOncePod"] } };
    assert.equal(refusal(shared), "Only support ReadWriteOnce access mode");
    const clone = { spec: { dataSource: { kind: "PersistentVolumeClaim", name: "other" } } };
    assert.equal(refusal(clone), "clone feature not supported by this provisioner");
    const apiGroup = "snapshot.storage.k8s.io";
    assert.equal(
      refusal({ spec: { dataSource: { apiGroup, kind: "VolumeSnapshot", name: "s" } } }),
      "datasource `VolumeSnapshot` of group `snapshot.storage.k8s.io` is not handled by the provisioner",
    );
    assert.equal(
      refusal({ spec: { selector: { matchLabels: {} } } }),
      "claim.Spec.Selector is not supported",
    );
    assert.equal(
      refusal({ spec: { volumeMode: "Block" } }),
      "PV with BlockMode is not supported with StorageType hostpath",
    );
    assert.equal(
      refusal(configured("- name: StorageType\n  value: device\n")),
      "PV with StorageType device is not supported",
    );
    assert.equal(refused(openEbsLocal, early()), "configuration error, no node was specified");
    assert.equal(
      refusal({ labels: { [hostname]: "" } }),
      "configuration error, node{n1} hostname is empty",
    );
  });
});
