import { checkPredicted } from "../../support/language-features.ts";

const volume = (name: string, spec: string): string => `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: ${name}, labels: { tier: slow } }
      spec: { accessModes: [ReadWriteOnce], nfs: { server: s, path: /${name} }, ${spec} }
      ---`;

const bareMetal = `
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml`;

suite("why a claim stays Pending", () => {
  for (const [id, offered, line] of [
    ["class", "capacity: { storage: 1Gi }, storageClassName: other", ""],
    ["mode", "capacity: { storage: 1Gi }, volumeMode: Block", ""],
    ["access", "capacity: { storage: 1Gi }", "ReadWriteMany"],
  ] as const) {
    test(`it names a volume of another ${id}`, () =>
      checkPredicted(`${bareMetal}${volume("disk", offered)}
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        volumeName: disk
      #             ^^^^ pvc-volumename-${id}
        storageClassName: ""
        accessModes: [${line === "" ? "ReadWriteOnce" : line}]
        resources: { requests: { storage: 1Gi } }
    `));
  }

  test("the volume it names is reserved for another claim", () =>
    checkPredicted(`${bareMetal}
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        nfs: { server: s, path: / }
        claimRef: { namespace: default, name: other }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { volumeName: disk, storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #                   ^^^^ pvc-volumename-claimed
    `));

  test("another claim names the same volume and comes first", () =>
    checkPredicted(`${bareMetal}${volume("disk", "capacity: { storage: 1Gi }")}
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: a }
      #                 ^ pvc-unused
      spec: { volumeName: disk, storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: b }
      spec: { volumeName: disk, storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #                   ^^^^ pvc-volumename-duplicate
    `));

  for (const [id, offered, wanted] of [
    ["pv-claim-too-small", "1Gi", "2Gi"],
    ["pv-decimal-vs-binary", "1e9", "1Gi"],
  ] as const) {
    test(`${offered} for ${wanted}`, () =>
      checkPredicted(`${bareMetal}${volume("disk", `capacity: { storage: ${offered} }`)}
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
      #                   ^^ ${id}
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: ${wanted} } }
    `));
  }

  test("labels that no volume has have a finding of their own", () =>
    checkPredicted(`${bareMetal}${volume("disk", "capacity: { storage: 1Gi }")}
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: a }
      spec: { storageClassName: "", selector: { matchLabels: { tier: fast } }, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #                         ^^ pvc-selector-no-match
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: b }
      spec: { storageClassName: "", accessModes: [ReadWriteMany], resources: { requests: { storage: 2Gi } } }
      #                         ^^ pvc-no-candidate
    `));

  for (const [kind, templates] of [
    ["Deployment", ""],
    [
      "StatefulSet",
      "volumeClaimTemplates: [{ metadata: { name: own }, spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }]",
    ],
  ] as const)
    test(`the finding about an ephemeral volume's claim is in the ${kind}`, () =>
      checkPredicted(`
      #- claimcheck.yaml
      profile: eks
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: apps/v1
      kind: ${kind}
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        ${templates}
        template:
          metadata: { labels: { app: web } }
          spec:
            containers:
              - name: main
                image: app:1
                volumeMounts:
                  - { name: ${templates === "" ? "other" : "own"}, mountPath: /own }
                  - { name: tmp, mountPath: /tmp }
            volumes:
              - { name: other, emptyDir: {} }
              - name: tmp
                ephemeral:
                  volumeClaimTemplate:
                    spec:
                      accessModes: [ReadWriteOnce]
                      storageClassName: ""
      #                                 ^^ pvc-class-empty
                      resources: { requests: { storage: 1Gi } }
    `));

  test("no class and no default", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: generic
      #- all.yaml
      apiVersion: v1
      kind: List
      items:
        - apiVersion: v1
          kind: PersistentVolumeClaim
          metadata: { name: data }
          spec:
      #   ^^^^ pvc-class-absent-no-default
            accessModes: [ReadWriteOnce]
            resources: { requests: { storage: 1Gi } }
    `));

  test("a selector, which a provisioner cannot honor", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: eks
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: Immediate
      #                  ^^^^^^^^^ class-immediate-topology-driver
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: disks
        selector: { matchLabels: { tier: fast } }
      #           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pvc-selector-dynamic
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `));

  test("a class that never provisions", () =>
    checkPredicted(`${bareMetal}
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: static }
      provisioner: kubernetes.io/no-provisioner
      #            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ provisioner-none-dynamic
      volumeBindingMode: Immediate
      #                  ^^^^^^^^^ local-class-immediate
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: static, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `));

  test("its pod names a node and so bypasses the scheduler", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: kind
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: standard, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        nodeName: kind-control-plane
      #           ^^^^^^^^^^^^^^^^^^ class-wffc-pod-nodename
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));
});

suite("claims and volumes that do not fit well", () => {
  test("a large volume for a small claim, an unclaimed volume, an unused claim", () =>
    checkPredicted(`${bareMetal}${volume("disk", "capacity: { storage: 10Gi }")}
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: spare }
      #                 ^^^^^ pv-unclaimed
      spec: { accessModes: [ReadWriteOnce], nfs: { server: s, path: /x }, capacity: { storage: 10Gi }, storageClassName: x }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      #                 ^^^^ pvc-unused
      spec:
        storageClassName: ""
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
      #                                   ^^^ pv-wasteful-match: The claim takes the whole volume “disk” (10Gi for 1Gi)
    `));

  const eachOf = (names: readonly string[], spec: (name: string) => string): string =>
    names.map((name) => volume(`${name}-pv`, spec(name))).join("");
  const asking = (name: string, size: string, message = ""): string => {
    const start = `{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: ${name}-pvc }, `;
    const found = `#${" ".repeat(start.length - 1)}^^^^ pvc-volume-untied: ${message}`;
    return `
      ${start}spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: ${size} } } } }
      ${message === "" ? "" : found}
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: ${name} }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: d, mountPath: /d }] }]
        volumes: [{ name: d, persistentVolumeClaim: { claimName: ${name}-pvc } }]
      ---`;
  };

  test("volumes of the same size are bound to claims by chance, whatever their names", () =>
    checkPredicted(
      `${bareMetal}${eachOf(["queue", "shop"], () => "capacity: { storage: 1Gi }")}${asking("queue", "1Gi", "Nothing ties the claim to volume “queue-pv”; it may get “shop-pv” as well")}${asking("shop", "1Gi", "Nothing ties the claim to volume “shop-pv”; it may get “queue-pv” as well")}`,
    ));

  test("a claim gets the smallest volume that fits, not the one of its name", () =>
    checkPredicted(
      `${bareMetal}${volume("queue-pv", "capacity: { storage: 2Gi }")}${volume("shop-pv", "capacity: { storage: 1Gi }")}${asking("queue", "1Gi", "The claim gets volume “shop-pv”, because nothing ties it to “queue-pv”")}`,
    ));

  test("a reserved volume, and a claim of an unrelated name, are left alone", () =>
    Promise.all([
      checkPredicted(
        `${bareMetal}${eachOf(["queue", "shop"], (name) => `capacity: { storage: 1Gi }, claimRef: { namespace: default, name: ${name}-pvc }`)}${asking("queue", "1Gi")}${asking("shop", "1Gi")}`,
      ),
      checkPredicted(
        `${bareMetal}${eachOf(["disk-a", "disk-b"], () => "capacity: { storage: 1Gi }")}${asking("queue", "1Gi")}${asking("shop", "1Gi")}`,
      ),
    ]));

  const waiting = (zone: string, names: readonly string[], message = "", pod = ""): string => `
      #- claimcheck.yaml
      profile: eks
      rules: { pvc-unused: off }
      #- all.yaml
      { apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: ebs }, provisioner: ebs.csi.aws.com, volumeBindingMode: WaitForFirstConsumer }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        storageClassName: ebs
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        csi: { driver: ebs.csi.aws.com, volumeHandle: vol-0123456789abcdef0 }
        nodeAffinity:
          required:
            nodeSelectorTerms:
              - matchExpressions: [{ key: topology.ebs.csi.aws.com/zone, operator: In, values: [${zone}] }]
      ---
      ${names
        .map(
          (
            name,
          ) => `{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: ${name} }, spec: { storageClassName: ebs, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }
      ${message === "" ? "" : `#${" ".repeat(72)}${"^".repeat(name.length)} pvc-volume-untied: ${message}`}
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: ${name} }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: d, mountPath: /d }] }]
        volumes: [{ name: d, persistentVolumeClaim: { claimName: ${name} } }]
        ${pod}
      ---`,
        )
        .join("\n      ")}
    `;

  test("a claim that waits for its pod gets a new volume if the pod cannot reach the existing one", () =>
    checkPredicted(
      waiting(
        "us-east-1c",
        ["data"],
        "The claim gets a new volume, because its pod runs on a node that cannot reach volume “disk”, and nothing ties the claim to that one",
      ),
    ));

  test("a claim that waits for its pod may get another volume, unless its pod can run on no other node", async () => {
    await checkPredicted(
      waiting(
        "us-east-1a",
        ["data"],
        "Nothing ties the claim to volume “disk”: it gets another one if its pod is scheduled to a node that cannot reach that one",
      ),
    );
    const zone = "nodeSelector: { topology.kubernetes.io/zone: us-east-1a }";
    await checkPredicted(waiting("us-east-1a", ["data"], "", zone));
  });

  test("a claim outside the limits of its namespace", () =>
    checkPredicted(`${bareMetal}
      apiVersion: v1
      kind: LimitRange
      metadata: { name: l }
      spec: { limits: [{ type: PersistentVolumeClaim, max: { storage: 1Gi } }] }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } }
      #                                                                                             ^^^ limitrange-claim: Forbidden: persistentvolumeclaims "data" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi
    `));

  test("a claim that gets the default class instead of its named volume is reported once, at the name", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: kind
      #- manifests.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        persistentVolumeReclaimPolicy: Retain
        nfs: { server: nas, path: /a }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        volumeName: disk
      #             ^^^^ pvc-volumename-class: Claim data stays Pending
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `));
});
