import { checkDiagnostics, checkPredicted } from "../../support/language-features.ts";

const claim = (name: string, spec: string): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: ${name} }
      spec: { resources: { requests: { storage: 1Gi } }, storageClassName: gp3, ${spec} }
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: gp3 }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---`;

suite("a claim and its driver", () => {
  test("migratable Longhorn volumes can be shared only as raw devices", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: moving }
      provisioner: driver.longhorn.io
      parameters: { migratable: "true" }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: files }
      spec: { storageClassName: moving, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
      #                                               ^^^^^^^^^^^^^ longhorn-migratable: A migratable Longhorn volume is not shared
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: one }
      spec: { storageClassName: moving, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: device }
      spec: { storageClassName: moving, volumeMode: Block, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
    `));

  test("a disk cannot be ReadWriteMany", () =>
    checkPredicted(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: gp3 }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: gp3
        accessModes: [ReadWriteMany]
      #               ^^^^^^^^^^^^^ rwx-block-disk: “ebs.csi.aws.com” provides single-node disks; ReadWriteMany needs a shared file system, for example “efs.csi.aws.com”, “nfs.csi.k8s.io”, “file.csi.azure.com”, “filestore.csi.storage.gke.io” and “cephfs.csi.ceph.com”. Raw devices, without a file system, it shares: volumeMode: Block
        resources: { requests: { storage: 1Gi } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a disk cannot be ReadWriteMany if its class's only volume is reserved for another claim", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: gp3 }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: share }
      spec:
        storageClassName: gp3
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteMany]
        nfs: { server: s, path: /x }
        claimRef: { namespace: default, name: other }
      #                                       ^^^^^ pv-claimref-missing-claim: The volume is reserved
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: gp3
        accessModes: [ReadWriteMany]
      #               ^^^^^^^^^^^^^ rwx-block-disk: “ebs.csi.aws.com” provides single-node disks
        resources: { requests: { storage: 1Gi } }
    `));

  test("the driver of a missing class is recognized by the class's name", () => {
    const claim = (more: string, found: string): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: scw-bssd
      ${found}
        resources: { requests: { storage: 1Gi } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
      ${more}`;
    const missing = `#                   ^^^^^^^^ pvc-class-missing: StorageClass “scw-bssd” does not exist; the claim stays Pending; Scaleway Kapsule has a class of this name, with driver “csi.scaleway.com”
        accessModes: [ReadWriteMany]`;
    const refused = `
      #               ^^^^^^^^^^^^^ rwx-block-disk: By its name, class “scw-bssd” is one of “csi.scaleway.com”, which provides single-node disks; ReadWriteMany needs`;
    const byHand = `---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: share }
      spec:
        storageClassName: scw-bssd
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteMany]
        nfs: { server: nfs.example.com, path: /x }`;
    return Promise.all([
      checkPredicted(claim("", `${missing}${refused}`)),
      checkPredicted(claim(byHand, "  accessModes: [ReadWriteMany]")),
    ]);
  });

  test("the finding about an unsupported mode lists the supported ones", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: gp3 }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: gp3
        dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: monday }
      #                                                                              ^^^^^^ datasource-missing:
        accessModes: [ReadOnlyMany]
      #               ^^^^^^^^^^^^ access-mode-unsupported: Driver “ebs.csi.aws.com” does not support ReadOnlyMany for Filesystem volumes; provisioning fails. Supported: ReadWriteOnce, ReadWriteOncePod
        resources: { requests: { storage: 1Gi } }
    `));

  test("a claim that a volume in the files fits is not judged by the driver", () =>
    checkDiagnostics(`${claim("data", "accessModes: [ReadWriteMany]")}
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: share }
      spec: { storageClassName: gp3, capacity: { storage: 1Gi }, accessModes: [ReadWriteMany], persistentVolumeReclaimPolicy: Retain, nfs: { server: s, path: /x } }
    `));

  test("a read-only volume without a source is empty", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: pd.csi.storage.gke.io
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: disks
        accessModes: [ReadOnlyMany]
      #              ^^^^^^^^^^^^^^ rox-empty: The new volume is empty, and ReadOnlyMany is only for reading
        resources: { requests: { storage: 1Gi } }
    `));

  test("a read-only volume that its driver cannot create has no other finding about access", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: gp3 }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: gp3
        accessModes: [ReadOnlyMany]
      #               ^^^^^^^^^^^^ access-mode-unsupported
        resources: { requests: { storage: 1Gi } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a writable mount of a read-only claim is reported", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", accessModes: [ReadOnlyMany], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: c
            image: i
            volumeMounts:
              - { name: data, mountPath: /d, readOnly: true }
              - { name: data, mountPath: /e }
      #                                  ^^ rox-writable-mount: ReadOnlyMany does not make the mount read-only; say readOnly: true
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a claim that is only read should not be writable", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
      #                                          ^^^^^^^^^^^^^^^ rwx-writable-readonly-claim: The claim is only read
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d, readOnly: true }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a claim that is only read may be writable if its volumes are", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: share }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteMany], nfs: { server: s, path: /x } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d, readOnly: true }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a claim that is only read may be writable if its disk is new, as it has to be filled", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: disks, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d, readOnly: true }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a sub-directory that cannot be created is reported at the mount", () =>
    checkPredicted(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: disks, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: c
            image: i
            volumeMounts:
              - { name: data, mountPath: /d }
              - { name: data, mountPath: /e, subPath: conf }
      #                                               ^^^^ pod-does-not-start: Pod web does not start on
      #                                               ^^^^ subpath-readonly-create: The subdirectory must already exist
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data, readOnly: true } }]
    `));
});

suite("read-only volumes", () => {
  test("a read-only volume makes all its mounts read-only", () =>
    checkDiagnostics(`${claim("disk", "accessModes: [ReadWriteOnce]")}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: writer
            image: i
            volumeMounts: [{ name: all, mountPath: /d }]
          - name: reader
            image: i
            volumeMounts: [{ name: disk, mountPath: /d, readOnly: false }]
      #                                                           ^^^^^ pvc-readonly-overrides: The mount is read-only anyway
        volumes:
          - { name: disk, persistentVolumeClaim: { claimName: disk, readOnly: true } }
          - { name: all, persistentVolumeClaim: { claimName: disk } }
    `));
});

suite("devices and file systems", () => {
  test("a raw device and its parts cannot be mounted", () =>
    checkPredicted(`${claim("disk", "volumeMode: Block, accessModes: [ReadWriteOnce]")}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: c
            image: i
            volumeMounts:
              - { name: disk, mountPath: /d }
      #                                  ^^ block-claim-mounted: A Block volume cannot be mounted
              - { name: disk, mountPath: /e, subPath: logs }
      #                                               ^^^^ subpath-on-block: The claim is a raw device
        volumes: [{ name: disk, persistentVolumeClaim: { claimName: disk } }]
    `));

  test("a file system cannot be used as a device", () =>
    checkPredicted(`${claim("disk", "accessModes: [ReadWriteOnce]")}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: c
            image: i
            volumeDevices: [{ name: disk, devicePath: /dev/xvda }]
      #                                               ^^^^^^^^^ filesystem-claim-device: The claim has volumeMode Filesystem
        volumes: [{ name: disk, persistentVolumeClaim: { claimName: disk } }]
    `));

  test("a device has neither file system nor mount options", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        persistentVolumeReclaimPolicy: Retain
        volumeMode: Block
        mountOptions: [noatime]
      #               ^^^^^^^^^ block-mount-options: Mount options are ignored for Block volumes
        csi: { driver: ebs.csi.aws.com, volumeHandle: vol-1, fsType: ext4 }
      #                                               ^^^^^ pv-no-zone
      #                                                              ^^^^ block-fstype: fsType is ignored for Block volumes
    `));
});

suite("parts of volumes", () => {
  test("a single file of a ConfigMap is not updated", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: settings }
      data: { app.yaml: "" }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: config, mountPath: /app.yaml, subPath: app.yaml }] }]
      #                                                                                                 ^^^^^^^^ subpath-config-update: A subPath mount does not receive updates
        volumes: [{ name: config, configMap: { name: settings } }]
    `));

  test("a sub-directory is not created on a read-only volume", () =>
    checkDiagnostics(`${claim("disk", "accessModes: [ReadWriteOnce]")}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: writer
            image: i
            volumeMounts: [{ name: all, mountPath: /d }]
          - name: reader
            image: i
            volumeMounts: [{ name: disk, mountPath: /d, subPath: logs }]
      #                                                          ^^^^ subpath-readonly-create: The subdirectory must already exist
        volumes:
          - { name: disk, persistentVolumeClaim: { claimName: disk, readOnly: true } }
          - { name: all, persistentVolumeClaim: { claimName: disk } }
    `));
});

suite("the owner of a volume's files", () => {
  test("a driver that ignores fsGroup is named", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: CSIDriver
      metadata: { name: ebs.csi.aws.com }
      spec: { fsGroupPolicy: None }
      ---${claim("disk", "accessModes: [ReadWriteOnce]")}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        securityContext: { fsGroup: 1000 }
        containers: [{ name: c, image: i, volumeMounts: [{ name: disk, mountPath: /d }] }]
        volumes: [{ name: disk, persistentVolumeClaim: { claimName: disk } }]
      #                                                             ^^^^ fsgroup-not-applied: fsGroup will not be applied to “disk”: driver “ebs.csi.aws.com” has the policy None
    `));

  test("a driver that mounts with fsGroup by itself has no finding", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: share }
      spec: { resources: { requests: { storage: 1Ti } }, storageClassName: files, accessModes: [ReadWriteMany] }
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: files }
      provisioner: file.csi.azure.com
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        securityContext: { fsGroup: 1000 }
        containers: [{ name: c, image: i, volumeMounts: [{ name: share, mountPath: /d }] }]
        volumes: [{ name: share, persistentVolumeClaim: { claimName: share } }]
    `));

  test("fsGroup is slow on a large volume", () =>
    checkDiagnostics(`${claim("disk", "accessModes: [ReadWriteOnce]").replace("1Gi", "1Ti")}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        securityContext: { fsGroup: 1000 }
      #                             ^^^^ fsgroup-slow: The ownership of all files of “disk” is changed at every mount
        containers: [{ name: c, image: i, volumeMounts: [{ name: disk, mountPath: /d }] }]
        volumes: [{ name: disk, persistentVolumeClaim: { claimName: disk } }]
    `));
});
