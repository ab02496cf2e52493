import assert from "node:assert/strict";
import { checkDiagnostics, checkPredicted } from "../../support/language-features.ts";
import { diagnosticsOf, filesOf } from "../../support/rule-page.ts";

const storageClass = (name: string, provisioner: string, parameters = "{}"): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: ${name} }
      provisioner: ${provisioner}
      parameters: ${parameters}
      ---`;

const claim = (name: string, size = "1Gi", more = ""): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: ${name} }
      spec: { storageClassName: disks, accessModes: [ReadWriteOnce], resources: { requests: { storage: ${size} } }${more} }
      ---`;

/** A claim whose spec is left open, so that a source can follow. */
const copy = (name: string, className = "disks", size = "1Gi"): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: ${name} }
      spec:
        storageClassName: ${className}
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: ${size} } }`;

const snapshotClass = (name: string, driver: string): string => `
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: ${name}, annotations: { snapshot.storage.kubernetes.io/is-default-class: "true" } }
      deletionPolicy: Delete
      driver: ${driver}`;

const disks = storageClass("disks", "hostpath.csi.k8s.io");
const profile = `
      #- claimcheck.yaml
      profile: generic
      rules: { provisioner-unknown: off, csidriver-missing: off, class-immediate-topology-driver: off }
      #- all.yaml`;

suite("sources of claims", () => {
  for (const [provisioner, label] of [
    [
      "rancher.io/local-path",
      "datasource-ignored: “rancher.io/local-path” ignores the source: the claim is bound to an empty volume",
    ],
    ["k8s-sigs.io/nfs-subdir-external-provisioner", "datasource-ignored"],
    ["openebs.io/local", ""],
    ["hostpath.csi.k8s.io", ""],
  ] as const)
    test(`a source that ${provisioner} ${label === "" ? "uses" : "ignores"}`, () =>
      checkDiagnostics(`
      #- claimcheck.yaml
      profile: generic
      rules: { provisioner-unknown: off, class-immediate-topology-driver: off, claim-stays-pending: off }
      #- all.yaml${storageClass("disks", provisioner)}${copy("data")}
      ---${copy("other")}
        dataSource: { kind: PersistentVolumeClaim, name: data }${label === "" ? "" : `\n      #                                                  ^^^^ ${label}`}
    `));

  test("a source that the server drops", () =>
    checkDiagnostics(`${profile}${disks}${copy("data")}
        dataSource: { apiGroup: example.com, kind: Backup, name: monday }
      #                                            ^^^^^^ datasource-dropped: The server drops this source silently
    `));

  test("a group with a version, and a group for a claim", () =>
    checkDiagnostics(`${profile}${disks}${copy("a")}
        dataSource: { apiGroup: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, name: monday }
      #                         ^^^^^^^^^^^^^^^^^^^^^^^^^^ datasource-dropped: The server drops this source silently, and an empty volume is made: VolumeSnapshot is of the group snapshot.storage.k8s.io, without a version
      #                                                                                 ^^^^^^ datasource-missing
      ---${copy("b")}
        dataSource: { apiGroup: core, kind: PersistentVolumeClaim, name: a }
      #                         ^^^^ datasource-dropped: The server drops this source silently, and an empty volume is made: PersistentVolumeClaim is of no group
    `));

  test("a StatefulSet's template in place of a claim made from it", () =>
    checkDiagnostics(`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec:
        serviceName: db
        selector: { matchLabels: { app: db } }
        template:
          metadata: { labels: { app: db } }
          spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }] }
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: daily }
      spec: { volumeSnapshotClassName: disks, source: { persistentVolumeClaimName: data } }
      #                                ^^^^^ snapshot-class-missing:
      #                                                                            ^^^^ datasource-missing: Source PersistentVolumeClaim “data” does not exist in namespace default; did you mean “data-db-0”?
    `));

  test("a StatefulSet's template, with the first pod's claim suggested, whatever its ordinal", () =>
    checkDiagnostics(`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec:
        serviceName: db
        ordinals: { start: 5 }
        selector: { matchLabels: { app: db } }
        template:
          metadata: { labels: { app: db } }
          spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }] }
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: daily }
      spec: { volumeSnapshotClassName: disks, source: { persistentVolumeClaimName: data } }
      #                                ^^^^^ snapshot-class-missing:
      #                                                                            ^^^^ datasource-missing: Source PersistentVolumeClaim “data” does not exist in namespace default; did you mean “data-db-5”?
    `));

  test("a snapshot without its group", () =>
    checkDiagnostics(`${profile}${disks}${copy("data")}
        dataSource: { kind: VolumeSnapshot, name: monday }
      #                     ^^^^^^^^^^^^^^ datasource-no-group: Without apiGroup: snapshot.storage.k8s.io this does not refer to a snapshot
      #                                           ^^^^^^ datasource-missing:
    `));

  test("a source of another namespace", () =>
    checkDiagnostics(`${profile}${disks}${claim("data")}
      apiVersion: v1
      kind: Namespace
      metadata: { name: test }
      ---${copy("a, namespace: test")}
        dataSource: { kind: PersistentVolumeClaim, name: data }
      #                                                  ^^^^ datasource-other-namespace: The source exists in namespace “default”
      ---${copy("b, namespace: test")}
        dataSourceRef: { kind: PersistentVolumeClaim, name: data, namespace: default }
      #                                                                      ^^^^^^^ datasourceref-namespace: CrossNamespaceVolumeDataSource is alpha
    `));

  test("a copy with another driver", () =>
    checkDiagnostics(`${profile}${disks}${storageClass("other", "pd.csi.storage.gke.io")}${claim("data")}${copy("b", "other")}
        dataSource: { kind: PersistentVolumeClaim, name: data }
      #                                                  ^^^^ datasource-driver: A volume can only be cloned or restored by the same driver: the source is of “hostpath.csi.k8s.io”, the claim of “pd.csi.storage.gke.io”
    `));

  test("a copy that is too small, as the provisioner says", () =>
    checkPredicted(`${profile}${disks}${claim("data", "2Gi")}
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: b }
      spec:
        storageClassName: disks
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
      #                                   ^^^ datasource-size: Claim b
        dataSource: { kind: PersistentVolumeClaim, name: data }
    `));

  test("a device made from files", () =>
    checkPredicted(`${profile}${disks}${claim("data")}
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: b }
      spec:
        storageClassName: disks
        volumeMode: Block
      #             ^^^^^ datasource-volume-mode: Claim b stays Pending: hostpath.csi.k8s.io cannot provision its volume: its source is Filesystem
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
        dataSource: { kind: PersistentVolumeClaim, name: data }
    `));

  test("files made from the snapshot of a device", () =>
    checkPredicted(`${profile}${disks}${claim("data").replace("spec: {", "spec: { volumeMode: Block,")}
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: taken }
      driver: hostpath.csi.k8s.io
      deletionPolicy: Delete
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: s }
      spec: { volumeSnapshotClassName: taken, source: { persistentVolumeClaimName: data } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: b }
      spec:
        storageClassName: disks
        volumeMode: Filesystem
      #             ^^^^^^^^^^ datasource-volume-mode: Claim b stays Pending: hostpath.csi.k8s.io cannot provision its volume: its source is Block
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
        dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s }
    `));

  test("claims whose sources form a cycle", () =>
    checkPredicted(`${profile}${disks}${copy("a")}
        dataSource: { kind: PersistentVolumeClaim, name: b }
      #                                                  ^ datasource-cycle: The claims are made from each other
      ---${copy("b")}
        dataSource: { kind: PersistentVolumeClaim, name: a }
      #                                                  ^ datasource-cycle: The claims are made from each other
    `));

  test("a claim that is its own source", () =>
    checkPredicted(`${profile}${disks}${copy("a")}
        dataSource: { kind: PersistentVolumeClaim, name: a }
      #                                                  ^ datasource-cycle: The claim is made from itself
    `));

  test("claims whose sources form a cycle are accepted if one names an existing volume", async () => {
    const ring = `
      #- all.yaml${storageClass("disks", "hostpath.csi.k8s.io")}${copy("a")}
        dataSource: { kind: PersistentVolumeClaim, name: b }
      ---${copy("b")}
        volumeName: by-hand
        dataSource: { kind: PersistentVolumeClaim, name: c }
      ---${copy("c")}
        dataSource: { kind: PersistentVolumeClaim, name: a }
    `;
    const codes = async (text: string): Promise<readonly string[]> =>
      (await diagnosticsOf(filesOf(text), false)).map(({ code }) => code);
    assert.ok(!(await codes(ring)).includes("datasource-cycle"));
    const without = (await codes(ring.replace("volumeName: by-hand", ""))).filter(
      (code) => code === "datasource-cycle",
    );
    assert.equal(without.length, 3);
  });

  test("a driver that cannot copy", () =>
    checkPredicted(`${profile.replace("generic", "eks")}${storageClass("disks", "efs.csi.aws.com", "{ provisioningMode: efs-ap, fileSystemId: fs-1 }")}${claim("data")}${copy("b")}
        dataSource: { kind: PersistentVolumeClaim, name: data }
      #                                                  ^^^^ driver-no-clone: Driver “efs.csi.aws.com” does not support cloning
    `));
});

suite("snapshots", () => {
  test("a driver without snapshots is reported at its class and at the claim", () =>
    checkDiagnostics(`${profile}${snapshotClass("shares", "efs.csi.aws.com")}
      #       ^^^^^^^^^^^^^^^ driver-no-snapshot: Driver “efs.csi.aws.com” does not support snapshots
      ---${storageClass("disks", "efs.csi.aws.com")}${claim("data")}
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: monday }
      spec: { source: { persistentVolumeClaimName: data } }
      #                                            ^^^^ driver-no-snapshot: Driver “efs.csi.aws.com” does not support snapshots
    `));

  test("a content that names a snapshot taken of a claim is reported at the name", () =>
    checkDiagnostics(`${profile}${disks}${claim("data")}
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotContent
      metadata: { name: imported }
      spec:
        driver: hostpath.csi.k8s.io
        deletionPolicy: Retain
        source: { snapshotHandle: snap-0123 }
        volumeSnapshotRef: { name: monday, namespace: default }
      #                            ^^^^^^ snapshot-content-backref: Snapshot and content must name each other; VolumeSnapshot monday names no content
      ---${snapshotClass("daily", "hostpath.csi.k8s.io")}
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: monday }
      spec: { source: { persistentVolumeClaimName: data } }
    `));

  test("a snapshot's class must be of its volume's driver", () =>
    checkPredicted(`${profile}${disks}${claim("data")}${snapshotClass("other", "pd.csi.storage.gke.io")}
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: monday }
      spec:
        volumeSnapshotClassName: other
      #                          ^^^^^ snapshot-class-driver: Class “other” is for “pd.csi.storage.gke.io”, the volume belongs to “hostpath.csi.k8s.io”
        source: { persistentVolumeClaimName: data }
    `));

  test("no class, and no default", () =>
    checkPredicted(`${profile}${disks}${claim("data")}
      apiVersion: v1
      kind: List
      items:
        - apiVersion: snapshot.storage.k8s.io/v1
          kind: VolumeSnapshot
          metadata: { name: monday }
          spec: { source: { persistentVolumeClaimName: data } }
      #   ^^^^ snapshot-no-default: Snapshot monday cannot be taken
    `));

  test("two defaults of one driver", () =>
    checkPredicted(`${profile}${disks}${claim("data")}
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata:
        name: a
        annotations: { snapshot.storage.kubernetes.io/is-default-class: "true" }
      #                                                                 ^^^^^^ snapshot-multiple-defaults: 2 default snapshot classes were found
      deletionPolicy: Delete
      driver: hostpath.csi.k8s.io
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata:
        name: b
        annotations: { snapshot.storage.kubernetes.io/is-default-class: "true" }
      #                                                                 ^^^^^^ snapshot-multiple-defaults: 2 default snapshot classes were found
      deletionPolicy: Delete
      driver: hostpath.csi.k8s.io
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: monday }
      spec: { source: { persistentVolumeClaimName: data } }
    `));

  test("a snapshot and a content that do not refer to each other", () =>
    checkPredicted(`${profile}
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotContent
      metadata: { name: imported }
      spec:
        driver: hostpath.csi.k8s.io
        deletionPolicy: Delete
      #                 ^^^^^^ snapshot-content-delete: Deleting the VolumeSnapshot deletes the physical snapshot
        source: { snapshotHandle: snap-1 }
        volumeSnapshotRef: { name: tuesday, namespace: default }
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: monday }
      spec:
        source:
          volumeSnapshotContentName: imported
      #                              ^^^^^^^^ snapshot-content-backref: Snapshot and content must name each other; VolumeSnapshotContent imported names snapshot default/tuesday
    `));

  test("a removed API version", () =>
    checkDiagnostics(`
      apiVersion: snapshot.storage.k8s.io/v1beta1
      #           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ snapshot-beta-version: no matches for kind "VolumeSnapshot" in version "snapshot.storage.k8s.io/v1beta1"
      kind: VolumeSnapshot
      metadata: { name: monday }
      spec: { source: { persistentVolumeClaimName: data } }
      #                                            ^^^^ datasource-missing:
    `));
});

suite("attributes of volumes", () => {
  test("a class of another driver, and a driver that cannot modify volumes", () =>
    checkDiagnostics(`${profile}${disks}
      apiVersion: storage.k8s.io/v1
      kind: VolumeAttributesClass
      metadata: { name: fast }
      driverName: efs.csi.aws.com
      #           ^^^^^^^^^^^^^^^ vac-driver-no-modify: Driver “efs.csi.aws.com” cannot modify volumes
      parameters: { tier: fast }
      ---${copy("data")}
        volumeAttributesClassName: fast
      #                            ^^^^ vac-driver: Class “fast” is for “efs.csi.aws.com”, the volume belongs to “hostpath.csi.k8s.io”
    `));

  test("a class that is refused because it has no driver is reported once, at its own line", () =>
    checkDiagnostics(`${profile}${disks}
      apiVersion: storage.k8s.io/v1
      kind: VolumeAttributesClass
      metadata: { name: fast }
      driverName: ""
      #           ^^ api-refused: driverName: Required value
      parameters: { tier: fast }
      ---${copy("data")}
        volumeAttributesClassName: fast
    `));
});
