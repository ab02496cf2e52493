import assert from "node:assert/strict";
import { findingsOf } from "../../support/findings.ts";
import { checkDiagnostics, loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

const volume = (name: string, spec: string): string => `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: ${name} }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]${spec}`;

suite("volumes written by hand", () => {
  test("a name that is not a string is reported only as refused by the API server", () =>
    checkDiagnostics(
      volume(
        "a",
        `
        nfs: { server: s, path: /a }
        claimRef: { namespace: default, name: {} }
      #                                       ^^ api-refused
      `,
      ),
    ));

  test("claimRefs that match no claim", () =>
    checkDiagnostics(
      `${volume(
        "a",
        `
        nfs: { server: s, path: /a }
        claimRef: { name: data }
      #           ^^^^^^^^^^^^^^ pv-claimref-no-namespace
      ---`,
      )}${volume(
        "b",
        `
        nfs: { server: s, path: /b }
        claimRef: { namespace: default }
      #           ^^^^^^^^^^^^^^^^^^^^^^ pv-claimref-no-name
    `,
      )}`,
    ));

  test("zonal disks without a zone, if the cluster has several", () => {
    const disk = (handle: string, mark: string, more = ""): string =>
      volume(
        "a",
        `
        csi: { driver: pd.csi.storage.gke.io, volumeHandle: ${handle} }${more}
      ${mark}
      `,
      );
    const zonal = "projects/p/zones/z/disks/d";
    const gke = "\n      #- claimcheck.yaml\n      profile: gke\n      #- all.yaml";
    const affinity =
      "\n        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: topology.gke.io/zone, operator: In, values: [us-central1-a] }] }] } }";
    return Promise.all([
      checkDiagnostics(
        `${gke}${disk(zonal, "#                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^ pv-no-zone: A disk of “pd.csi.storage.gke.io” usually belongs to one zone, and this cluster has nodes in 3 zones")}`,
      ),
      checkDiagnostics(`${gke}${disk(zonal, "", affinity)}`),
      checkDiagnostics(`${gke}${disk("projects/p/regions/r/disks/d", "")}`),
      checkDiagnostics(
        `${gke.replace("gke", "eks")}${volume("a", "\n        csi: { driver: ebs.csi.aws.com, volumeHandle: local-ebs://dev/xvdbz }")}`,
      ),
      checkDiagnostics(
        `${disk(zonal, "", "\n      ---\n      apiVersion: v1\n      kind: Node\n      metadata: { name: one, labels: { topology.kubernetes.io/zone: z } }")}`,
      ),
    ]);
  });

  test("Ceph volumes whose handles are not from the driver", () => {
    const ceph = (handle: string, attributes: string): string =>
      `${volume("a", `\n        csi: { driver: rook-ceph.rbd.csi.ceph.com, volumeHandle: ${handle}, volumeAttributes: { ${attributes} } }`)}\n`;
    const given = "0001-0009-rook-ceph-0000000000000002-1f4a3c5e-0000-4000-8000-0242ac110002";
    return Promise.all([
      checkDiagnostics(
        `${ceph("image", "pool: p")}      #                                                          ^^^^^ csi-ceph-static: “image” is not an id that the driver assigned\n`,
      ),
      checkDiagnostics(ceph("image", 'pool: p, staticVolume: "true"')),
      checkDiagnostics(ceph(given, "pool: p")),
      checkDiagnostics(ceph("image", "monitors: m")),
    ]);
  });

  test("FSx volumes without a server, or without the file system's name", () => {
    const fsx = (attributes: string, label = ""): string =>
      `${volume("a", `\n        csi: { driver: fsx.csi.aws.com, volumeHandle: fs-1, volumeAttributes: { ${attributes} } }`)}\n${label}`;
    const at = `      #                                                     ^^^^^^^^^^^^^^^^`;
    return Promise.all([
      checkDiagnostics(
        fsx("mountname: x", `${at} csi-fsx-static: The driver mounts nothing without dnsname\n`),
      ),
      checkDiagnostics(
        fsx(
          "dnsname: fs-1.example.com",
          `${at} csi-fsx-static: Without mountname the driver mounts /fsx\n`,
        ),
      ),
      checkDiagnostics(fsx("dnsname: fs-1.example.com, mountname: x")),
    ]);
  });

  test("two volumes cannot be reserved for one claim", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---${volume(
        "a",
        `
        nfs: { server: s, path: /a }
        claimRef: { namespace: default, name: data }
      #                                       ^^^^ pv-claimref-duplicate: Claim default/data can bind only one of a, b
      ---`,
      )}${volume(
        "b",
        `
        nfs: { server: s, path: /b }
        claimRef: { namespace: default, name: data, uid: u }
      #                                       ^^^^ pv-claimref-duplicate
      #                                                  ^ pv-claimref-uid
    `,
      )}`));

  test("volumes with the same handle or share", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: eks
      #- all.yaml
      ${volume(
        "a",
        `
        csi: { driver: ebs.csi.aws.com, volumeHandle: vol-1 }
      #                                               ^^^^^ pv-duplicate-handle: “b” has the volume handle “vol-1” too
      #                                               ^^^^^ pv-no-zone
      ---`,
      ).trimStart()}${volume(
        "b",
        `
        csi: { driver: ebs.csi.aws.com, volumeHandle: vol-1 }
      #                                               ^^^^^ pv-duplicate-handle: “a” has the volume handle “vol-1” too
      #                                               ^^^^^ pv-no-zone
      ---`,
      )}${volume(
        "c",
        `
        nfs: { server: s, path: / }
      #      ^^^^^^^^^^^^^^^^^^^^^^ pv-duplicate-source
      ---`,
      )}${volume(
        "d",
        `
        nfs: { server: s, path: / }
      #      ^^^^^^^^^^^^^^^^^^^^^^ pv-duplicate-source
    `,
      )}`));

  test("volumes that are only read may have the same share", () =>
    checkDiagnostics(
      ["a", "b"]
        .map((name) =>
          volume(name, "\n        nfs: { server: s, path: / }\n      ---").replace(
            "ReadWriteOnce",
            "ReadOnlyMany",
          ),
        )
        .join(""),
    ));

  test("volumes that are mounted with ro may have the same share", () =>
    checkDiagnostics(
      ["a", "b"]
        .map((name) =>
          volume(
            name,
            "\n        mountOptions: [ro]\n        nfs: { server: s, path: / }\n      ---",
          ),
        )
        .join(""),
    ));

  test("a claim template's beta annotation precedes its field", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      rules: { sts-template-class-missing: off, sts-service-missing: off }
      #- all.yaml
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
          - metadata:
              name: data
              annotations:
                volume.beta.kubernetes.io/storage-class: slow
      #                                                  ^^^^ pvc-beta-annotation-wins: The annotation wins: class “slow” is used, not “fast”
            spec:
              storageClassName: fast
              accessModes: [ReadWriteOnce]
              resources: { requests: { storage: 1Gi } }
    `));

  test("volumes with the same directory on one node", () => {
    const directory = (name: string, node: string, mark = ""): string =>
      volume(
        name,
        `
        local: { path: /data }${mark}
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [${node}] }] }] } }
      ---`,
      );
    const twice = (other: string): string =>
      `\n      #        ^^^^^^^^^^^^^^^ pv-duplicate-source: “${other}” and this volume write to the same storage`;
    return Promise.all([
      checkDiagnostics(directory("a", "one", twice("b")) + directory("b", "one", twice("a"))),
      checkDiagnostics(directory("a", "one") + directory("b", "two")),
    ]);
  });

  for (const [profile, label] of [
    ["k3s", "hostpath-no-node-affinity: Data stays on whichever node the Pod runs"],
    ["minikube", ""],
  ] as const)
    test(`a hostPath is ${label === "" ? "the same directory on the only node" : "different on each node"}: ${profile}`, () =>
      checkDiagnostics(`
      #- claimcheck.yaml
      profile: ${profile}
      #- all.yaml${volume(
        "a",
        `
        hostPath: { path: /data }${label === "" ? "" : `\n      # ^^^^^^^^ ${label}`}
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: 2
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
            volumes: [{ name: data, hostPath: { path: /data } }]
${label === "" ? "" : "      #                                               ^^^^^ hostpath-in-workload\n"}`,
      )}`));

  test("policies, paths and options that have no or a bad effect", () =>
    checkDiagnostics(
      `${volume(
        "a",
        `
        persistentVolumeReclaimPolicy: Delete
      #                                ^^^^^^ pv-delete-static
        hostPath: { path: data }
      # ^^^^^^^^ hostpath-no-node-affinity
      #                   ^^^^ hostpath-relative
        mountOptions: ["noatime ro", noexec]
      # ^^^^^^^^^^^^ mount-options-unsupported
      #                ^^^^^^^^^^^^ mount-options-blank
      ---`,
      )}${volume(
        "b",
        `
        persistentVolumeReclaimPolicy: Recycle
      #                                ^^^^^^^ pv-recycle-source
        iscsi: { targetPortal: 10.0.0.1, iqn: iqn.2000-01.com.example:a, lun: 0 }
    `,
      )}`,
    ));

  test("the storage of a Delete volume is deleted only if the driver has a provisioner", () =>
    checkDiagnostics(
      `
      #- claimcheck.yaml
      rules: { pv-unclaimed: off, csidriver-missing: off }
      #- all.yaml
      ${volume(
        "a",
        `
        persistentVolumeReclaimPolicy: Delete
      #                                ^^^^^^ pv-delete-static: Once its claim is deleted, the provisioner of “efs.csi.aws.com” deletes the storage behind this volume, which it has not made
        csi: { driver: efs.csi.aws.com, volumeHandle: "fs-1::fsap-2" }
      ---`,
      ).trimStart()}${volume(
        "b",
        `
        persistentVolumeReclaimPolicy: Delete
      #                                ^^^^^^ pv-delete-static: No provisioner owns this volume; deletion will not remove the backing storage
        csi: { driver: s3.csi.aws.com, volumeHandle: bucket, volumeAttributes: { bucketName: b } }
      ---`,
      )}${volume(
        "c",
        `
        persistentVolumeReclaimPolicy: Delete
      #                                ^^^^^^ pv-delete-static: No provisioner owns this volume
        nfs: { server: nfs.example.com, path: /c }
    `,
      )}`,
    ));

  test("the mount options of a class do not apply to static volumes", () => {
    const ofClass = (id: string, spec: string, message = ""): string =>
      volume(
        id,
        `
        storageClassName: nfs
      ${message === "" ? "" : `#                   ^^^ pv-class-mount-options: ${message}`}
        ${spec}
      ---`,
      );
    const nfs = "nfs: { server: nfs.example.com, path: /x }";
    return checkDiagnostics(
      `
      #- claimcheck.yaml
      rules: { pv-unclaimed: off, csidriver-missing: off, provisioner-unknown: off, pv-duplicate-source: off, hostpath-no-node-affinity: off }
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: nfs }
      provisioner: example.com/nfs
      mountOptions: [nfsvers=4.1, hard]
      ---
      ${ofClass("a", nfs, "Class “nfs” has mount options, which are not copied to a volume made by hand: this one is mounted without nfsvers=4.1, hard").trimStart()}${ofClass("b", `mountOptions: []\n        ${nfs}`)}${ofClass("c", "hostPath: { path: /x }")}${ofClass("d", "csi: { driver: efs.csi.aws.com, volumeHandle: fs-1 }")}
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: efs }
      provisioner: efs.csi.aws.com
      mountOptions: [tls]
      ---
      ${ofClass("e", nfs).trimStart().replace("Name: nfs", "Name: efs")}
    `,
    );
  });

  test("mount options of an unknown driver may be arguments with a value", () =>
    checkDiagnostics(
      `
      #- claimcheck.yaml
      rules: { pv-unclaimed: off, csidriver-missing: off }
      #- all.yaml
      ${volume(
        "a",
        `
        csi: { driver: csi.example.com, volumeHandle: bucket }
        mountOptions: [region eu-west-1, "debug,allow-delete"]
      #                                  ^^^^^^^^^^^^^^^^^^^^ mount-options-blank
      ---`,
      ).trimStart()}${volume(
        "b",
        `
        csi: { driver: smb.csi.k8s.io, volumeHandle: share, volumeAttributes: { source: //server/share } }
        mountOptions: [vers 3.0]
      #                ^^^^^^^^ mount-options-blank
    `,
      )}`,
    ));

  test("mount options may be arguments with a value for Mountpoint for S3, not for other known drivers", () =>
    checkDiagnostics(
      `
      #- claimcheck.yaml
      profile: eks
      rules: { pv-unclaimed: off, csidriver-missing: off, pv-no-zone: off }
      #- all.yaml
      ${volume(
        "a",
        `
        csi: { driver: s3.csi.aws.com, volumeHandle: logs, volumeAttributes: { bucketName: logs } }
        mountOptions: [allow-delete, region eu-west-1]
      ---`,
      ).trimStart()}${volume(
        "b",
        `
        csi: { driver: efs.csi.aws.com, volumeHandle: fs-1 }
        mountOptions: [tls iam]
      #                ^^^^^^^ mount-options-blank
    `,
      )}`,
    ));

  test("mount options with a comma between them are a hint for mount, but a warning for a program", async () => {
    const told = async (source: string, option: string): Promise<readonly string[]> => {
      const text = volume("a", `\n        ${source}\n        mountOptions: ["${option}"]\n`);
      const service = await loadFixture(readFixture(`#- all.yaml${text}`), false);
      return findingsOf(service, memoryUri("all.yaml"))
        .filter(({ code }) => code === "mount-options-blank")
        .map(({ severity }) => severity);
    };
    const bucket =
      "csi: { driver: s3.csi.aws.com, volumeHandle: logs, volumeAttributes: { bucketName: logs } }";
    assert.deepEqual(await told("nfs: { server: s, path: /a }", "hard,nfsvers=4.1"), ["hint"]);
    assert.deepEqual(await told("nfs: { server: s, path: /a }", "hard nfsvers=4.1"), ["warning"]);
    assert.deepEqual(await told(bucket, "allow-delete,debug"), ["warning"]);
    const own = "csi: { driver: fuse.example.com, volumeHandle: v }";
    assert.deepEqual(await told(own, "ro,size=1"), ["hint"]);
    assert.deepEqual(await told(own, "cache=size=1,dir=/x"), [], "options of something else");
  });

  test("invalid driver names and secrets", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: eks
      #- all.yaml
      ${volume(
        "a",
        `
        csi:
          driver: EBS.csi.aws.com
      #           ^^^^^^^^^^^^^^^ csi-driver-case
          volumeHandle: vol-1
          nodeStageSecretRef: { name: s }
      #   ^^^^^^^^^^^^^^^^^^ csi-node-stage-secret: Without namespace
    `,
      ).trimStart()}`));

  test("finalizers that only provisioners and controllers should set", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata:
        name: disk
        finalizers: [kubernetes.io/pv-controller, external-provisioner.volume.kubernetes.io/finalizer]
      #              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ hand-set-finalizer
      #                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hand-set-finalizer
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        nfs: { server: s, path: / }
    `));

  test("fields copied from a cluster", () =>
    checkDiagnostics(
      `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: data
        annotations:
          pv.kubernetes.io/bind-completed: "yes"
      #                                    ^^^^^ pvc-bind-completed
          pv.kubernetes.io/bound-by-controller: "yes"
      #   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ controller-annotation
        finalizers: [kubernetes.io/pvc-protection]
      #              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hand-set-finalizer
      spec:
        storageClassName: ""
        accessModes: [ReadWriteOnce]
        resources:
          requests: { storage: 1Gi }
          limits: { storage: 2Gi }
      #   ^^^^^^ pvc-limits-ignored
    `,
    ));

  test("a status is dropped", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: List
      items:
        - apiVersion: v1
          kind: Pod
          metadata: { name: web }
          spec: { containers: [{ name: c, image: i }] }
          status: { phase: Running }
      #   ^^^^^^ status-in-manifest: The API server drops the status
    `));

  test("a quota for a missing class that a claim of its namespace names has no finding", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: ResourceQuota
      metadata: { name: q }
      spec: { hard: { fast.storageclass.storage.k8s.io/requests.storage: 1Gi } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #                         ^^^^ pvc-class-missing
    `));

  test("a quota's class and a namespace must exist, and a LimitRange's defaults do not apply to claims", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: ResourceQuota
      metadata: { name: q, namespace: shop }
      #                               ^^^^ namespace-missing
      spec:
        hard:
          fast.storageclass.storage.k8s.io/requests.storage: 1Gi
      #                                                      ^^^ quota-class-unknown: There is no class “fast”
      ---
      apiVersion: v1
      kind: LimitRange
      metadata: { name: l }
      spec:
        limits:
          - type: PersistentVolumeClaim
            max: { storage: 2Gi }
            defaultRequest: { storage: 1Gi }
      #     ^^^^^^^^^^^^^^ limitrange-default-ignored
    `));

  test("a claim that leaves its class to the cluster", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: k3s
      #- claim.yaml
      apiVersion: v1
      kind: List
      items:
        - apiVersion: v1
          kind: PersistentVolumeClaim
          metadata: { name: data }
          spec:
      #   ^^^^ pvc-class-absent-explicit: Class “local-path” will be filled in at creation
            accessModes: [ReadWriteOnce]
            resources: { requests: { storage: 1Gi } }
    `));

  test("a claim that leaves its class to the cluster gets the first by name of several default classes", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: k3s
      #- classes.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata:
        name: zeta
        annotations: { storageclass.kubernetes.io/is-default-class: "true" }
      #                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ class-multiple-defaults: 2 default classes
      provisioner: driver.longhorn.io
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata:
        name: alpha
        annotations: { storageclass.kubernetes.io/is-default-class: "true" }
      #                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ class-multiple-defaults: 2 default classes
      provisioner: driver.longhorn.io
      #- claim.yaml
      apiVersion: v1
      kind: List
      items:
        - apiVersion: v1
          kind: PersistentVolumeClaim
          metadata: { name: data }
          spec:
      #   ^^^^ pvc-class-absent-explicit: Class “alpha” will be filled in at creation
            accessModes: [ReadWriteOnce]
            resources: { requests: { storage: 1Gi } }
    `));

  test("the data of a volume that is reserved for a claim's uid", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: wiped }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        storageClassName: ""
        persistentVolumeReclaimPolicy: Recycle # claimcheck-ignore api-warning: it is what is looked at
        nfs: { server: s, path: /a }
        claimRef: { namespace: default, name: a, uid: u }
      #                                       ^ pv-claimref-missing-claim
      #                                               ^ pv-claimref-uid: The UID changes when the claim is recreated; the volume then becomes Released, and Recycle wipes its files
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: deleted, annotations: { pv.kubernetes.io/provisioned-by: corp.example } }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        storageClassName: ""
        persistentVolumeReclaimPolicy: Delete
        csi: { driver: corp.example, volumeHandle: d }
        claimRef: { namespace: default, name: b, uid: u }
      #                                       ^ pv-claimref-missing-claim
      #                                               ^ pv-claimref-uid: The UID changes when the claim is recreated; the volume then becomes Released, and Delete has its storage deleted, with all data
    `));

  const written = (name: string, more: string): string => `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: ${name} }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteMany]
        nfs: { server: s, path: /${name} }
        claimRef: { name: ${name}, namespace: default }${more}
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: ${name} }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /d }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: ${name} } }]
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: ${name} }
      spec: { storageClassName: shares, volumeName: ${name}, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }`;

  test("the finding about a class's mount options is short even if there are many", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: shares }
      provisioner: kubernetes.io/no-provisioner
      mountOptions: [hard, nfsvers=4.1, noatime, ro, tcp]
      ---${written(
        "one",
        `
        storageClassName: shares
      #                   ^^^^^^ pv-class-mount-options: Class “shares” has mount options, which are not copied to a volume made by hand: this one is mounted without hard, nfsvers=4.1, noatime and 2 more`,
      )}
    `));

  test("several SMB options in one NFS option are listed", () =>
    checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: shares }
      provisioner: kubernetes.io/no-provisioner
      ---${written(
        "one",
        `
        storageClassName: shares
        mountOptions:
          - uid=5,gid=6
      #     ^^^^^^^^^^^ nfs-smb-options: uid=5, gid=6 are options of SMB, but the volume is mounted with NFS
      #     ^^^^^^^^^^^ mount-options-blank: Several options in one
          - dir_mode=0777
      #     ^^^^^^^^^^^^^ nfs-smb-options: dir_mode=0777 is an option of SMB`,
      )}
    `));
});
