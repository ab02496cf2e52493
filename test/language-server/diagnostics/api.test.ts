import { checkDiagnostics } from "../../support/language-features.ts";

suite("what the API server answers", () => {
  test("of a document with several slips each is told, though the server stops at the first", () =>
    checkDiagnostics(`
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessMode: [ReadWriteOnce]
      # ^^^^^^^^^^ api-refused: unknown field "spec.accessMode"; did you mean “accessModes”?
        selector: disks
      #           ^^^^^ api-refused
        resources: { requests: { storage: 5GB } }
      #                                   ^^^ api-refused
    `));

  test("a field that has lost its indentation, or got too much, is told where it belongs", () =>
    checkDiagnostics(`
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        resources:
          requests: { storage: 1Gi }
          storageClassName: fast
        # ^^^^^^^^^^^^^^^^ api-refused: unknown field "spec.resources.storageClassName"; it belongs beside “resources”
      #- set.yaml
      apiVersion: apps/v1
      kind: ReplicaSet
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata:
          labels: { app: web }
        # ^^^^^^ api-refused: unknown field "spec.template.labels"; it belongs below “metadata”
          spec: { containers: [{ name: web, image: nginx }] }
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: web
            image: nginx
            volumes: [{ name: data, emptyDir: {} }]
          # ^^^^^^^ api-refused: unknown field "spec.containers[0].volumes"; it belongs beside “containers”
      #- volume.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        nfs: { server: s, path: /x }
        capacity:
          storage: 1Gi
          accessModes: [ReadWriteOnce]
        #              ^^^^^^^^^^^^^^^ api-refused: PersistentVolume in version "v1" cannot be handled as a PersistentVolume: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'; it belongs beside “capacity”
    `));

  test("fields below a volume's capacity are told where they belong, each as a whole", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        capacity:
          storage: 1Gi
          accessModes: [ReadWriteOnce]
        #              ^^^^^^^^^^^^^^^ api-refused: PersistentVolume in version "v1" cannot be handled as a PersistentVolume: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'; it belongs beside “capacity”
          persistentVolumeReclaimPolicy: Retain
        #                                ^^^^^^ api-refused: PersistentVolume in version "v1" cannot be handled as a PersistentVolume: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'; it belongs beside “capacity”
          nfs: { server: nas, path: /x }
        #      ^^^^^^^^^^^^^^^^^^^^^^^^^ api-refused: PersistentVolume in version "v1" cannot be handled as a PersistentVolume: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'; it belongs beside “capacity”
    `));

  test("a field that belongs further in is told where, if there is but one such place", () =>
    checkDiagnostics(`
      #- claim.yaml
      apiVersion: v1
      kind: List
      items:
        - apiVersion: v1
          kind: PersistentVolumeClaim
          metadata: { name: data }
          storageClassName: ""
        # ^^^^^^^^^^^^^^^^ api-refused: unknown field "storageClassName"; it belongs below “spec”
          spec:
            accessModes: [ReadWriteOnce]
            storage: 1Gi
          # ^^^^^^^ api-refused: unknown field "spec.storage"; it belongs below “resources.requests”
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        ports: []
      # ^^^^^ api-refused: unknown field "spec.ports"; it belongs below “containers”
        labels: {}
      # ^^^^^^ api-refused: unknown field "spec.labels"
        containers:
          - name: web
            mountPath: /data
          # ^^^^^^^^^ api-refused: unknown field "spec.containers[0].mountPath"; it belongs below “volumeMounts”
            volumeMounts: [{ name: data }]
        volumes:
          - name: data
            claimName: data
          # ^^^^^^^^^ api-refused: unknown field "spec.volumes[0].claimName"; it belongs below “persistentVolumeClaim”
          - name: share
            path: /x
          # ^^^^ api-refused: unknown field "spec.volumes[1].path"
    `));

  test("a field of the other half of a pair, and one around fields that need none, are told as such", () =>
    checkDiagnostics(`
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        capacity: { storage: 1Gi }
      # ^^^^^^^^ api-refused: unknown field "spec.capacity"; it is a field of PersistentVolume
      #- class.yaml
      apiVersion: v1
      kind: List
      items:
        - apiVersion: storage.k8s.io/v1
          kind: StorageClass
          metadata: { name: fast }
          spec:
        # ^^^^ api-refused: unknown field "spec"; what is below it belongs in its place
            provisioner: example.com/x
            parameters: { type: fast }
    `));

  test("an unknown field is marked where it stands", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        storageClass: ""
      # ^^^^^^^^^^^^ api-refused: unknown field "spec.storageClass"; did you mean “storageClassName”?
        resources: { requests: { storage: 1Gi } }
    `));

  test("an unknown field with a character that cannot be seen is marked where it stands", () =>
    checkDiagnostics(String.raw`
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: a
        "labels\u00a0": {}
      # ^^^^^^^^^^^^^^ api-refused: unknown field "metadata.labels\u00a0"; did you mean “labels”?
    `));

  test("what servers of the version take away is marked where it stands, what they do not know is refused", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      kubernetesVersion: "1.33"
      #- a.yaml
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            hostUser: false
      #     ^^^^^^^^ api-refused: unknown field "spec.template.spec.hostUser"; did you mean “hostUsers”?
            hostnameOverride: web
      #     ^^^^^^^^^^^^^^^^ api-refused: unknown field "spec.template.spec.hostnameOverride"; servers know it from Kubernetes 1.34 on
            resources: { limits: { cpu: "1" } }
      #     ^^^^^^^^^ field-dropped: Kubernetes 1.33 takes this away without a word; servers keep it from 1.34 on
            containers:
              - name: c
                image: i
                resources:
                  claims: [{ name: gpu }]
      #           ^^^^^^ field-dropped: Kubernetes 1.33 takes this away without a word; servers keep it from 1.34 on
            resourceClaims:
    `));

  test("wrong values are marked themselves, a shortened path is understood", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: []
      #              ^^ api-refused: spec.accessModes: Required value
        resources: { requests: { storage: 0 } }
      #                                   ^ api-refused: spec.resources[storage]: Invalid value
    `));

  test("a quantity that is none is found though the server does not say where", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        resources:
          requests:
            storage: 10GB
      #              ^^^^ api-refused: PersistentVolumeClaim in version "v1" cannot be handled as a PersistentVolumeClaim: quantities must match
    `));

  test("kubectl leaves out the version of an object that somebody has copied from a cluster", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk, resourceVersion: "7" }
      #                       ^^^^^^^^^^^^^^^ server-metadata: Server-owned; a resourceVersion
      spec:
        accessModes: [ReadWriteOnce]
        capacity: { storage: 10GB }
      #                      ^^^^ api-refused: PersistentVolume in version "v1" cannot be handled as a PersistentVolume: quantities must match
        nfs: { server: nas, path: / }
    `));

  test("a wrong type deep in a list is found", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - { name: a, image: i }
          - name: b
            image: i
            volumeMounts:
              - { name: v, mountPath: 7 }
      #                               ^ api-refused: Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number
    `));

  test("a volume that is refused is not missed by its mounts as well", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: a, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
        volumes: [{ name: v, hostPath: { path: /x, type: Dir } }]
      #                                                  ^^^ api-refused: spec.volumes[0].hostPath.type: Unsupported value: "Dir"
    `));

  test("thousandths of a byte are told with what was meant, not in the server's words as well", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 100m } }
      #                                   ^^^^ quantity-milli: “100m” is 1 byte
    `));

  test("each number of a map of texts is found", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: c }
      data: { port: 80, host: db, size: 5 }
      #             ^^ api-refused: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number
      #                                 ^ api-refused: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number
    `));

  test("only names of classes need the cluster to be judged", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        runtimeClassName: ""
      #                   ^^ api-refused: resource name may not be empty
        containers: [{ name: a, image: i }]
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: agent, namespace: kube-system }
      #                 ^^^^^ api-refused: pods "agent" is forbidden: the integer value of priority (5) must not be provided in pod spec
      spec:
        priorityClassName: system-node-critical
        priority: 5
        containers: [{ name: a, image: i }]
    `));

  test("a warning is marked at the field it is about", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: data }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        persistentVolumeReclaimPolicy: Recycle
      #                                ^^^^^^^ api-warning: spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated
        nfs: { server: s, path: /x }
    `));

  test("a warning about a volume is marked at its name, and at the source that servers take away", () =>
    checkDiagnostics(`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers:
              - name: c
                image: i
                volumeMounts: [{ name: one, mountPath: /one }, { name: two, mountPath: /two }]
            volumes:
              - name: one
      #               ^^^ api-warning: volume "one" (ConfigMap "settings"): overlapping paths: "x" with "x"
                configMap: { name: settings, optional: true, items: [{ key: a, path: x }, { key: b, path: x }] }
              - name: two
                projected:
                  sources:
                    - clusterTrustBundle: { name: ca, path: ca.pem }
      #               ^^^^^^^^^^^^^^^^^^ api-warning: volume "two" (Projected) has no sources provided: servers take clusterTrustBundle away
    `));

  test("the driver of a class is looked for where another kind of class has it", () =>
    checkDiagnostics(`
      { apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: { name: a }, provisioner: d, parameters: { a: b } }
      #                                                                                    ^^^^^^^^^^^ api-refused: unknown field "provisioner"; did you mean “driverName”?
      ---
      { apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: { name: a }, provisioner: d, deletionPolicy: Delete }
      #                                                                                           ^^^^^^^^^^^ api-refused: unknown field "provisioner"; did you mean “driver”?
    `));

  test("a resource that containers have under another name is told once, and never at requests that limits stand for", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: a
            image: i
            resources:
              limits:
                mem: 1Gi
      #         ^^^ api-refused: spec.containers[0].resources.limits[mem]: Invalid value: "mem": must be a standard resource type or fully qualified; did you mean “memory”?
          - name: b
            image: i
            resources:
              requests:
                Cpu: 1
      #         ^^^ api-refused: spec.containers[1].resources.requests[Cpu]: Invalid value: "Cpu": must be a standard resource type or fully qualified; did you mean “cpu”?
                storage: 1Gi
      #         ^^^^^^^ api-refused: spec.containers[1].resources.requests[storage]: Invalid value: "storage": must be a standard resource for containers; did you mean “ephemeral-storage”?
                memroy: 1Gi
      #         ^^^^^^ api-refused: spec.containers[1].resources.requests[memroy]: Invalid value: "memroy": must be a standard resource type or fully qualified; did you mean “memory”?
          - name: c
            image: i
            resources: { limits: { gpu: 1, example.com/gpu: 0.5 } }
      #                            ^^^ api-refused: spec.containers[2].resources.limits[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified
      #                                                     ^^^ api-refused: spec.containers[2].resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer
    `));

  test("a label, an annotation or a key that is not valid is told where it stands in its map", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata:
        name: web
        labels:
          app: web
          a b: c
      #   ^^^ api-refused: metadata.labels: Invalid value: "a b": name part must consist of
          tier: front end
      #         ^^^^^^^^^ api-refused: metadata.labels: Invalid value: "front end": a valid label must be
        annotations: { one: two, a/b/c: d }
      #                          ^^^^^ api-refused: metadata.annotations: Invalid value: "a/b/c": a valid label key must consist of
      spec:
        nodeSelector:
          disk: ssd
          zone: "%s"
      #         ^^^^ api-refused: spec.nodeSelector: Invalid value: "%s": a valid label must be
        containers: [{ name: c, image: i }]
      ---
      { apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { a: b, c d: e } }
      #                                                                       ^^^ api-refused: data[c d]: Invalid value: "c d": a valid config key must consist of
      ---
      apiVersion: apps/v1
      kind: ReplicaSet
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: we b, tier: one } }
      #                                 ^^^^ api-refused: spec.selector.matchLabels: Invalid value: "we b": a valid label must be
        template:
          metadata: { labels: { app: we b, tier: one } }
          spec: { containers: [{ name: c, image: i }] }
    `));

  test("a snapshot that names its claim or its driver as the first ones did is told the field of today", () =>
    checkDiagnostics(`
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: s }
      spec:
        source: { name: data, kind: PersistentVolumeClaim }
      #           ^^^^ api-refused: unknown field "spec.source.name"; did you mean “persistentVolumeClaimName”?
      #                       ^^^^ api-refused: unknown field "spec.source.kind"
      ---
      { apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: { name: c }, snapshotter: d, deletionPolicy: Delete }
      #                                                                                           ^^^^^^^^^^^ api-refused: unknown field "snapshotter"; did you mean “driver”?
    `));

  test("a claim that asks for storage under nearly that name is told the name", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: a }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { Storage: 1Gi } } }
      #                                                                                    ^^^^^^^ api-refused: spec.resources[storage]: Required value; did you mean “storage”?
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: b }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { size: 1Gi } } }
      #                                                           ^^^^^^^^^ api-refused: spec.resources[storage]: Required value
    `));
});
