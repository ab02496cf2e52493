import { checkPredicted } from "../../support/language-features.ts";

suite("findings from the prediction", () => {
  test("a claim that no volume fits is reported at the line to blame", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: small }
      spec: { storageClassName: manual, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        volumeName: small
      #             ^^^^^ pvc-volumename-size: Claim data stays Pending: cannot bind to requested volume "small": requested PV is too small
        storageClassName: manual
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 2Gi } }
    `));

  test("objects that Kubernetes creates in each namespace exist for its pods", () =>
    checkPredicted(`
      #- all.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web, namespace: shop }
      spec:
        containers: [{ name: c, image: "i:1", volumeMounts: [{ name: ca, mountPath: /ca }] }]
        volumes: [{ name: ca, configMap: { name: kube-root-ca.crt } }]
    `));

  test("a claim that the default class keeps from its volume gets no finding about the class's driver", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: gke
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: share }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteMany], nfs: { server: 10.0.0.1, path: /x } }
      ---
      { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } } }
      #                                                                        ^^^^ pvc-default-class-over-volume: Class “standard-rwo” will be filled in at creation, so the claim never gets volume “share”, which has no class
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: "i:1", volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a claim that the default class keeps from a volume of its name is told what else does not fit", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: minikube
      rules: { hostpath-no-node-affinity: off, pvc-unused: off }
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: grafana-pv }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], hostPath: { path: /data/grafana } }
      ---
      { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: grafana-claim }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } } }
      #                                                                                 ^^^^ pvc-default-class-over-volume: Class “standard” will be filled in at creation, so the claim never gets volume “grafana-pv”, which has no class and fails on capacity too (wanted 2Gi, has 1Gi)
      ---
      { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: loki }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } } }
      #                                                                        ^^^^ pvc-class-absent-explicit
    `));

  test("an emptyDir on disk with a larger limit than all containers together is reported", () =>
    checkPredicted(`
      #- all.yaml
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: 2
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers:
              - { name: a, image: "i:1", resources: { limits: { ephemeral-storage: 1Gi } }, volumeMounts: [{ name: big, mountPath: /a }, { name: fits, mountPath: /b }, { name: ram, mountPath: /c }] }
              - { name: b, image: "i:1", resources: { limits: { ephemeral-storage: 1Gi } } }
            volumes:
              - { name: fits, emptyDir: { sizeLimit: 2Gi } }
              - { name: ram, emptyDir: { medium: Memory, sizeLimit: 3Gi } }
              - { name: big, emptyDir: { sizeLimit: 3Gi } }
      #                                             ^^^ emptydir-over-limit: More than the limits of the pod's containers for ephemeral-storage together
    `));

  test("a gap in local-path's configuration is reported there", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: k3s
      #- all.yaml
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: local-path-config, namespace: kube-system }
      data:
        config.json: |-
      # ^^^^^^^^^^^ claim-stays-pending: Claim data stays Pending: rancher.io/local-path cannot provision its volume: its configuration has an empty list of paths for that node
          { "nodePathMap": [{ "node": "DEFAULT_PATH_FOR_NON_LISTED_NODES", "paths": [] }] }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: local-path, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: "i:1", volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a pathPattern does not make the file a template, and is reported if local-path refuses it", () =>
    checkPredicted(`
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: ssd }
      provisioner: rancher.io/local-path
      parameters:
        pathPattern: "{{ .PVC.Namespace }}/{{ .PVC.Name }}"
      #              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ claim-stays-pending: Claim data stays Pending: rancher.io/local-path cannot provision its volume: its class's pathPattern may lead out of the claim's own folder, which v0.0.34 and later refuse
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: ssd, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: "i:1", volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("one cause is one finding, however many pods wait for it", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: generic
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
      #                   ^^ pvc-class-empty: Claim data stays Pending: there is no volume and class "" is never provisioned
        accessModes: [ReadWriteMany]
        resources: { requests: { storage: 1Gi } }
      #- web.yaml
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: 3
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
            volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a mistyped provisioner is reported once, with the claims that wait for it", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: eks
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: ebs.csi.aws.co
      #            ^^^^^^^^^^^^^^ provisioner-typo: Unknown provisioner “ebs.csi.aws.co”; did you mean “ebs.csi.aws.com”?
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: fast
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a provisioner that the cluster lacks is reported once, with the objects that wait for it", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: eks-auto
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: ebs.csi.aws.com
      #            ^^^^^^^^^^^^^^^ claim-stays-pending: Claim data stays Pending: nothing in this cluster runs the provisioner "ebs.csi.aws.com"
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: fast
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: "i:1", volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a disk whose driver is missing is reported once, in addition to other problems of its pod", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: disk, mountPath: /d }] }]
        volumes:
          - name: disk
            awsElasticBlockStore: { volumeID: vol-1 }
      #     ^^^^^^^^^^^^^^^^^^^^ source-migrated: Redirected to CSI driver “ebs.csi.aws.com”
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: fussy }
      spec:
        nodeSelector: { disk: ssd }
      #               ^^^^^^^^^^^^^ pod-stays-pending: Pod fussy stays Pending: no node can take it: it asks for disk=ssd
        containers: [{ name: c, image: i, volumeMounts: [{ name: disk, mountPath: /d }] }]
        volumes:
          - name: disk
            awsElasticBlockStore: { volumeID: vol-2 }
      #     ^^^^^^^^^^^^^^^^^^^^ source-migrated: Redirected to CSI driver “ebs.csi.aws.com”
    `));

  const named = (modes: string): string => `
      #- claimcheck.yaml
      profile: bare-metal
      rules: { pvc-unused: off }
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: manual, capacity: { storage: 10Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: manual
        accessModes: [${modes}]`;

  test("a mismatch with a volume whose class exists only as a name has its specific finding", async () => {
    await checkPredicted(`${named("ReadWriteOnce")}
        resources: { requests: { storage: 20Gi } }
      #                                   ^^^^ pv-claim-too-small: Claim data stays Pending: no volume of class "manual" fits, and the class does not exist to provision one
    `);
    await checkPredicted(`${named("ReadWriteMany")}
      #              ^^^^^^^^^^^^^^^ pvc-no-candidate: Claim data stays Pending: no volume of class "manual" fits, and the class does not exist to provision one
        resources: { requests: { storage: 1Gi } }
    `);
  });

  test("a parameter that its driver refuses is reported at the parameter, and not at the claims as well", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: eks
      rules: { pvc-unused: off }
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: keyed }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      parameters: { tpye: gp3, type: gp5 }
      #             ^^^^ class-unknown-parameter: Driver “ebs.csi.aws.com” does not know parameter “tpye”
      #                              ^^^ class-parameter-value: “gp5” is not one of
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: keyed
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a key that a Secret lacks is reported at the key", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: kind
      #- all.yaml
      apiVersion: v1
      kind: Secret
      metadata: { name: creds }
      stringData: { password: x }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }] }]
        volumes: [{ name: a, projected: { sources: [{ secret: { name: creds, items: [{ key: passwrd, path: p }] } }] } }]
      #                                                                                     ^^^^^^^ pod-does-not-start: Pod web does not start
    `));

  test("a zone of a class that no node has is reported at the zone", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: eks
      rules: { class-immediate-allowed-topologies: off, pvc-unused: off }
      #- node.yaml
      apiVersion: v1
      kind: Node
      metadata: { name: only, labels: { topology.kubernetes.io/zone: us-east-1a } }
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: far }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: Immediate
      allowedTopologies:
        - matchLabelExpressions:
            - { key: topology.kubernetes.io/zone, values: [mars-1a] }
      #                                                    ^^^^^^^ claim-stays-pending: Claim data stays Pending: ebs.csi.aws.com cannot provision its volume: its class allows volumes where no node is (mars-1a)
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: far
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `));

  test("a volume that no kubelet can mount does not hide why no node fits its pod", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: hasty }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }, { name: b, mountPath: /b }, { name: d, mountPath: /d }] }]
        volumes:
          - { name: a, emptyDir: { medium: memory } }
      #                                    ^^^^^^ emptydir-medium-unknown: Unknown medium “memory”; no kubelet mounts the volume; did you mean “Memory”?
          - { name: b, gitRepo: { repository: r } }
      #                ^^^^^^^ source-deprecated: gitRepo is switched off by default; the Pod will not start
          - { name: d, rbd: { monitors: [m], image: i } }
      #                ^^^ source-removed: The in-tree driver was removed in 1.31
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: fussy }
      spec:
        nodeSelector: { disk: ssd }
      #               ^^^^^^^^^^^^^ pod-stays-pending: Pod fussy stays Pending: no node can take it: it asks for disk=ssd
        containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }, { name: b, mountPath: /b }] }]
        volumes:
          - { name: a, emptyDir: { medium: memory } }
      #                                    ^^^^^^ emptydir-medium-unknown: Unknown medium “memory”
          - { name: b, flexVolume: { driver: x/y } }
      #                ^^^^^^^^^^ source-deprecated: flexVolume is deprecated: use a CSI driver
    `));

  test("a volume type without a plugin is reported at the type, not at each pod that uses it", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: old }
      spec:
        storageClassName: ""
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        rbd: { monitors: [m], image: i }
      # ^^^ source-removed: The in-tree driver was removed in 1.31 (its CSI driver is “rbd.csi.ceph.com”)
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a class whose provisioner was removed is reported once, with the claim that waits", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: rook-ceph
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: shares }
      provisioner: kubernetes.io/cephfs
      #            ^^^^^^^^^^^^^^^^^^^^ claim-stays-pending: Claim data stays Pending: no volume fits, and class "shares" cannot provision one: Kubernetes 1.31 removed kubernetes.io/cephfs
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: shares
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `));

  test("a class that makes volumes of a removed type is reported once, with the pod that does not start", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: ceph.com/rbd
      #            ^^^^^^^^^^^^ pod-does-not-start: Pod web does not start on metal-1: volume "pvc-3925bee0-20ab-4c4d-b074-c06401f3ddfd" cannot be mounted: Kubernetes 1.31 removed the type rbd
      parameters: { monitors: "10.0.0.1:6789", adminSecretName: ceph, adminSecretNamespace: default, userId: kube, userSecretName: ceph, pool: kube }
      ---
      apiVersion: v1
      kind: Secret
      metadata: { name: ceph }
      data: { key: YQ== }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: disks
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("consequences of a missing name are reported once, at the name", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: generic
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: nowhere
      #                   ^^^^^^^ pvc-class-missing: StorageClass “nowhere” does not exist
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a pod that fits no node is reported in addition to a ConfigMap that it would lack", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        nodeSelector: { disk: ssd }
      #               ^^^^^^^^^^^^^ pod-stays-pending: Pod web stays Pending: no node can take it: it asks for disk=ssd
        containers: [{ name: c, image: i, volumeMounts: [{ name: s, mountPath: /s }] }]
        volumes: [{ name: s, configMap: { name: settings } }]
      #                                         ^^^^^^^^ pod-config-missing: ConfigMap “settings” is in no file of namespace default
    `));

  test("a limit that refuses a StatefulSet's claims is reported in addition to their missing class", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: v1
      kind: LimitRange
      metadata: { name: sizes }
      spec: { limits: [{ type: PersistentVolumeClaim, max: { storage: 1Gi } }] }
      ---
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
            spec:
              storageClassName: premium
      #                         ^^^^^^^ sts-template-class-missing: StorageClass “premium” does not exist
              accessModes: [ReadWriteOnce]
              resources: { requests: { storage: 10Gi } }
      #                                         ^^^^ workload-incomplete: StatefulSet db has 0 of 1 pods ready: it cannot create more
    `));

  test("a Released volume is reported once, with its consequences", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: bare-metal
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        persistentVolumeReclaimPolicy: Retain
        nfs: { server: s, path: /x }
        claimRef: { namespace: default, name: data, uid: 5e6f9c1a-0000-4000-8000-000000000000 }
      #           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pv-released: Volume disk is Released: an earlier claim default/data is gone
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `));

  test("disks in different zones are reported once, at the class that places them before the pod", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: eks
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: hasty }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: Immediate
      #                  ^^^^^^^^^ pod-stays-pending: Pod web stays Pending: no node reaches both the volume of claim "a"
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: a }
      spec: { storageClassName: hasty, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: b }
      spec: { storageClassName: hasty, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i }]
        volumes:
          - { name: a, persistentVolumeClaim: { claimName: a } }
          - { name: b, persistentVolumeClaim: { claimName: b } }
    `));

  test("a volume that cannot be attached is reported once, at the pod that waits for it", () =>
    checkPredicted(`
      #- all.yaml
      apiVersion: v1
      kind: Node
      metadata: { name: n1, labels: { kubernetes.io/hostname: n1 } }
      ---
      apiVersion: storage.k8s.io/v1
      kind: CSINode
      #     ^^^^^^^ volumeattachment-by-hand
      metadata: { name: n1 }
      spec: { drivers: [] }
      ---
      apiVersion: storage.k8s.io/v1
      kind: CSIDriver
      metadata: { name: d.example.com }
      spec: { attachRequired: true }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: "", capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], csi: { driver: d.example.com, volumeHandle: h } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
      #           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pod-does-not-start: Pod web does not start on n1: volume "disk" cannot be attached
    `));

  test("a claim that only waits for a pod is reported at its name", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: eks
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      #                 ^^^^ class-wffc-no-consumer: Claim data waits for a pod that uses it; none does
      spec: { storageClassName: gp2, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `));

  test("a claim that exceeds a quota together with others is reported at its size", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: k3s
      #- all.yaml
      apiVersion: v1
      kind: ResourceQuota
      metadata: { name: storage }
      spec: { hard: { requests.storage: 1Gi } }
      ---
      apiVersion: v1
      kind: List
      items:
        - apiVersion: v1
          kind: PersistentVolumeClaim
          metadata: { name: data }
          spec: { storageClassName: local-path, accessModes: [ReadWriteOnce], resources: { requests: { storage: 5Gi } } }
      #                                                                                                         ^^^ quota-exceeded: Forbidden: persistentvolumeclaims "data" is forbidden: exceeded quota
    `));

  test("a full quota is reported in addition to a missing class", () =>
    checkPredicted(`
      apiVersion: v1
      kind: ResourceQuota
      metadata: { name: storage }
      spec: { hard: { persistentvolumeclaims: "0" } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      #                 ^^^^ quota-exceeded: Forbidden: persistentvolumeclaims "data" is forbidden: exceeded quota
      spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 5Gi } } }
      #                         ^^^^ pvc-class-missing
    `));

  test("a quota counts objects that Kubernetes itself creates in the namespace", () =>
    checkPredicted(`
      apiVersion: v1
      kind: ResourceQuota
      metadata: { name: objects }
      spec: { hard: { configmaps: "1", services: "1", count/serviceaccounts: "1" } }
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: settings }
      #                 ^^^^^^^^ quota-exceeded: Forbidden: configmaps "settings" is forbidden: exceeded quota: objects, requested: configmaps=1, used: configmaps=1, limited: configmaps=1
      ---
      apiVersion: v1
      kind: Service
      metadata: { name: web }
      #                 ^^^ quota-exceeded: Forbidden: services "web" is forbidden: exceeded quota: objects, requested: services=1, used: services=1, limited: services=1
      spec: { ports: [{ port: 80 }] }
      ---
      apiVersion: v1
      kind: ServiceAccount
      metadata: { name: robot }
      #                 ^^^^^ quota-exceeded: Forbidden: serviceaccounts "robot" is forbidden: exceeded quota
    `));

  test("a volume that the namespace's Pod Security level forbids is reported in pods and workloads", () =>
    checkPredicted(`
      #- namespace.yaml
      apiVersion: v1
      kind: Namespace
      metadata: { name: team, labels: { pod-security.kubernetes.io/enforce: baseline } }
      #- solo.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: solo, namespace: team }
      spec:
        containers: [{ name: a, image: a, volumeMounts: [{ name: d, mountPath: /d }] }]
        volumes:
          - name: d
      #     ^^^^^^^ request-refused: Forbidden: pods "solo" is forbidden: violates PodSecurity "baseline:latest": hostPath volumes (volume "d")
            hostPath: { path: /d, type: DirectoryOrCreate }
      #- web.yaml
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: web, namespace: team }
      spec:
        serviceName: web
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers: [{ name: a, image: a, volumeMounts: [{ name: d, mountPath: /d }] }]
            volumes:
              - name: d
      #         ^^^^^^^ workload-incomplete: StatefulSet team/web has 0 of 1 pods ready: it cannot create more
                hostPath: { path: /d, type: DirectoryOrCreate }
    `));

  test("a workload without pods gets the server's warning about what its namespace will refuse", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: kind
      #- all.yaml
      apiVersion: v1
      kind: Namespace
      metadata: { name: team, labels: { pod-security.kubernetes.io/enforce: baseline } }
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, namespace: team }
      spec:
        replicas: 0
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers: [{ name: a, image: a, volumeMounts: [{ name: d, mountPath: /d }] }]
            volumes:
              - name: d
      #         ^^^^^^^ request-warning: would violate PodSecurity "baseline:latest": hostPath volumes (volume "d")
                hostPath: { path: /d, type: DirectoryOrCreate }
    `));

  test("existing pods that violate a namespace's new Pod Security level are reported at the level", () =>
    checkPredicted(`
      #- claimcheck.yaml
      cluster: { import: cluster.yaml }
      #- cluster.yaml
      apiVersion: v1
      kind: List
      items:
        - { apiVersion: v1, kind: Namespace, metadata: { name: team }, status: { phase: Active } }
        - apiVersion: v1
          kind: Pod
          metadata: { name: web, namespace: team }
          spec: { nodeName: node, containers: [{ name: a, image: a }], volumes: [{ name: d, hostPath: { path: /d } }] }
          status: { phase: Running }
      #- namespace.yaml
      apiVersion: v1
      kind: Namespace
      metadata:
        name: team
        labels: { pod-security.kubernetes.io/enforce: baseline }
      #                                               ^^^^^^^^ request-warning: existing pods in namespace "team" violate the new PodSecurity enforce level "baseline:latest"
    `));

  test("objects that depend on a refused object have no finding", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: kind
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 0 } } }
      #                                                                       ^ api-refused: spec.resources[storage]: Invalid value: "0"
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: logs }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: logger }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x, subPath: ../y }] }]
      #                                                                                     ^^^^ api-refused: spec.containers[0].volumeMounts.subPath: Invalid value: "../y"
        volumes: [{ name: v, persistentVolumeClaim: { claimName: logs } }]
    `));

  test("a claim whose volume is refused or in an unreadable document has no finding", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: generic
      #- refused.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        storageClassName: manual
        reclaimPolicy: Retain
      # ^^^^^^^^^^^^^ api-refused: unknown field "spec.reclaimPolicy"; did you mean “persistentVolumeReclaimPolicy”?
        nfs: { server: s, path: /x }
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
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
      #- unreadable.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata:
        name: share
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        storageClassName: shared
        nfs: { server: s, path: <path: /x> }
      #                         ^^^^^^^^^^^ yaml-syntax: A comma is missing here, or the value needs quotes
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: files }
      spec: { storageClassName: shared, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: reader }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: files } }]
    `));

  test("objects that depend on an object in an unserved version have no finding", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: kind
      #- all.yaml
      apiVersion: storage.k8s.io/v1beta1
      #           ^^^^^^^^^^^^^^^^^^^^^^ api-version-removed: no matches for kind "StorageClass" in version "storage.k8s.io/v1beta1"
      kind: StorageClass
      metadata: { name: fast }
      provisioner: rancher.io/local-path
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
    `));

  test("an object in an unserved version does not count as a second definition", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: kind
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: rancher.io/local-path
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: storage.k8s.io/v1beta1
      #           ^^^^^^^^^^^^^^^^^^^^^^ api-version-removed: no matches for kind "StorageClass" in version "storage.k8s.io/v1beta1"
      kind: StorageClass
      metadata: { name: fast }
      provisioner: rancher.io/local-path
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      #                 ^^^^ class-wffc-no-consumer: Claim data waits for a pod that uses it
      spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `));

  test("a volume of a CronJob's pods that is in use on another node is reported before the job's time", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: longhorn
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: longhorn, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: "i:1", volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
      ---
      apiVersion: batch/v1
      kind: CronJob
      metadata: { name: backup }
      spec:
        schedule: "0 3 * * *"
        concurrencyPolicy: Forbid
        jobTemplate:
          spec:
            template:
              spec:
                restartPolicy: Never
                containers: [{ name: c, image: "i:1", volumeMounts: [{ name: data, mountPath: /d }] }]
                volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
      #                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pod-does-not-start: Pod backup-trial-
      #                                                                     ^^^^ shared-rwo-claim: Both this workload and Pod web must run on the same node
    `));

  test("a volume for a CronJob's pods that cannot be provisioned is reported before the job's time", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: k3s
      #- all.yaml
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: local-path-config, namespace: kube-system }
      data:
        config.json: |-
      # ^^^^^^^^^^^ claim-stays-pending: Claim data stays Pending: rancher.io/local-path cannot provision its volume: its configuration has an empty list of paths for that node
          { "nodePathMap": [{ "node": "DEFAULT_PATH_FOR_NON_LISTED_NODES", "paths": [] }] }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: local-path, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: batch/v1
      kind: CronJob
      metadata: { name: backup }
      spec:
        schedule: "0 3 * * *"
        concurrencyPolicy: Forbid
        jobTemplate:
          spec:
            template:
              spec:
                restartPolicy: Never
                containers: [{ name: c, image: "i:1", volumeMounts: [{ name: data, mountPath: /d }] }]
                volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("a quota that keeps a CronJob from creating Jobs is reported before the job's time", () =>
    checkPredicted(`
      #- all.yaml
      apiVersion: v1
      kind: ResourceQuota
      metadata: { name: jobs }
      spec: { hard: { count/jobs.batch: "0" } }
      #                                 ^^^ workload-incomplete: CronJob backup cannot create a Job
      ---
      apiVersion: batch/v1
      kind: CronJob
      metadata: { name: backup }
      spec:
        schedule: "0 3 * * *"
        jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "i:1" }] } } } }
    `));
});
