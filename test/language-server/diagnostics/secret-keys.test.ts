/** Keys that drivers read from Secrets in the files, and Secrets whose keys are unknown, which have no finding. */
import { checkDiagnostics, checkPredicted } from "../../support/language-features.ts";

/** A claim, its pod, and its RBD class, which gives the driver the Secret `login` for each call. */
function ceph(more = ""): string {
  const uses = ["provisioner", "node-stage", "controller-expand"];
  const secrets = uses.map(
    (use) =>
      `        csi.storage.k8s.io/${use}-secret-name: login\n        csi.storage.k8s.io/${use}-secret-namespace: default`,
  );
  return `
      #- claimcheck.yaml
      profile: rook-ceph
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: ceph }
      provisioner: rbd.csi.ceph.com
      parameters:
        clusterID: main
        pool: kube
${secrets.join("\n")}
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: ceph, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: app }
      spec:
        containers:
          - name: app
            image: busybox
            volumeMounts: [{ name: data, mountPath: /data }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
${more}`;
}

suite("keys of Secrets for drivers", () => {
  test("each missing key is reported once, at the likely misspelling, without the outcome", async () => {
    await checkPredicted(
      ceph(`
      #- secret.yaml
      apiVersion: v1
      kind: Secret
      metadata: { name: login }
      stringData:
        adminID: admin
      # ^^^^^^^ secret-key-missing: rbd.csi.ceph.com expects “userID” in this Secret, which StorageClass “ceph” passes to it: missing ID field 'userID' in secrets
        userkey: key
      # ^^^^^^^ secret-key-missing
    `),
    );
    await checkPredicted(
      ceph(`
      #- secret.yaml
      { apiVersion: v1, kind: Secret, metadata: { name: login }, data: { userID: YWRtaW4= } }
      #                                                          ^^^^ secret-key-missing: rbd.csi.ceph.com expects “userKey” in this Secret
    `),
    );
  });

  test("missing keys for expansion are reported if the class allows expansion", async () => {
    const class_ = ceph().replace("expand-secret-name: login", "expand-secret-name: growth");
    const secrets = `
      #- secret.yaml
      { apiVersion: v1, kind: Secret, metadata: { name: login }, data: { userID: YQ==, userKey: YQ== } }
      ---
      { apiVersion: v1, kind: Secret, metadata: { name: growth }, data: { userID: YQ== } }`;
    await checkPredicted(`${class_}${secrets}
    `);
    await checkPredicted(
      `${class_.replace("parameters:", "allowVolumeExpansion: true\n      parameters:")}${secrets}
      #                                                           ^^^^ secret-key-missing: rbd.csi.ceph.com expects “userKey” in this Secret
    `,
    );
  });

  test("Secrets whose keys are unknown have no finding", async () => {
    const partial = `
      apiVersion: v1
      kind: Secret
      metadata: { name: login }
      stringData: { ca.crt: x }`;
    const maker = (kind: string, spec: string): string => `
      ---
      apiVersion: ${kind === "SealedSecret" ? "bitnami.com/v1alpha1" : "external-secrets.io/v1"}
      kind: ${kind}
      metadata: { name: login }
      spec: ${spec}`;
    const filled = (annotation: string): string =>
      partial.replace("login", `login, annotations: { ${annotation} }`);
    const contents = [
      filled("secret-generator.v1.mittwald.de/autogenerate: userKey"),
      filled("replicator.v1.mittwald.de/replicate-from: storage/login"),
      "\n      apiVersion: v1\n      kind: Secret\n      metadata: { name: login }",
      partial + maker("ExternalSecret", "{ target: { creationPolicy: Merge } }"),
      partial + maker("SealedSecret", "{ encryptedData: {} }"),
    ];
    for (const content of contents) await checkPredicted(ceph(`      #- secret.yaml${content}`));
    const generator = `
      #- kustomization.yaml
      resources: [class.yaml]
      generatorOptions: { disableNameSuffixHash: true }
      secretGenerator: [{ name: login, namespace: default, envs: [.env] }]`;
    await checkPredicted(ceph(generator));
  });

  test("a snapshot class has its own Secret, and is to blame if it names none", async () => {
    const snapshots = (parameters: string, mark = ""): string => `
      #- login.yaml
      { apiVersion: v1, kind: Secret, metadata: { name: login }, data: { userID: eA==, userKey: eA== } }
      #- snapshots.yaml
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: nightly }
      driver: rbd.csi.ceph.com
      deletionPolicy: Delete
      parameters: ${parameters}
${mark}
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: monday }
      spec: { volumeSnapshotClassName: nightly, source: { persistentVolumeClaimName: data } }`;
    const prefix = "csi.storage.k8s.io/snapshotter";
    const named = (name: string, use = ""): string =>
      `${prefix}${use}-secret-name: ${name}, ${prefix}${use}-secret-namespace: default`;
    await checkPredicted(ceph(snapshots(`{ ${named("login")}, clusterID: c }`)));
    const unnamed =
      '      #           ^^^^^^^^^^^^^^^^ snapshot-not-ready: Snapshot monday cannot be taken: rbd.csi.ceph.com wants a secret, and class "nightly" names none';
    await checkPredicted(ceph(snapshots("{ clusterID: c }", unnamed)));
    const absent =
      "      #                                                         ^^^^ class-secret-missing: Secret “none” in namespace default";
    await checkDiagnostics(ceph(snapshots(`{ ${named("none")} }`, absent)));
    const taker = `
      #- taker.yaml
      apiVersion: v1
      kind: Secret
      metadata: { name: taker }
      data: { adminID: eA==, userKey: eA== }
      #       ^^^^^^^ secret-key-missing: rbd.csi.ceph.com expects “userID” in this Secret, which VolumeSnapshotClass “nightly” passes to it`;
    await checkPredicted(ceph(snapshots(`{ ${named("taker")} }`) + taker));
    // Nothing lists snapshots, so that no keys are required in the Secret for that.
    const keyless = taker.replace(/\n.*secret-key-missing.*/, "");
    const lists = `{ clusterID: c, ${named("login")}, ${named("taker", "-list")} }`;
    await checkPredicted(ceph(snapshots(lists) + keyless));
  });

  test("keys are required for a static volume, and for a share of the in-tree plugin", async () => {
    await checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: share }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteMany]
        csi:
          driver: cephfs.csi.ceph.com
          volumeHandle: share
          volumeAttributes: { staticVolume: "true", clusterID: main, fsName: fs, rootPath: / }
          nodeStageSecretRef: { name: login, namespace: default }
      ---
      apiVersion: v1
      kind: Secret
      metadata: { name: login }
      data: { adminID: eA==, adminKey: eA== }
      #       ^^^^^^^ secret-key-missing: cephfs.csi.ceph.com expects “userID” in this Secret, which PersistentVolume “share” passes to it: failed to get user credentials from node stage secrets
      #                      ^^^^^^^^ secret-key-missing
    `);
    await checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: share }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteMany]
        azureFile: { shareName: s, secretName: account, secretNamespace: default }
      # ^^^^^^^^^ source-migrated
      ---
      apiVersion: v1
      kind: Secret
      metadata: { name: account }
      stringData:
        AzureStorageAccountName: a
        azurestorageacountkey: k
      # ^^^^^^^^^^^^^^^^^^^^^ secret-key-missing: file.csi.azure.com expects “azurestorageaccountkey” in this Secret
    `);
  });

  test("keys are required for a class of buckets or containers that the driver creates", async () => {
    const uses = (driver: string, secret: string): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: buckets }
      provisioner: ${driver}
      parameters:
        csi.storage.k8s.io/provisioner-secret-name: login
        csi.storage.k8s.io/provisioner-secret-namespace: default
        csi.storage.k8s.io/node-stage-secret-name: login
        csi.storage.k8s.io/node-stage-secret-namespace: default
      ---
      apiVersion: v1
      kind: Secret
      metadata: { name: login }
      stringData:
        ${secret}`;
    await checkDiagnostics(
      uses(
        "ru.yandex.s3.csi",
        `endPoint: https://s3.example.com
      # ^^^^^^^^ secret-key-missing: ru.yandex.s3.csi expects “endpoint” in this Secret, which StorageClass “buckets” passes to it: failed to initialize S3 client`,
      ),
    );
    await checkDiagnostics(
      uses(
        "blob.csi.azure.com",
        `accountName: a
        storageaccountkey: k
      # ^^^^^^^^^^^^^^^^^ secret-key-missing: blob.csi.azure.com expects “azurestorageaccountkey” in this Secret`,
      ),
    );
  });

  test("a class without claims that names no Secret is told which calls require one", () =>
    checkPredicted(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: shares }
      provisioner: nfs.manila.csi.openstack.org
      #            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ provisioner-unknown
      #            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ class-secret-unnamed: nfs.manila.csi.openstack.org needs a Secret to create volumes, but the class names none (\`csi.storage.k8s.io/provisioner-secret-name\`): secrets cannot be nil or empty
      parameters:
        type: default
        csi.storage.k8s.io/node-stage-secret-name: login
      #                                            ^^^^^ class-secret-missing
        csi.storage.k8s.io/node-stage-secret-namespace: default
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: rbd.csi.ceph.com
      #            ^^^^^^^^^^^^^^^^ provisioner-unknown
      #            ^^^^^^^^^^^^^^^^ class-secret-unnamed: rbd.csi.ceph.com needs a Secret to create volumes and stage them and expand them
      allowVolumeExpansion: true
      parameters: { clusterID: main, pool: kube }
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: plain }
      provisioner: driver.longhorn.io
      parameters: { encrypted: "false" }
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: growing }
      provisioner: driver.longhorn.io
      #            ^^^^^^^^^^^^^^^^^^ class-secret-unnamed: driver.longhorn.io needs a Secret to expand their file systems, but the class names none (\`csi.storage.k8s.io/node-expand-secret-name\`): without one they silently keep their size until they are staged again
      allowVolumeExpansion: true
      parameters: { encrypted: "true", csi.storage.k8s.io/node-stage-secret-name: login, csi.storage.k8s.io/node-stage-secret-namespace: default }
      #                                                                           ^^^^^ class-secret-missing
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: by-hand }
      provisioner: cephfs.csi.ceph.com
      #            ^^^^^^^^^^^^^^^^^^^ provisioner-unknown
    `));

  test("the outcome is reported instead if a claim uses a class that names no Secret", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: rook-ceph
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: rbd.csi.ceph.com
      parameters: { clusterID: main, pool: kube }
      #           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ claim-stays-pending: Claim data stays Pending: rbd.csi.ceph.com cannot provision its volume: its class names no secret for the driver
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: disks, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `));

  test("keys for SMB are required unless a mount option allows guests", async () => {
    const share = (option: string): string => `
      #- share.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: share }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteMany]
        claimRef: { namespace: default, name: data }
        mountOptions: [${option}]
        csi:
          driver: smb.csi.k8s.io
          volumeHandle: share
          volumeAttributes: { source: //server/share }
          nodeStageSecretRef: { name: login, namespace: default }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
      #- secret.yaml
      apiVersion: v1
      kind: Secret
      metadata: { name: login }
      stringData:
        Password: secret`;
    await checkDiagnostics(`${share("vers=3.0")}
        user: me
      # ^^^^ secret-key-missing: smb.csi.k8s.io expects “username” in this Secret, which PersistentVolume “share” passes to it: it logs in with an empty username then
    `);
    await checkDiagnostics(`${share("guest")}
        user: me
    `);
  });
});
