import { checkDiagnostics, checkPredicted } from "../../support/language-features.ts";

const ebs = (rest: string): string => `
      #- claimcheck.yaml
      profile: eks
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: a }
      provisioner: ebs.csi.aws.com${rest}`;

suite("storage classes", () => {
  test("parameters that the driver refuses", () =>
    checkDiagnostics(
      `${ebs(`
      volumeBindingMode: WaitForFirstConsumer
      parameters:
        typ: gp3
      # ^^^ class-unknown-parameter: Driver “ebs.csi.aws.com” does not know parameter “typ”; did you mean “type”?
        type: gp5
      #       ^^^ class-parameter-value: “gp5” is not one of gp3, gp2
        fstype: ext5
      # ^^^^^^ class-fstype-legacy-key
      #         ^^^^ class-fstype-unknown: File system “ext5” is unknown to the driver and mkfs; did you mean “ext
        encrypted: "true"
        csi.storage.k8s.io/node-stage-secret-name: s
      #                                            ^ class-secret-half: either name and namespace for NodeStage secrets specified
    `)}`,
    ));

  test("a driver that is not known may have its own file system, but not one with a mistyped name", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: a }
      provisioner: example.com
      #            ^^^^^^^^^^^ provisioner-unknown
      volumeBindingMode: WaitForFirstConsumer
      parameters: { fsType: gpfs }
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: b }
      provisioner: example.com
      #            ^^^^^^^^^^^ provisioner-unknown
      volumeBindingMode: WaitForFirstConsumer
      parameters: { fsType: farfs-2 }
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: c }
      provisioner: example.com
      #            ^^^^^^^^^^^ provisioner-unknown
      volumeBindingMode: WaitForFirstConsumer
      parameters: { fsType: btrsf }
      #                     ^^^^^ class-fstype-unknown: File system “btrsf” is unknown to the driver and mkfs; did you mean “btrfs”?
    `));

  test("the parameter fstype of a driver that reads it", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: a }
      provisioner: zfs.csi.openebs.io
      #            ^^^^^^^^^^^^^^^^^^ provisioner-unknown
      volumeBindingMode: WaitForFirstConsumer
      parameters: { poolname: tank, fstype: zfs }
    `));

  test("expansion that nothing performs", () =>
    checkDiagnostics(`
      #- classes.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: a }
      provisioner: efs.csi.aws.com
      allowVolumeExpansion: true
      #                     ^^^^ class-expansion-driver: Driver “efs.csi.aws.com” cannot expand volumes
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: b }
      provisioner: rancher.io/local-path
      volumeBindingMode: WaitForFirstConsumer
      allowVolumeExpansion: true
      #                     ^^^^ class-expansion-driver: Nothing expands volumes of “rancher.io/local-path”
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: c }
      provisioner: kubernetes.io/no-provisioner
      volumeBindingMode: WaitForFirstConsumer
      allowVolumeExpansion: true
      #                     ^^^^ class-expansion-driver: Nothing expands volumes of “kubernetes.io/no-provisioner”
    `));

  test("a key in another case, which Longhorn does not read", () =>
    checkDiagnostics(`
      #- classes.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: replicated }
      provisioner: driver.longhorn.io
      volumeBindingMode: WaitForFirstConsumer
      parameters:
        numberofreplicas: "2"
      # ^^^^^^^^^^^^^^^^ class-unknown-parameter: Driver “driver.longhorn.io” does not know parameter “numberofreplicas”; did you mean “numberOfReplicas”?
        dataLocality: best_effort
      #               ^^^^^^^^^^^ class-parameter-value: “best_effort” is not one of disabled, best-effort, strict-local for “dataLocality”; did you mean “best-effort”?
        replicaWhatever: "1"
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: mirrored }
      provisioner: disk.csi.azure.com
      volumeBindingMode: WaitForFirstConsumer
      parameters: { skuname: Premium_LRS }
    `));

  test("misspelled keys of a provisioner of directories", () =>
    checkDiagnostics(`
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: share }
      provisioner: k8s-sigs.io/nfs-subdir-external-provisioner
      parameters:
        archiveondelete: "false"
      # ^^^^^^^^^^^^^^^ class-unknown-parameter: Driver “k8s-sigs.io/nfs-subdir-external-provisioner” does not know parameter “archiveondelete”; did you mean “archiveOnDelete”?
        pathPatern: "x"
      # ^^^^^^^^^^ class-unknown-parameter: Driver “k8s-sigs.io/nfs-subdir-external-provisioner” does not know parameter “pathPatern”; did you mean “pathPattern”?
        owner: me
    `));

  test("snapshot parameters that the driver refuses", () =>
    checkDiagnostics(`
      #- classes.yaml
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: disks }
      driver: ebs.csi.aws.com
      deletionPolicy: Delete
      parameters:
        tagSpecification_1: "a=b"
        fastsnapshotrestoreavailabilityzones: here
        csi.storage.k8s.io/snapshotter-secret-name: s
      #                                             ^ class-secret-missing
        csi.storage.k8s.io/snapshotter-secret-namespace: ns
        encrypted: "true"
      # ^^^^^^^^^ class-unknown-parameter: Driver “ebs.csi.aws.com” does not know parameter “encrypted”
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: blocks }
      driver: rbd.csi.ceph.com
      #       ^^^^^^^^^^^^^^^^ class-secret-unnamed: rbd.csi.ceph.com needs a Secret to take snapshots, but the class names none (\`csi.storage.k8s.io/snapshotter-secret-name\`)
      deletionPolicy: Delete
      parameters: { clusterID: c, anything: "1" }
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: images }
      driver: pd.csi.storage.gke.io
      deletionPolicy: Delete
      parameters:
        snapshot-type: image
      #                ^^^^^ class-parameter-value: “image” is not one of snapshots, images for “snapshot-type”; did you mean “images”?
        storage-location: eu
      # ^^^^^^^^^^^^^^^^ class-unknown-parameter: Driver “pd.csi.storage.gke.io” does not know parameter “storage-location”; did you mean “storage-locations”?
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: backups }
      driver: filestore.csi.storage.gke.io
      deletionPolicy: Delete
      parameters: { type: snapshot, anything: "1" }
      #                   ^^^^^^^^ class-parameter-value: “snapshot” is not one of backup for “type”
    `));

  test("keys of the sidecars' prefix that no sidecar knows", async () => {
    await checkDiagnostics(
      `${ebs(`
      volumeBindingMode: WaitForFirstConsumer
      parameters:
        csi.storage.k8s.io/fsType: xfs
      # ^^^^^^^^^^^^^^^^^^^^^^^^^ class-reserved-parameter: found unknown parameter key "csi.storage.k8s.io/fsType" with reserved namespace csi.storage.k8s.io/; did you mean “csi.storage.k8s.io/fstype”?
        csi.storage.k8s.io/node-stage-secrets-name: s
      # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ class-reserved-parameter: found unknown parameter key "csi.storage.k8s.io/node-stage-secrets-name" with reserved namespace csi.storage.k8s.io/; did you mean “csi.storage.k8s.io/node-stage-secret-name”?
        csi.storage.k8s.io/node-stage-secret-namespace: ns
        csi.storage.k8s.io/tier: gold
      # ^^^^^^^^^^^^^^^^^^^^^^^ class-reserved-parameter: found unknown parameter key "csi.storage.k8s.io/tier" with reserved namespace csi.storage.k8s.io/
        csi.storage.k8s.io/secret-namespace: ns
      #                                      ^^ class-secret-half: either name and namespace for Default secrets specified
    `)}`,
    );
    await checkDiagnostics(
      `${ebs(`
      parameters:
        csi.storage.k8s.io/fsType: xfs
    `).replace("ebs.csi.aws.com", "rancher.io/local-path")}`,
    );
  });

  test("secrets with only a name or namespace, with an empty value, and given twice", async () => {
    await checkDiagnostics(
      `${ebs(`
      volumeBindingMode: WaitForFirstConsumer
      parameters:
        csiNodeStageSecretName: \${pvc.name}
        csi.storage.k8s.io/node-stage-secret-namespace: ns
        csiProvisionerSecretNamespace: ns
      #                                ^^ class-secret-half: either name and namespace for Provisioner secrets specified, Both must be specified: add “csi.storage.k8s.io/provisioner-secret-name”
        csi.storage.k8s.io/secret-name: ""
      #                                 ^^ class-secret-half: Default secrets specified in parameters but value of either namespace or name is empty
        csi.storage.k8s.io/secret-namespace: ns
        csi.storage.k8s.io/node-publish-secret-name: \${pvc.name}
      #                                              ^^^^^^^^^^^ class-secret-half: NodePublish secrets specified in parameters with both "csi" and "csi.storage.k8s.io/" keys
        csiNodePublishSecretName: \${pvc.name}
        csi.storage.k8s.io/node-publish-secret-namespace: ns
    `).replace("ebs.csi.aws.com", "rook-ceph.rbd.csi.ceph.com")}`,
    );
    await checkDiagnostics(
      `${ebs(`
      parameters:
        csi.storage.k8s.io/secret-name: s
    `).replace("ebs.csi.aws.com", "rancher.io/local-path")}`,
    );
  });

  test("a claim that gets no volume because of an unknown sidecar key is reported at the key", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: rook-ceph
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: rook-ceph.rbd.csi.ceph.com
      parameters:
        clusterID: rook-ceph
        pool: replicapool
        csi.storage.k8s.io/fsType: xfs
      # ^^^^^^^^^^^^^^^^^^^^^^^^^ class-reserved-parameter
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `));

  test("a snapshot that is not taken because of an unknown sidecar key or half a secret is reported there", async () => {
    const snapshots = (parameters: string): string => `
      #- claimcheck.yaml
      profile: longhorn
      #- all.yaml
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: nightly }
      driver: driver.longhorn.io
      deletionPolicy: Delete
      parameters:
${parameters}
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: longhorn, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: monday }
      spec: { volumeSnapshotClassName: nightly, source: { persistentVolumeClaimName: data } }
    `;
    await checkPredicted(
      snapshots(`        csi.storage.k8s.io/snapshoter-secret-name: s
      # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ class-reserved-parameter: found unknown parameter key "csi.storage.k8s.io/snapshoter-secret-name" with reserved namespace csi.storage.k8s.io/; did you mean “csi.storage.k8s.io/snapshotter-secret-name”?
        csi.storage.k8s.io/fstype: xfs
      # ^^^^^^^^^^^^^^^^^^^^^^^^^ class-reserved-parameter`),
    );
    await checkPredicted(
      snapshots(`        csi.storage.k8s.io/snapshotter-secret-name: s
      #                                             ^ class-secret-half: either name and namespace for Snapshotter secrets specified, Both must be specified: add “csi.storage.k8s.io/snapshotter-secret-namespace”`),
    );
  });

  test("a class of zonal disks must wait for the pod", () =>
    checkDiagnostics(
      `${ebs(`
      volumeBindingMode: Immediate
      #                  ^^^^^^^^^ class-immediate-topology-driver
    `)}`,
    ));

  test("allowed topologies with a key that the driver does not report", () =>
    checkDiagnostics(
      `${ebs(`
      volumeBindingMode: WaitForFirstConsumer
      allowedTopologies:
        - matchLabelExpressions:
            - { key: topology.kubernetes.io/zone, values: [a] }
            - { key: example.com/rack, values: [a] }
      #              ^^^^^^^^^^^^^^^^ class-topology-key-unknown: Driver “ebs.csi.aws.com” reports
    `)}`,
    ));

  test("allowed topologies with hosts, or any node label, if the driver reports it", () =>
    checkPredicted(`
      #- classes.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disk }
      provisioner: local.csi.openebs.io
      volumeBindingMode: WaitForFirstConsumer
      allowedTopologies:
        - matchLabelExpressions: [{ key: kubernetes.io/hostname, values: [store-1] }]
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: disk, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: pool }
      provisioner: zfs.csi.openebs.io
      volumeBindingMode: WaitForFirstConsumer
      parameters: { poolname: tank }
      allowedTopologies:
        - matchLabelExpressions: [{ key: example.com/rack, values: [a] }]
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: racks }
      provisioner: local.csi.openebs.io
      volumeBindingMode: WaitForFirstConsumer
      allowedTopologies:
        - matchLabelExpressions: [{ key: example.com/rack, values: [a] }]
      #                                  ^^^^^^^^^^^^^^^^ class-topology-key-unknown: Driver “local.csi.openebs.io” reports “openebs.io/nodename” and “kubernetes.io/hostname”
    `));

  test("the deprecated zone label is reported once at its key, without the outcome, if the driver is known", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: eks
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: zonal }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      allowedTopologies:
        - matchLabelExpressions: [{ key: failure-domain.beta.kubernetes.io/zone, values: [a] }]
      #                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ class-topology-key-unknown: Driver “ebs.csi.aws.com” reports “topology.kubernetes.io/zone” and “topology.ebs.csi.aws.com/zone”; key “failure-domain.beta.kubernetes.io/zone” can never match; did you mean “topology.kubernetes.io/zone”?
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: zonal, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("an invalid default mark, and an in-tree provisioner", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: eks
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata:
        name: a
        annotations:
          storageclass.kubernetes.io/is-default-class: "True"
      #                                                ^^^^^^ class-default-not-true: Only exactly “true” marks a default class; “True” is ignored
      provisioner: kubernetes.io/aws-ebs
      #            ^^^^^^^^^^^^^^^^^^^^^ provisioner-in-tree: This in-tree provisioner is handled by “ebs.csi.aws.com”
      volumeBindingMode: WaitForFirstConsumer
    `));

  test("a class of node-bound volumes must wait for the pod, one of volumes that every node reaches need not", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: pool }
      provisioner: zfs.csi.openebs.io
      #            ^^^^^^^^^^^^^^^^^^ class-immediate-topology-driver
      parameters: { poolname: tank }
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: replicas }
      provisioner: linstor.csi.linbit.com
      parameters: { autoPlace: "2" }
    `));

  test("a provisioning class of local volumes that does not wait is reported once", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: ebs.csi.aws.com
      #            ^^^^^^^^^^^^^^^ class-immediate-topology-driver
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        storageClassName: disks
      #                   ^^^^^ local-class-provisioner
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        persistentVolumeReclaimPolicy: Retain
        local: { path: /mnt/disk }
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [a] }] }] } }
    `));

  test("a class of shares, which every node reaches, need not wait", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: shares }
      provisioner: kubernetes.io/no-provisioner
      volumeBindingMode: Immediate
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: share }
      spec:
        storageClassName: shares
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteMany]
        nfs: { server: nas, path: /share }
    `));

  test("local volumes need a class that waits and provisions nothing", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: k3s
      #- local.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: static }
      provisioner: kubernetes.io/no-provisioner
      volumeBindingMode: Immediate
      #                  ^^^^^^^^^ local-class-immediate
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: dynamic }
      provisioner: rancher.io/local-path
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        storageClassName: dynamic
      #                   ^^^^^^^ local-class-provisioner: Class “dynamic” has the provisioner “rancher.io/local-path”
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        local: { path: /disk }
        nodeAffinity:
          required:
            nodeSelectorTerms:
      #     ^^^^^^^^^^^^^^^^^ local-affinity-not-host
              - matchExpressions: [{ key: kubernetes.io/os, operator: In, values: [linux] }]
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: made, annotations: { pv.kubernetes.io/provisioned-by: rancher.io/local-path } }
      spec:
        storageClassName: dynamic
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        local: { path: /disk }
        nodeAffinity:
          required:
            nodeSelectorTerms:
              - matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [node-1] }]
    `));

  test("Ceph pools created by Rook are looked for by the names that Rook gives them", () =>
    checkDiagnostics(`
      apiVersion: ceph.rook.io/v1
      kind: CephFilesystem
      metadata: { name: shared, namespace: rook-ceph }
      spec: { dataPools: [{ replicated: { size: 3 } }, { name: wide }] }
      ---
      apiVersion: ceph.rook.io/v1
      kind: CephBlockPool
      metadata: { name: disks, namespace: rook-ceph }
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: a }
      provisioner: rook-ceph.cephfs.csi.ceph.com
      parameters: { clusterID: rook-ceph, fsName: shared, pool: disks, csi.storage.k8s.io/secret-name: rook-csi-rbd-node, csi.storage.k8s.io/secret-namespace: rook-ceph }
      #                                                         ^^^^^ class-pool-missing: Data pool “disks” is in no file of namespace rook-ceph; known are “shared-data0” and “shared-wide”
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: b }
      provisioner: rook-ceph.cephfs.csi.ceph.com
      parameters: { clusterID: rook-ceph, fsName: share, pool: shared-wide, csi.storage.k8s.io/secret-name: rook-csi-rbd-node, csi.storage.k8s.io/secret-namespace: rook-ceph }
      #                                           ^^^^^ class-pool-missing: CephFilesystem “share” is in no file of namespace rook-ceph; did you mean “shared”?
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: c }
      provisioner: rook-ceph.rbd.csi.ceph.com
      volumeBindingMode: WaitForFirstConsumer
      parameters: { clusterID: rook-ceph, pool: disks, dataPool: none, csi.storage.k8s.io/secret-name: rook-csi-rbd-node, csi.storage.k8s.io/secret-namespace: rook-ceph }
      #                                                          ^^^^ class-pool-missing: CephBlockPool “none” is in no file
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: d }
      provisioner: rbd.csi.ceph.com
      #            ^^^^^^^^^^^^^^^^ class-secret-unnamed: rbd.csi.ceph.com needs a Secret to create volumes and stage them, but the class names none (\`csi.storage.k8s.io/provisioner-secret-name\`): provided secret is empty
      volumeBindingMode: WaitForFirstConsumer
      parameters: { clusterID: b9127830-b0cc-4e34-aa47-9d1a2e9949a8, pool: other }
    `));

  test("parameters of an attributes class that the driver does not know or reads in another case", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: VolumeAttributesClass
      metadata: { name: gold }
      driverName: ebs.csi.aws.com
      parameters:
        tipe: gp3
      # ^^^^ class-unknown-parameter: Driver “ebs.csi.aws.com” does not know parameter “tipe”; did you mean “type”?
        Iops: "3000"
      # ^^^^ class-unknown-parameter: Driver “ebs.csi.aws.com” does not know parameter “Iops”; did you mean “iops”?
        throughput: "200"
        tagSpecification_1: a=b
      ---
      apiVersion: storage.k8s.io/v1
      kind: VolumeAttributesClass
      metadata: { name: silver }
      driverName: disk.csi.azure.com
      parameters: { diskiopsreadwrite: "3000", cachingMode: None }
      ---
      apiVersion: storage.k8s.io/v1
      kind: VolumeAttributesClass
      metadata: { name: bronze }
      driverName: disks.example.com
      parameters: { anything: goes }
    `));

  test("values of an attributes class that the driver refuses", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: VolumeAttributesClass
      metadata: { name: gold }
      driverName: ebs.csi.aws.com
      parameters: { type: gp9 }
      #                   ^^^ class-parameter-value: “gp9” is not one of gp3, gp2, io1, io2, st1, sc1, standard for “type”
      ---
      apiVersion: storage.k8s.io/v1
      kind: VolumeAttributesClass
      metadata: { name: silver }
      driverName: disk.csi.azure.com
      parameters: { skuname: Premium_LSR, cachingMode: passed over }
      #                      ^^^^^^^^^^^ class-parameter-value: “Premium_LSR” is not one of Premium_LRS,
      ---
      apiVersion: storage.k8s.io/v1
      kind: VolumeAttributesClass
      metadata: { name: bronze }
      driverName: ebs.csi.aws.com
      parameters: { Type: gp9 }
      #             ^^^^ class-unknown-parameter: Driver “ebs.csi.aws.com” does not know parameter “Type”; did you mean “type”?
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      parameters: { Type: gp9 }
      #                   ^^^ class-parameter-value: “gp9” is not one of gp3,
    `));

  test("a claim that gets no volume because of an unknown attribute is reported only there", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: eks
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: VolumeAttributesClass
      metadata: { name: gold }
      driverName: ebs.csi.aws.com
      parameters:
        tipe: gp3
      # ^^^^ class-unknown-parameter: Driver “ebs.csi.aws.com” does not know parameter “tipe”; did you mean “type”?
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: disks, volumeAttributesClassName: gold, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /d }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a driver that provisions nothing, and a removed plugin with its replacement", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: secrets }
      provisioner: secrets-store.csi.k8s.io
      #            ^^^^^^^^^^^^^^^^^^^^^^^^ provisioner-unknown: Driver “secrets-store.csi.k8s.io” does not provision volumes, even if it is installed
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: gluster }
      provisioner: kubernetes.io/glusterfs
      #            ^^^^^^^^^^^^^^^^^^^^^^^ provisioner-in-tree: The in-tree driver was removed in 1.26; nothing provisions its claims
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: ceph }
      provisioner: kubernetes.io/rbd
      #            ^^^^^^^^^^^^^^^^^ provisioner-in-tree: The in-tree driver was removed in 1.31 (its CSI driver is “rbd.csi.ceph.com”); nothing provisions its claims
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: shares }
      provisioner: ceph.com/cephfs
      #            ^^^^^^^^^^^^^^^ provisioner-in-tree: The in-tree driver was removed in 1.31 (its CSI driver is “cephfs.csi.ceph.com”); the volumes made by it cannot be mounted
      parameters: { monitors: "10.0.0.1:6789", adminSecretName: ceph }
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: efs }
      provisioner: kubernetes.io/aws-efs
      #            ^^^^^^^^^^^^^^^^^^^^^ provisioner-in-tree: Kubernetes never had this provisioner (its CSI driver is “efs.csi.aws.com”); nothing provisions its claims
    `));

  test("file system options in a class whose claims are all raw devices", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: raw }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      mountOptions: [noatime]
      #             ^^^^^^^^^ block-mount-options: Mount options are ignored for Block volumes, and all claims of this class are
      parameters:
        csi.storage.k8s.io/fstype: xfs
      #                            ^^^ block-fstype: fsType is ignored for Block volumes, and all claims of this class are
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: raw, volumeMode: Block, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `));
});
