import { checkDiagnostics } from "../../support/language-features.ts";

suite("refusals and warnings of the API server", () => {
  test("report every mistake in a document, although the server stops at the first", () =>
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

  test("say where a field with too little or too much indentation belongs", () =>
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

  test("report each field indented below a volume's capacity as a whole", () =>
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

  test("say where a field that belongs further in does, if there is only one such place", () =>
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

  test("recognize a field of a volume in a claim, and a superfluous spec", () =>
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
        # ^^^^ api-refused: unknown field "spec"; its fields belong one level up
            provisioner: example.com/x
            parameters: { type: fast }
    `));

  test("are at the unknown field", () =>
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

  test("are at an unknown field that contains an invisible character", () =>
    checkDiagnostics(String.raw`
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: a
        "labels\u00a0": {}
      # ^^^^^^^^^^^^^^ api-refused: unknown field "metadata.labels\u00a0"; did you mean “labels”?
    `));

  test("are at fields that servers of the version do not know, and say which fields they silently drop", () =>
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
      #     ^^^^^^^^^^^^^^^^ api-refused: unknown field "spec.template.spec.hostnameOverride"; available since Kubernetes 1.34
            resources: { limits: { cpu: "1" } }
      #     ^^^^^^^^^ field-dropped: Kubernetes 1.33 silently drops this; 1.34 and later keep it
            containers:
              - name: c
                image: i
                resources:
                  claims: [{ name: gpu }]
      #           ^^^^^^ field-dropped: Kubernetes 1.33 silently drops this; 1.34 and later keep it
            resourceClaims:
    `));

  test("are at invalid values, even if the server's path is abbreviated", () =>
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

  test("are at an invalid quantity although the server does not say where it is", () =>
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

  test("ignore the resourceVersion of an object copied from a cluster, as kubectl does", () =>
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

  test("are at a value of the wrong type deep in a list", () =>
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

  test("do not report a refused volume as missing at its mounts as well", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: a, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
        volumes: [{ name: v, hostPath: { path: /x, type: Dir } }]
      #                                                  ^^^ api-refused: spec.volumes[0].hostPath.type: Unsupported value: "Dir"
    `));

  test("do not repeat what another rule says about thousandths of a byte", () =>
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

  test("are at each number in a map of strings", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: c }
      data: { port: 80, host: db, size: 5 }
      #             ^^ api-refused: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number
      #                                 ^ api-refused: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number
    `));

  test("judge an empty class name, and a priority given along with a class, without the cluster", () =>
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

  test("put a warning at its field", () =>
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

  test("put a warning about a volume at its name, or at the source that servers drop", () =>
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
      #               ^^^^^^^^^^^^^^^^^^ api-warning: volume "two" (Projected) has no sources provided: servers drop clusterTrustBundle
    `));

  test("suggest the class's own field if the driver is in another kind's field", () =>
    checkDiagnostics(`
      { apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: { name: a }, provisioner: d, parameters: { a: b } }
      #                                                                                    ^^^^^^^^^^^ api-refused: unknown field "provisioner"; did you mean “driverName”?
      ---
      { apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: { name: a }, provisioner: d, deletionPolicy: Delete }
      #                                                                                           ^^^^^^^^^^^ api-refused: unknown field "provisioner"; did you mean “driver”?
    `));

  test("report a misspelled resource once, and not at requests that are only defaults from limits", () =>
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

  test("are at the invalid label, annotation or key in its map", () =>
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

  test("suggest the present field if a snapshot uses one of the alpha API", () =>
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

  test("suggest the name if a claim misspells storage", () =>
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
