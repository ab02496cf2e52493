import { checkDiagnostics, checkPredicted } from "../../support/language-features.ts";

const container =
  "containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]";

suite("node terms", () => {
  test("an empty term matches no node", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i }]
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms: [{}]
      #                           ^^ affinity-empty-term: An empty term matches no node
    `));

  test("expressions that exclude each other match no node", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        persistentVolumeReclaimPolicy: Retain
        nfs: { server: s, path: /disk }
        nodeAffinity:
          required:
            nodeSelectorTerms:
              - matchExpressions:
                  - { key: zone, operator: In, values: [a, b] }
                  - { key: zone, operator: NotIn, values: [c] }
                  - { key: zone, operator: In, values: [c] }
      #                    ^^^^ affinity-contradiction: Matches no node
              - matchExpressions:
                  - { key: size, operator: Gt, values: ["1"] }
                  - { key: size, operator: Lt, values: ["2"] }
      #                    ^^^^ affinity-contradiction: Matches no node
              - matchExpressions:
                  - { key: zone, operator: In, values: [a] }
                  - { key: zone, operator: Exists }
                  - { key: size, operator: DoesNotExist }
    `));

  test("if another term can match, a term that matches no node does not explain why the pod waits", () =>
    checkPredicted(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, resources: { requests: { cpu: "1000" } } }]
      #                                                                 ^^^^^^ pod-stays-pending: Pod web stays Pending
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
                - {}
      #           ^^ affinity-empty-term: An empty term matches no node
                - matchExpressions: [{ key: kubernetes.io/os, operator: In, values: [linux] }]
                - matchExpressions:
                    - { key: disk, operator: Exists }
                    - { key: disk, operator: DoesNotExist }
      #                      ^^^^ affinity-contradiction: Matches no node
    `));

  test("a term with a value that cannot be compared matches no node", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: a }
      spec:
        containers: [{ name: a, image: a }]
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
                - matchExpressions:
                    - { key: cpus, operator: Gt, values: [4Gi] }
      #                                                   ^^^ affinity-contradiction: Matches no node: Gt compares whole numbers of 64 bits, and “4Gi” is none
                - matchExpressions:
                    - { key: cpus, operator: Lt, values: ["8"] }
                    - { key: cpus, operator: NotIn, values: ["1", "2"] }
    `));

  test("a misspelled node name, with a suggestion unless only the number differs", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Node
      metadata: { name: worker-1 }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: a }
      spec: { nodeSelector: { kubernetes.io/hostname: worker1 }, containers: [{ name: a, image: a }] }
      #                                               ^^^^^^^ affinity-node-unknown: Node “worker1” does not exist in these files or in the assumed cluster “generic”; did you mean “worker-1”?
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: b }
      spec: { nodeSelector: { kubernetes.io/hostname: worker-2 }, containers: [{ name: b, image: b }] }
      #                                               ^^^^^^^^ affinity-node-unknown: Node “worker-2” does not exist in these files or in the assumed cluster “generic”
    `));

  test("a node's name in place of its different hostname label, and the other way", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Node
      metadata: { name: vm-1, labels: { kubernetes.io/hostname: 10.0.0.1 } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: by-name }
      spec: { nodeSelector: { kubernetes.io/hostname: vm-1 }, containers: [{ name: a, image: a }] }
      #                                               ^^^^ affinity-node-unknown: Node “vm-1” has the label kubernetes.io/hostname: 10.0.0.1, and that label is what is compared here
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: by-label }
      spec: { nodeSelector: { kubernetes.io/hostname: 10.0.0.1 }, containers: [{ name: a, image: a }] }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: past-the-scheduler }
      spec: { nodeName: 10.0.0.1, containers: [{ name: a, image: a }] }
      #                 ^^^^^^^^ affinity-node-unknown: Node “10.0.0.1” does not exist
    `));

  test("a pod that is kept from its volume", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: generic
      rules: { affinity-node-unknown: off, local-affinity-not-host: off }
      #- all.yaml
      apiVersion: v1
      kind: Node
      metadata: { name: one, labels: { disk: fast, kubernetes.io/hostname: one } }
      ---
      apiVersion: v1
      kind: Node
      metadata: { name: two, labels: { disk: slow, kubernetes.io/hostname: two } }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        storageClassName: local
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        persistentVolumeReclaimPolicy: Retain
        local: { path: /disk }
        nodeAffinity:
          required:
            nodeSelectorTerms:
              - matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [one] }]
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { volumeName: disk, storageClassName: local, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        nodeSelector: { disk: slow }
      #               ^^^^^^^^^^^^^^ affinity-pod-conflict: Pod web stays Pending
        ${container}
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));
});

suite("claims of pods", () => {
  test("more volumes than a node accepts", () => {
    const volumes = Array.from({ length: 17 }, (_, i) => `d${i}`);
    const mounts = volumes.map((name) => `{ name: ${name}, mountPath: /${name} }`).join(", ");
    const template = (name: string): string => `
              - name: ${name}
                ephemeral: { volumeClaimTemplate: { spec: { storageClassName: disks, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } } }`;
    return checkDiagnostics(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: disk.csi.azure.com
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers: [{ name: c, image: i, volumeMounts: [${mounts}] }]
            volumes:${volumes.map(template).join("")}
      #                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ volume-limit: 17 volumes of “disk.csi.azure.com”, and a node accepts 16
    `);
  });

  test("a claim with the name of an ephemeral volume's claim", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: web-data }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        ${container}
        volumes:
          - name: data
      #           ^^^^ ephemeral-claim-clash: PVC default/web-data was not created for pod default/web (pod is not owner)
            ephemeral:
              volumeClaimTemplate:
                spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `));

  test("an invalid claim name", () =>
    checkPredicted(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        ${container}
        volumes: [{ name: data, persistentVolumeClaim: { claimName: My_Data } }]
      #                                                             ^^^^^^^ pod-claim-bad-name: No object can have the name “My_Data”
    `));

  test("each term that matches no node is reported, at the expression that excludes all", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: web, image: nginx }]
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
                - {}
      #           ^^ affinity-empty-term: An empty term matches no node
                - matchExpressions:
                    - { key: size, operator: Gt, values: ["1"] }
                    - { key: size, operator: Lt, values: ["2"] }
      #                      ^^^^ affinity-contradiction: Matches no node: together with the term's other expressions on size this can never hold
                - matchExpressions: [{ key: size, operator: Gt, values: [large] }]
      #                                                                  ^^^^^ affinity-contradiction: Matches no node: Gt compares whole numbers of 64 bits, and “large” is none
    `));
});
