import { checkDiagnostics } from "../../support/language-features.ts";

const storageClass = (name: string, provisioner: string, more = ""): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: ${name} }
      provisioner: ${provisioner}
      volumeBindingMode: WaitForFirstConsumer${more}
      ---`;

const claim = (name: string, className = "disks", spec = ""): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: ${name} }
      spec: { storageClassName: ${className}, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }${spec} }
      ---`;

const volume = (source: string): string => `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        persistentVolumeReclaimPolicy: Retain
        claimRef: { namespace: default, name: data }
        ${source}
      ---`;

/** Each line of `containers` starts with two spaces before its key. */
const pod = (context: string, containers: string): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        securityContext: { ${context} }
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]${containers}
`;

const mounts = "volumeMounts: [{ name: data, mountPath: /d }]";
const web = `
        containers: [{ name: c, image: i, ${mounts} }]`;
const marked = (label: string): string => `
        containers:
          - name: c
            image: i
            volumeMounts: [{ name: data, mountPath: /d }]
      #                                             ^^ ${label}`;

const project = `
      #- claimcheck.yaml
      profile: eks
      #- all.yaml`;
const rookSecret =
  "\n      parameters: { clusterID: c, pool: p, csi.storage.k8s.io/secret-name: rook-csi-rbd-node, csi.storage.k8s.io/secret-namespace: rook-ceph }";

const disks = storageClass("disks", "ebs.csi.aws.com");

suite("whether a container can write", () => {
  test("a new disk belongs to root", () =>
    checkDiagnostics(
      `${project}${disks}${claim("data")}${pod("runAsUser: 1000", marked("volume-not-writable: The directory of a new volume of “ebs.csi.aws.com” belongs to root, and without fsGroup user 1000 cannot write to “data”"))}`,
    ));

  test("an unknown non-root user may not be the owner", () =>
    checkDiagnostics(
      `${project}${disks}${claim("data")}${pod("runAsNonRoot: true", marked("volume-not-writable: The directory of a new volume of “ebs.csi.aws.com” belongs to root, and without fsGroup a user other than root"))}`,
    ));

  for (const [what, context] of [
    ["fsGroup gives it to the group", "runAsUser: 1000, fsGroup: 1000"],
    ["root writes everywhere", "runAsUser: 0"],
    ["the image may run as root", ""],
  ] as const) {
    test(what, () => checkDiagnostics(`${project}${disks}${claim("data")}${pod(context, web)}`));
  }

  test("a container's own user overrides the pod's", () =>
    checkDiagnostics(
      `${project}${disks}${claim("data")}${pod(
        "runAsUser: 1000",
        `
        containers: [{ name: c, image: i, securityContext: { runAsUser: 0 }, ${mounts} }]`,
      )}`,
    ));

  test("a container with a capability to override modes", () =>
    checkDiagnostics(
      `${project}${disks}${claim("data")}${pod(
        "runAsUser: 1000",
        `
        containers: [{ name: c, image: i, securityContext: { capabilities: { add: [DAC_OVERRIDE] } }, ${mounts} }]`,
      )}`,
    ));

  test("an initContainer that runs as root may set the owner", () =>
    checkDiagnostics(
      `${project}${disks}${claim("data")}${pod(
        "runAsUser: 1000",
        `
        initContainers: [{ name: chown, image: i, securityContext: { runAsUser: 0 }, ${mounts} }]${web}`,
      )}`,
    ));

  test("a copy keeps the owners of its source", () =>
    checkDiagnostics(
      `${project}${disks}${claim("from")}${claim("data", "disks", ", dataSource: { kind: PersistentVolumeClaim, name: from }")}${pod("runAsUser: 1000", web)}`,
    ));

  test("a driver whose volumes are writable by everyone", () =>
    checkDiagnostics(
      `${project.replace("eks", "rook-ceph")}${storageClass("disks", "rook-ceph.rbd.csi.ceph.com", rookSecret)}${claim("data")}${pod("runAsUser: 1000", web)}`,
    ));

  test("a volume that is mounted read-only, by its source or by an option", async () => {
    for (const source of [
      "csi: { driver: efs.csi.aws.com, volumeHandle: fs-1, readOnly: true }",
      "nfs: { server: s, path: /x, readOnly: true }",
      "nfs: { server: s, path: /x }\n        mountOptions: [ro]",
    ])
      await checkDiagnostics(
        `${project}${volume(source)}${claim("data", '""')}${pod("runAsUser: 0", marked("volume-not-writable: PersistentVolume “disk” is mounted read-only, so writes to “data” fail"))}`,
      );
  });

  test("a read-only volume is reported at readOnly: false of a mount", () =>
    checkDiagnostics(
      `${project}${volume("nfs: { server: s, path: /x, readOnly: true }")}${claim("data", '""').replace("storageClassName", "volumeName: disk, storageClassName")}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        securityContext: { runAsUser: 0 }
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
        containers:
          - name: c
            image: i
            volumeMounts: [{ name: data, mountPath: /d, readOnly: false }]
      #                                                           ^^^^^ volume-not-writable: PersistentVolume “disk” is mounted read-only, so writes to “data” fail; say readOnly: true
      `,
    ));

  test("a class whose volumes are mounted read-only", () =>
    checkDiagnostics(
      `${project}${storageClass("disks", "ebs.csi.aws.com", "\n      mountOptions: [noatime, ro]")}${claim("data")}${pod("runAsUser: 0", marked("volume-not-writable: StorageClass “disks” is mounted read-only"))}`,
    ));

  test("a sub-directory of a share is created as root", () =>
    checkDiagnostics(
      `${project.replace("eks", "aks")}${storageClass("disks", "file.csi.azure.com")}${claim("data")}${pod(
        "runAsUser: 1000",
        `
        containers:
          - name: c
            image: i
            volumeMounts: [{ name: data, mountPath: /d, subPath: web }]
      #                                                          ^^^ subpath-owned-by-root: The kubelet creates a missing subdirectory as root`,
      )}`,
    ));

  test("a sub-directory of an NFS volume is created as root, even with fsGroup", () =>
    checkDiagnostics(
      `${project}${volume("nfs: { server: nfs.example.com, path: /x }")}${claim("data", '""')}${pod(
        "runAsUser: 1000",
        `
        containers:
          - name: c
            image: i
            volumeMounts: [{ name: data, mountPath: /d, subPath: web }]
      #                                                          ^^^ subpath-owned-by-root`,
      )}`,
    ));
});

suite("the effect of fsGroup", () => {
  test("a hostPath that is the only volume for the claim keeps its owner", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: logs }
      spec:
        storageClassName: manual
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        hostPath: { path: /logs }
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: disk, operator: Exists }] }] } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: manual, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        securityContext: { runAsUser: 1000, fsGroup: 1000 }
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
      #                                                             ^^^^ fsgroup-not-applied: fsGroup will not be applied to “data”: a hostPath directory keeps its owner
    `));

  test("an NFS server decides about owners itself", () =>
    checkDiagnostics(
      `${project}${volume("nfs: { server: s, path: /x }")}${claim("data", '""', "")}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        securityContext: { runAsUser: 1000, fsGroup: 1000 }
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
      #                                                             ^^^^ fsgroup-not-applied: fsGroup will not be applied to “data”: the NFS server decides about owners${web}
      `,
    ));

  for (const [what, other, label] of [
    [
      "is reported for a StatefulSet if all volumes for its claims ignore it",
      "nfs: { server: s, path: /y }",
      "fsgroup-not-applied: fsGroup will not be applied to “data”: the NFS server decides about owners",
    ],
    [
      "is not reported for a StatefulSet if some volumes for its claims apply it",
      "csi: { driver: ebs.csi.aws.com, volumeHandle: vol-1, fsType: ext4 }",
      "",
    ],
  ] as const)
    test(`fsGroup ${what}`, () => {
      const nfs = (name: string, source: string): string => `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: ${name} }
      spec:
        storageClassName: manual
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        ${source}
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: disk, operator: Exists }] }] } }
      ---`;
      return checkDiagnostics(`${nfs("one", "nfs: { server: s, path: /x }")}${nfs("other", other)}
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: web }
      spec:
        serviceName: web
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            securityContext: { fsGroup: 1000 }
            containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumeClaimTemplates:
          - metadata: { name: data }
${
  label === ""
    ? ""
    : `      #     ^^^^^^^^^^^^^^^^^^^^^^^^ ${label}
`
}            spec: { storageClassName: manual, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `);
    });

  test("the policy of a CSIDriver in the files applies, even of an unknown driver", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: generic
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: CSIDriver
      metadata: { name: csi.example.com }
      spec: { fsGroupPolicy: None }
      ---${storageClass("disks", "csi.example.com")}${claim("data")}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        securityContext: { fsGroup: 1000 }
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
      #                                                             ^^^^ fsgroup-not-applied: fsGroup will not be applied to “data”: driver “csi.example.com” has the policy None${web}
      `));

  for (const [what, mode, csi, why] of [
    [
      "are for many nodes",
      "ReadWriteMany",
      "fsType: ext4",
      "driver “d.example.com” has the policy ReadWriteOnceWithFSType, and the claim is not ReadWriteOnce",
    ],
    [
      "have no fsType",
      "ReadWriteOnce",
      "readOnly: false",
      "driver “d.example.com” has the policy ReadWriteOnceWithFSType, and the claim has no fsType",
    ],
    ["are read-only", "ReadWriteOnce", "fsType: ext4, readOnly: true", "the volume is read-only"],
  ] as const)
    test(`fsGroup does not apply to volumes that ${what}`, () =>
      checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: CSIDriver
      metadata: { name: d.example.com }
      spec: { fsGroupPolicy: ReadWriteOnceWithFSType }
      ---${volume(`csi: { driver: d.example.com, volumeHandle: x, ${csi} }`).replace("ReadWriteOnce", mode)}${claim("data", '""').replace("ReadWriteOnce", mode)}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        securityContext: { fsGroup: 5, runAsUser: 5 }
        containers: [{ name: c, image: i, ${mounts.replace("/d", "/d, readOnly: true")} }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
      #                                                             ^^^^ fsgroup-not-applied: fsGroup will not be applied to “data”: ${why}
      `));

  test("changing the owner is not advised for files of an access point", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: eks
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: shares }
      provisioner: efs.csi.aws.com
      parameters: { provisioningMode: efs-ap, fileSystemId: fs-1, directoryPerms: "700" }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: shares, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        securityContext: { fsGroup: 1000 }
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
      #                                                             ^^^^ fsgroup-not-applied: fsGroup will not be applied to “data”: driver “efs.csi.aws.com” has the policy ReadWriteOnceWithFSType, and the claim has no fsType. Set uid and gid in the class, which own all of an access point${web}
      `));

  const rabbit = (
    context: string,
    more = "",
    image = "rabbitmq:4",
    at = "/var/lib/rabbitmq",
  ): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: queue }
      spec:
        securityContext: { ${context} }
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
        containers:
          - name: c
            image: ${image}
            volumeMounts: [{ name: data, mountPath: ${at} }]
            ${more}
    `;

  test("RabbitMQ's cookie becomes readable for the group at the second mount", () =>
    checkDiagnostics(
      `${project}${disks}${claim("data")}${rabbit("fsGroup: 999").replace(
        "\n        volumes",
        "\n      #                             ^^^ fsgroup-opens-cookie: The image rabbitmq keeps its cookie in “data”\n        volumes",
      )}`,
    ));

  test("RabbitMQ's cookie becomes readable again after an init container's chmod", () =>
    checkDiagnostics(
      `${project}${disks}${claim("data")}${rabbit("fsGroup: 999").replace(
        "\n        volumes",
        "\n      #                             ^^^ fsgroup-opens-cookie: The image rabbitmq keeps its cookie in “data”, and exits if the group can read it. An init container removes that permission\n        initContainers: [{ name: i, image: busybox, command: [sh, -c, chmod 400 /r/.erlang.cookie], volumeMounts: [{ name: data, mountPath: /r }] }]\n        volumes",
      )}`,
    ));

  for (const [why, context, more, image, at] of [
    ["if the kubelet changes nothing", "fsGroup: 999, fsGroupChangePolicy: OnRootMismatch"],
    ["without fsGroup", "runAsUser: 0"],
    ["if the container restores its mode", "fsGroup: 999", "command: [sh, -c, chmod 400 cookie]"],
    ["if a variable sets it", "fsGroup: 999", "env: [{ name: RABBITMQ_ERLANG_COOKIE, value: a }]"],
    ["of an image that restores its mode", "fsGroup: 1001", "", "bitnami/rabbitmq:4"],
    ["outside the volume", "fsGroup: 999", "", "rabbitmq", "/var/lib/rabbitmq/mnesia"],
  ] as const)
    test(`RabbitMQ's cookie is not reported ${why}`, () =>
      checkDiagnostics(`${project}${disks}${claim("data")}${rabbit(context, more, image, at)}`));

  test("files of a Secret become readable for the fsGroup", () =>
    checkDiagnostics(`${project}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        securityContext: { fsGroup: 1000 }
        containers: [{ name: c, image: i, volumeMounts: [{ name: key, mountPath: /k }, { name: all, mountPath: /a }] }]
        volumes:
          - { name: key, secret: { secretName: key, optional: true, defaultMode: 0600, items: [{ key: a, path: a, mode: 0444 }] } }
      #                                                                          ^^^^ fsgroup-widens-mode: The pod's fsGroup may read all files: the mode 0600 becomes 0640
          - { name: all, projected: { defaultMode: 0400, sources: [{ secret: { name: key, optional: true } }] } }
      #                                            ^^^^ fsgroup-widens-mode: The pod's fsGroup may read all files: the mode 0400 becomes 0440
    `));
});

suite("chown in a container", () => {
  const changing = (context: string, container: string, mark: string, volumes: string): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        securityContext: { ${context} }
        volumes: [{ name: data, ${volumes} }]
        containers:
          - name: c
            image: i
            volumeMounts: [{ name: data, mountPath: /d }]
            ${container}
      ${mark}
`;
  const script = `command: [sh, -c, "chown -R 1000:1000 /d"]`;
  const under = (message: string): string =>
    `#                       ^^^^^^^^^^^^^^^^^^^^^^^ chown-refused: ${message}`;
  const emptyDir = "emptyDir: {}";

  for (const [what, context, container, message] of [
    [
      "runs as a non-root user",
      "runAsUser: 1000",
      script,
      "chown of /d fails: the container runs as user 1000, and only root may change the owner of files. Let this container run as root; with fsGroup",
    ],
    [
      "drops the capability",
      "runAsUser: 0",
      `securityContext: { capabilities: { drop: [ALL], add: [FOWNER] } }\n            ${script}`,
      "chown of /d fails: the container drops the capability CHOWN",
    ],
  ] as const)
    test(`fails if it ${what}`, () =>
      checkDiagnostics(`${project}${changing(context, container, under(message), emptyDir)}`));

  for (const [what, context, container] of [
    ["may be root", "fsGroup: 1000", script],
    [
      "has the capability back",
      "runAsUser: 0",
      `securityContext: { capabilities: { drop: [ALL], add: [CHOWN] } }\n            ${script}`,
    ],
    ["changes only the group", "runAsUser: 1000", `command: [chown, ":1000", /d]`],
    ["may fail", "runAsUser: 1000", `command: [sh, -c, "chown 1000 /d || true"]`],
    ["changes the image's files", "runAsUser: 1000", `command: [chown, "1000", /else]`],
    ["is a comment", "runAsUser: 1000", `command: [sh, -c, "# once; chown 1000 /d"]`],
  ] as const)
    test(`is left alone if it ${what}`, () =>
      checkDiagnostics(`${project}${changing(context, container, "", emptyDir)}`));

  test("fails in a StatefulSet on the volumes of its claims", () =>
    checkDiagnostics(`${project}
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec:
        serviceName: db
        selector: { matchLabels: { app: db } }
        template:
          metadata: { labels: { app: db } }
          spec:
            securityContext: { runAsUser: 1000, fsGroup: 1000 }
            initContainers:
              - name: owner
                image: i
                command: [chown, "1000", /d]
      #                   ^^^^^ chown-refused: chown of /d fails: the container runs as user 1000, and only root may change the owner of files. Let this container run as root, or drop the command if it is enough that the kubelet gives the volume to group 1000
                volumeMounts: [{ name: data, mountPath: /d }]
            containers:
              - name: c
                image: i
                volumeMounts: [{ name: data, mountPath: /d }]
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { storageClassName: gp2, accessModes: [ReadWriteOncePod], resources: { requests: { storage: 1Gi } } }
    `));

  test("fails for root too on an EFS access point, unless the class makes root its user", () => {
    const shares = (parameters: string): string =>
      `${storageClass("disks", "efs.csi.aws.com", `\n      parameters: { provisioningMode: efs-ap, fileSystemId: fs-1, directoryPerms: "700"${parameters} }`)}${claim("data")}`;
    const volumes = "persistentVolumeClaim: { claimName: data }";
    const told = under("chown of /d fails: its EFS access point maps every user, even root");
    return Promise.all([
      checkDiagnostics(`${project}${shares("")}${changing("runAsUser: 0", script, told, volumes)}`),
      checkDiagnostics(
        `${project}${shares(', uid: "0", gid: "0"')}${changing("runAsUser: 0", script, "", volumes)}`,
      ),
    ]);
  });

  test("has no effect on an SMB share, with advice for numeric and named owners", () =>
    checkDiagnostics(
      `${volume("csi: { driver: smb.csi.k8s.io, volumeHandle: x, volumeAttributes: { source: //s/x }, nodeStageSecretRef: { name: s, namespace: default } }")}${claim("data", '""')}
      apiVersion: v1
      kind: Secret
      metadata: { name: s }
      stringData: { username: a, password: b }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
        initContainers:
          - name: a
            image: busybox
            command: [chown, "app:app", /d]
      #               ^^^^^ chown-without-effect: chown of /d changes nothing: on an SMB share all files belong to the uid and gid in the mount options. Name them in PersistentVolume “disk”
            ${mounts}
          - name: b
            image: busybox
            command: [chown, "5:6", /d/x]
      #               ^^^^^ chown-without-effect: chown of /d/x changes nothing: on an SMB share all files belong to the uid and gid in the mount options. Give PersistentVolume “disk” the mount options uid=5 and gid=6
            ${mounts}${web}
      `,
    ));
});

suite("access to a FUSE mount", () => {
  const bucket = (driver: string, options = "", attributes = "", label = ""): string => `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: bucket }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteMany]
        persistentVolumeReclaimPolicy: Retain
        storageClassName: ""
        claimRef: { namespace: default, name: data }${options}
        csi:${label}
          driver: ${driver}
          volumeHandle: b
          volumeAttributes: { bucketName: b, containerName: b${attributes} }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", volumeName: bucket, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
      ---`;
  const options = (...given: readonly string[]): string =>
    `\n        mountOptions: [${given.join(", ")}]`;
  const shut = (message: string): string => `
      # ^^^ mount-root-only: ${message}`;
  const clouds = project.replace("eks", "generic").replace(
    "#- all",
    `drivers: [{ name: s3.csi.aws.com }, { name: blob.csi.azure.com }, { name: gcsfuse.csi.storage.gke.io }]
      rules: { driver-pod-annotation: off, class-secret-missing: off, csi-node-stage-secret: off }
      #- all`,
  );
  const check = (volume: string, context: string, containers = web): Promise<void> =>
    checkDiagnostics(`${clouds}${volume}${pod(context, containers)}`);

  test("is only for root without the option that its driver requires", async () => {
    const s3 = shut(
      "Without mount option “allow-other”, “s3.csi.aws.com” lets only root access its mounts",
    );
    await check(bucket("s3.csi.aws.com", "", "", s3), "runAsUser: 1001");
    const blob = shut(
      "Without mount option “-o allow_other”, “blob.csi.azure.com” lets only root access its mounts",
    );
    await check(bucket("blob.csi.azure.com", "", "", blob), "runAsUser: 1001, fsGroup: 5");
  });

  for (const [what, driver, given, attributes, context] of [
    ["the option is set", "blob.csi.azure.com", "-o allow_other", "", "runAsUser: 1001"],
    [
      "it is set in another spelling",
      "blob.csi.azure.com",
      "--allow-other=true",
      "",
      "runAsUser: 1001",
    ],
    [
      "it is one of several in a string",
      "blob.csi.azure.com",
      "--use-attr-cache=true -o allow_other",
      "",
      "runAsUser: 1001",
    ],
    [
      "it is after very many spaces",
      "blob.csi.azure.com",
      `--use-attr-cache=${" ".repeat(200_000)}true -o allow_other`,
      "",
      "runAsUser: 1001",
    ],
    ["the container may be root", "s3.csi.aws.com", "allow-delete", "", ""],
    ["it is the driver's own user", "s3.csi.aws.com", "allow-delete", "", "runAsUser: 1000"],
    [
      "the driver gives the pod's group access",
      "s3.csi.aws.com",
      "allow-delete",
      "",
      "runAsUser: 1001, fsGroup: 5",
    ],
    ["it is mounted by NFS", "blob.csi.azure.com", "hard", ", protocol: nfs", "runAsUser: 1001"],
    ["the options name the owner", "gcsfuse.csi.storage.gke.io", "uid=1001", "", "runAsUser: 1001"],
    [
      "the attributes name the owner",
      "gcsfuse.csi.storage.gke.io",
      "implicit-dirs",
      ', mountOptions: "uid=1001,gid=1"',
      "runAsUser: 1001",
    ],
  ] as const)
    test(`has no finding if ${what}`, () =>
      check(bucket(driver, options(given), attributes), context));

  test("is read-only for other users even with the option", async () => {
    const told = (driver: string): string =>
      marked(
        `volume-not-writable: Mounts of “${driver}” are read-only for users other than root: without fsGroup user 1001 cannot write to “data”`,
      );
    for (const driver of ["gcsfuse.csi.storage.gke.io", "s3.csi.aws.com"])
      await check(bucket(driver, options("allow-other")), "runAsUser: 1001", told(driver));
  });
});
