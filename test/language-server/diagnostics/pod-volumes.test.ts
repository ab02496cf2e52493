import assert from "node:assert/strict";
import { checkDiagnostics } from "../../support/language-features.ts";
import { diagnosticsOf } from "../../support/rule-page.ts";

/** Switches off the finding about unmounted volumes, which these tests are not about. */
const settings = `
      #- claimcheck.yaml
      rules: { volume-unused: off }
      #- manifest.yaml`;

const pod = (spec: string): string => `${settings}${podOnly(spec)}`;

const podOnly = (spec: string): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:${spec}`;

suite("volumes and mounts of pods", () => {
  test("mount paths that hide something", () =>
    checkDiagnostics(
      `${pod(`
        containers:
          - name: c
            image: i
            volumeMounts:
              - { name: a, mountPath: /data/cache }
              - { name: a, mountPath: /data }
      #                               ^^^^^ mount-path-nested: This mount may hide /data/cache
              - { name: a, mountPath: /data/ }
      #                               ^^^^^^ mount-path-nested
      #                               ^^^^^^ mount-path-same: Both mounts land on /data
              - { name: a, mountPath: work }
      #                               ^^^^ mount-path-relative: The path is interpreted relative to
              - { name: a, mountPath: /etc }
      #                               ^^^^ mount-path-system: The mount hides /etc of the image
              - { name: dev, mountPath: /dev }
        volumes:
          - { name: a, emptyDir: {} }
          - { name: dev, hostPath: { path: /dev } }
    `)}`,
    ));

  test("Windows paths are not relative", () =>
    checkDiagnostics(
      `${pod(`
        os: { name: windows }
        containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: 'data' }] }]
        volumes: [{ name: a, emptyDir: {} }]
    `)}`,
    ));

  test("unlimited memory and an unknown medium", () =>
    checkDiagnostics(
      `${pod(`
        containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }, { name: b, mountPath: /b }, { name: d, mountPath: /d }] }]
        volumes:
          - { name: a, emptyDir: { medium: Memory } }
      #                                    ^^^^^^ emptydir-memory-unlimited
          - { name: b, emptyDir: { medium: Memory, sizeLimit: 64Mi } }
          - { name: d, emptyDir: { medium: memory } }
      #                                    ^^^^^^ emptydir-medium-unknown: Unknown medium “memory”
    `)}`,
    ));

  test("file modes without the zero", () =>
    checkDiagnostics(
      `${pod(`
        containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }, { name: b, mountPath: /b }] }]
        volumes:
          - { name: a, configMap: { name: kube-root-ca.crt, defaultMode: 440 } }
      #                                                                  ^^^ mode-looks-octal: 440 decimal is 0670; as an octal mode write 0440
          - { name: b, configMap: { name: kube-root-ca.crt, defaultMode: 0440 } }
    `)}`,
    ));

  test("plugins that were removed or migrated to CSI", () =>
    checkDiagnostics(
      `${pod(`
        containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }, { name: b, mountPath: /b }, { name: d, mountPath: /d }, { name: e, mountPath: /e }] }]
        volumes:
          - { name: a, quobyte: { registry: "r:1", volume: v } }
      #                ^^^^^^^ source-removed: The in-tree driver was removed in 1.25 (its CSI driver is “csi.quobyte.com”); the volume cannot be mounted
          - { name: b, awsElasticBlockStore: { volumeID: v } }
      #                ^^^^^^^^^^^^^^^^^^^^ source-migrated: Redirected to CSI driver “ebs.csi.aws.com”
          - { name: d, flexVolume: { driver: x/y } }
      #                ^^^^^^^^^^ source-deprecated: flexVolume is deprecated
          - { name: e, gitRepo: { repository: r } }
      #                ^^^^^^^ source-deprecated: gitRepo is switched off by default; the Pod will not start
    `)}`,
    ));

  test("gitRepo volumes are only deprecated before 1.33", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      kubernetesVersion: "1.32"
      #- all.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: p }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }] }]
        volumes: [{ name: a, gitRepo: { repository: r } }]
      #                      ^^^^^^^ source-deprecated: gitRepo is deprecated: clone in an initContainer into an emptyDir
    `));

  test("a mode that only root can read, beside one that lacks its zero", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Secret
      metadata: { name: keys }
      stringData: { key: a }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: p }
      spec:
        securityContext: { runAsUser: 1000 }
        containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }, { name: b, mountPath: /b }] }]
        volumes:
          - { name: a, secret: { secretName: keys, defaultMode: 0400 } }
      #                                                         ^^^^ mode-not-readable: The files belong to root, and mode 0400 lets nobody else read them
          - { name: b, secret: { secretName: keys, defaultMode: 400 } }
      #                                                         ^^^ mode-looks-octal: 400 decimal is 0620
    `));

  test("directories of a node in several replicas", () =>
    checkDiagnostics(`${settings}
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: 2
        selector: { matchLabels: { a: b } }
        template:
          metadata: { labels: { a: b } }
          spec:
            containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }, { name: b, mountPath: /b }, { name: c, mountPath: /c }] }]
            volumes:
              - { name: a, hostPath: { path: /data } }
      #                                      ^^^^^ hostpath-in-workload: Each node has its own copy
              - { name: b, hostPath: { path: data } }
      #                                      ^^^^ hostpath-in-workload
      #                                      ^^^^ hostpath-relative
              - { name: c, hostPath: { path: /run/x.sock, type: Socket } }
    `));

  test("directories of a node in several replicas that all run on that node", () =>
    checkDiagnostics(`${settings}
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: 2
        selector: { matchLabels: { a: b } }
        template:
          metadata: { labels: { a: b } }
          spec:
            affinity:
              podAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  - { labelSelector: { matchLabels: { a: b } }, topologyKey: kubernetes.io/hostname }
            containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }] }]
            volumes: [{ name: a, hostPath: { path: /data } }]
    `));

  test("directories of a node in several replicas of a ReplicationController", () =>
    checkDiagnostics(`${settings}
      apiVersion: v1
      kind: ReplicationController
      metadata: { name: web }
      spec:
        replicas: 2
        template:
          metadata: { labels: { a: b } }
          spec:
            containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }] }]
            volumes:
              - { name: a, hostPath: { path: /data } }
      #                                      ^^^^^ hostpath-in-workload: Each node has its own copy
    `));

  test("strings that YAML reads as booleans, each once", () =>
    checkDiagnostics(`${settings}
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: c
        labels: { enabled: yes }
      #                    ^^^ yaml-bool-value: YAML reads yes as a boolean, and the server refuses it: quote it
      ---${podOnly(`
        nodeSelector: { gpu: true, old: no }
      #                      ^^^^ yaml-bool-value: YAML reads true as a boolean
      #                                 ^^ yaml-bool-value: YAML reads no as a boolean
        automountServiceAccountToken: true
        containers: [{ name: c, image: i, env: [{ name: DEBUG, value: on }] }]
      #                                                               ^^ yaml-bool-value: YAML reads on as a boolean
    `)}`));

  test("the server's message is at the boolean that it names", async () => {
    const manifest = `apiVersion: v1
kind: Pod
metadata: { name: web, labels: { a: yes } }
spec: { nodeSelector: { gpu: true }, containers: [{ name: c, image: i }] }`;
    const found = await diagnosticsOf(new Map([["pod.yaml", manifest]]), false);
    const quote = (written: string): string =>
      `YAML reads ${written} as a boolean, and the server refuses it: quote it`;
    assert.deepEqual(
      found.map(({ message }) => message),
      [
        `${quote("yes")}\nPod in version "v1" cannot be handled as a Pod: json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string`,
        quote("true"),
      ],
    );
  });

  test("a size that YAML reads as a boolean is not offered quotes", () =>
    checkDiagnostics(`${settings}
      ${podOnly(`
        containers: [{ name: c, image: i, resources: { limits: { memory: yes } } }]
      #                                                                  ^^^ api-refused
    `)}`));

  test("a driver that does not support inline volumes", () =>
    checkDiagnostics(`${settings}
      apiVersion: storage.k8s.io/v1
      kind: CSIDriver
      metadata: { name: d.example.com }
      spec: { volumeLifecycleModes: [Persistent] }
      ---${podOnly(`
        containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }] }]
        volumes:
          - { name: a, csi: { driver: d.example.com } }
      #                               ^^^^^^^^^^^^^ csi-ephemeral-undeclared
    `)}`));

  test("a driver that is not in the files may support inline volumes", () =>
    checkDiagnostics(
      pod(`
        containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }] }]
        volumes:
          - { name: a, csi: { driver: nfs.csi.k8s.io, volumeAttributes: { server: s, share: / } } }
      #                               ^^^^^^^^^^^^^^ csi-ephemeral-undeclared: Driver “nfs.csi.k8s.io”, as it is usually installed, does not support inline volumes
      #                               ^^^^^^^^^^^^^^ csidriver-missing
    `),
    ));

  test("a subPath that is not a key of the volume, and a file's path as mountPath of a whole volume", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: site }
      data: { nginx.conf: "", extra.conf: "" }
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: injected, annotations: { inject-ca: "true" } }
      data: { a.txt: "" }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: c
            image: i
            volumeMounts:
              - { name: site, mountPath: /a/nginx.conf, subPath: nginx.config }
      #                                                          ^^^^^^^^^^^^ subpath-key-missing: Volume “site” holds no file “nginx.config”, and an empty directory is mounted in its place; did you mean “nginx.conf”?
      #                                                          ^^^^^^^^^^^^ subpath-config-update
              - { name: site, mountPath: /b/nginx.conf }
      #                                  ^^^^^^^^^^^^^ config-mounted-as-directory: The whole volume is mounted: /b/nginx.conf becomes a directory
              - { name: site, mountPath: /c/site.conf }
              - { name: site, mountPath: /d/conf.d }
              - { name: all, mountPath: /e, subPath: sub }
      #                                              ^^^ subpath-config-update
              - { name: all, mountPath: /f, subPath: sub/other }
      #                                              ^^^^^^^^^ subpath-key-missing: Volume “all” holds no file “sub/other”, and an empty directory is mounted in its place; it holds “sub/token” and “name”
      #                                              ^^^^^^^^^ subpath-config-update
              - { name: injected, mountPath: /g, subPath: b.txt }
      #                                                   ^^^^^ subpath-config-update
        volumes:
          - { name: site, configMap: { name: site } }
          - { name: injected, configMap: { name: injected } }
          - name: all
            projected:
              sources:
                - serviceAccountToken: { path: sub/token }
                - downwardAPI: { items: [{ path: name, fieldRef: { fieldPath: metadata.name } }] }
    `));

  test("a file mounted inside a ConfigMap's mount, where the kubelet creates a directory", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      rules: { subpath-config-update: off, emptydir-memory-unlimited: off, mount-path-nested: off }
      #- all.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: c
            image: i
            volumeMounts:
              - { name: work, mountPath: /a/x.conf, subPath: x.conf }
      #                                  ^^^^^^^^^ mount-file-in-config: If “x.conf” is a file, the container does not start: at /a/x.conf, within the mount of “site” at /a/, the kubelet creates a directory
              - { name: site, mountPath: /a/ }
              - { name: token, mountPath: /a/sub/token, subPath: token }
      #                                   ^^^^^^^^^^^^ mount-file-in-config: The container does not start
              - { name: work, mountPath: /a/conf.d, subPath: conf.d }
              - { name: work, mountPath: /a/v1.2, subPath: v1.2 }
              - { name: work, mountPath: /a/work }
              - { name: token, mountPath: /a/work/token, subPath: token }
              - { name: token, mountPath: /ab/token, subPath: token }
              - { name: site, mountPath: /b, subPath: part }
              - { name: token, mountPath: /b/token, subPath: token }
        volumes:
          - { name: site, configMap: { name: site, optional: true } }
          - { name: work, emptyDir: {} }
          - { name: token, projected: { sources: [{ serviceAccountToken: { path: token } }] } }
    `));

  for (const [behavior, missing] of [
    ["merge", ""],
    ["replace", `subpath-key-missing: Volume “site” holds no file “a.conf”`],
  ])
    test(`an overlay whose generator has behavior ${behavior}`, () =>
      checkDiagnostics(`
        #- base/kustomization.yaml
        resources: [pod.yaml]
        configMapGenerator: [{ name: site, files: [a.conf] }]
        #- base/pod.yaml
        apiVersion: v1
        kind: Pod
        metadata: { name: web }
        spec:
          volumes: [{ name: site, configMap: { name: site } }]
          containers:
            - name: c
              image: i
              volumeMounts: [{ name: site, mountPath: /a.conf, subPath: a.conf }]
        #                                                               ^^^^^^ subpath-config-update
        ${missing && `#                                                               ^^^^^^ ${missing}`}
        #- kustomization.yaml
        resources: [base]
        configMapGenerator: [{ name: site, behavior: ${behavior}, files: [b.conf] }]
      `));

  test("a program that is not executable in a mounted ConfigMap, or hidden by a mount", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: scripts }
      data: { run.sh: "" }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: direct
            image: i
            command: [/scripts/run.sh]
      #               ^^^^^^^^^^^^^^^ command-not-executable: “/scripts/run.sh” has mode 0644, which is not executable
            volumeMounts: [{ name: plain, mountPath: /scripts/ }]
          - name: one-file
            image: i
            command: [sh, -c, "sleep 1 && /run.sh"]
      #                       ^^^^^^^^^^^^^^^^^^^^ command-not-executable
            volumeMounts: [{ name: plain, mountPath: /run.sh, subPath: run.sh }]
      #                                                                ^^^^^^ subpath-config-update
          - name: read-by-a-shell
            image: i
            command: [sh, /scripts/run.sh]
            volumeMounts: [{ name: plain, mountPath: /scripts }]
          - name: executable
            image: i
            command: [/scripts/run.sh]
            livenessProbe: { exec: { command: [/scripts/live.sh] } }
      #                                        ^^^^^^^^^^^^^^^^ command-hidden: The mount of volume “executable” hides the image's files there, and the volume holds “run.sh”: /scripts/live.sh does not exist
            volumeMounts: [{ name: executable, mountPath: /scripts }]
          - name: by-item
            image: i
            command: [/scripts/go]
            volumeMounts: [{ name: item, mountPath: /scripts }]
          - name: empty
            image: i
            command: [/work/app]
      #               ^^^^^^^^^ command-hidden: The mount of volume “empty” hides the image's files there, and the volume is empty at first
            livenessProbe: { exec: { command: [/work/written-by-app] } }
            lifecycle: { preStop: { exec: { command: [sh, -c, /work/written-by-app] } } }
            volumeMounts: [{ name: empty, mountPath: /work }]
          - name: filled
            image: i
            command: [sh, -c, "cp /app /own/app && /own/app"]
            volumeMounts: [{ name: own, mountPath: /own }, { name: shared, mountPath: /shared }]
          - name: other
            image: i
            command: [/shared/app]
            volumeMounts: [{ name: shared, mountPath: /shared }, { name: unknown, mountPath: /u }]
            startupProbe: { exec: { command: [/u/x] } }
        volumes:
          - { name: plain, configMap: { name: scripts } }
          - { name: executable, configMap: { name: scripts, defaultMode: 0755 } }
          - { name: item, configMap: { name: scripts, items: [{ key: run.sh, path: go, mode: 0555 }] } }
          - { name: empty, emptyDir: {} }
          - { name: own, emptyDir: {} }
          - { name: shared, emptyDir: {} }
          - { name: unknown, hostPath: { path: /u } }
    `));

  test("a mount inside a read-only empty volume, unless an init container may have created its directory", () =>
    checkDiagnostics(
      `${settings}${["alone", "made"]
        .map(
          (name) => `
      apiVersion: v1
      kind: Pod
      metadata: { name: ${name} }
      spec:
        volumes: [{ name: a, emptyDir: {} }, { name: b, emptyDir: {} }]
        ${name === "alone" ? "" : "initContainers: [{ name: i, image: i, volumeMounts: [{ name: a, mountPath: /a }] }]"}
        containers:
          - name: c
            image: i
            volumeMounts:
              - { name: a, mountPath: /a, readOnly: true }
              - { name: b, mountPath: /a/b }${name === "alone" ? "\n      #                               ^^^^ mount-path-readonly: The container does not start: nobody can make /a/b in volume “a”" : ""}
      ---`,
        )
        .join("")}`,
    ));

  test("a ConfigMap mounted at /etc, which leaves no room for the runtime's own files", () =>
    checkDiagnostics(
      pod(`
        containers:
          - name: c
            image: i
            volumeMounts:
              - { name: a, mountPath: /etc }
      #                               ^^^^ mount-path-system: The mount hides /etc of the image and is read-only
              - { name: b, mountPath: /usr }
      #                               ^^^^ mount-path-system: The mount hides /usr of the image
        volumes: [{ name: a, configMap: { name: a, optional: true } }, { name: b, emptyDir: {} }]`),
    ));

  test("Windows drives, unless the pod runs on Windows", () => {
    const drives = (os: string, marks: readonly string[]): string =>
      pod(`
        ${os}containers: [{ name: c, image: i }]
        volumes:
          - { name: a, hostPath: { path: 'C:\\Users\\me' } }${marks[0] ?? ""}
          - { name: b, hostPath: { path: /d/files } }${marks[1] ?? ""}
          - { name: c, hostPath: { path: /data/c } }`);
    const mark = (length: number, text: string): string =>
      `\n      #                                  ${"^".repeat(length)} hostpath-windows-drive: A drive of Windows, which a Linux node does not have. On Docker Desktop with WSL 2 the directory is /run/desktop/mnt/host/${text}`;
    return Promise.all([
      checkDiagnostics(drives("", [mark(13, "c/Users/me"), mark(8, "d/files")])),
      checkDiagnostics(drives("os: { name: windows }\n        ", [])),
    ]);
  });

  test("paths of the user's own machine on kind, except those in its extraMounts", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: kind
      #- cluster.yaml
      apiVersion: kind.x-k8s.io/v1alpha4
      kind: Cluster
      nodes: [{ role: control-plane, extraMounts: [{ hostPath: ./data, containerPath: /data/ }] }]
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [${["a", "b", "c", "d", "e"].map((name) => `{ name: ${name}, mountPath: /${name} }`).join(", ")}] }]
        volumes:
          - { name: a, hostPath: { path: /data/shop, type: Directory } }
          - { name: b, hostPath: { path: /Users/me, type: Directory } }
      #                                  ^^^^^^^^^ hostpath-own-machine: kind's nodes do not see your machine's files
          - { name: c, hostPath: { path: /var/run/docker.sock, type: Socket } }
      #                                  ^^^^^^^^^^^^^^^^^^^^ hostpath-own-machine: kind's nodes run containerd
          - { name: d, hostPath: { path: /lib/modules, type: Directory } }
          - { name: e, hostPath: { path: /Users/me } }
      #- volume.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        local: { path: /mnt }
        nodeAffinity:
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [kind-control-plane] }] }] }
    `));

  test("an NFS server that is a Service, has a path, or is the node itself", () =>
    checkDiagnostics(`${settings}
      apiVersion: v1
      kind: Service
      metadata: { name: files }
      spec: { selector: { app: files }, ports: [{ port: 2049 }] }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i }]
        volumes:
          - { name: a, nfs: { server: files, path: / } }
      #                               ^^^^^ nfs-server-service: “files” is a Service's name
          - { name: b, nfs: { server: files.default, path: / } }
      #                               ^^^^^^^^^^^^^ nfs-server-service
          - { name: c, nfs: { server: other.shop.svc.cluster.local, path: / } }
      #                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ nfs-server-service
          - { name: d, nfs: { server: files.example.com, path: / } }
          - { name: h, nfs: { server: files.lan, path: / } }
          - { name: e, nfs: { server: "10.0.0.1:/x", path: /y } }
      #                               ^^^^^^^^^^^^^ nfs-server-path: The node would mount 10.0.0.1:/x:/y
          - { name: f, nfs: { server: "fd00::1", path: /y } }
          - { name: g, nfs: { server: 127.0.0.1, path: /y } }
      #                               ^^^^^^^^^ nfs-server-path: The node mounts the share, and “127.0.0.1” is that node itself
    `));

  test("a driver that requires a pod annotation, for inline volumes and for the only volume that fits a claim", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: bucket }
      spec:
        storageClassName: buckets
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteMany]
        csi: { driver: gcsfuse.csi.storage.gke.io, volumeHandle: b }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: buckets, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: { name: load, annotations: { gke-gcsfuse/volumes: "true" } }
      spec:
        template:
          spec:
            restartPolicy: Never
            containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
            volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
      #                                                                 ^^^^ driver-pod-annotation: Driver “gcsfuse.csi.storage.gke.io” needs the annotation gke-gcsfuse/volumes: "true" on pods
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: asks, annotations: { gke-gcsfuse/volumes: "True" } }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, csi: { driver: gcsfuse.csi.storage.gke.io, volumeAttributes: { bucketName: b } } }]
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: brings }
      spec:
        initContainers: [{ name: gke-gcsfuse-sidecar, image: i, restartPolicy: Always }]
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, csi: { driver: gcsfuse.csi.storage.gke.io, volumeAttributes: { bucketName: b } } }]
    `));

  test("a SecretProviderClass of another namespace, and a missing one", () =>
    checkDiagnostics(`
      apiVersion: secrets-store.csi.x-k8s.io/v1
      kind: SecretProviderClass
      metadata: { name: keys }
      spec: { provider: azure }
      ---
      apiVersion: v1
      kind: Namespace
      metadata: { name: shop }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web, namespace: shop }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: a, mountPath: /a }, { name: b, mountPath: /b }] }]
        volumes:
          - { name: a, csi: { driver: secrets-store.csi.k8s.io, volumeAttributes: { secretProviderClass: keys } } }
      #                                                                                                  ^^^^ secret-provider-class-missing: SecretProviderClass “keys” is in no file of namespace shop; it exists in namespace “default”
          - { name: b, csi: { driver: secrets-store.csi.k8s.io, volumeAttributes: { secretProviderClass: nothing } } }
      #                                                                                                  ^^^^^^^ secret-provider-class-missing: SecretProviderClass “nothing” is in no file of namespace shop
    `));
});
