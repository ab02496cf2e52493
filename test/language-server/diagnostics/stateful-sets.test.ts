import { checkDiagnostics, checkPredicted } from "../../support/language-features.ts";

const head = (name: string): string => `
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: ${name} }
      spec:
        serviceName: db
        selector: { matchLabels: { app: db } }`;

const pod = (volumes: string): string => `
        template:
          metadata: { labels: { app: db } }
          spec:
            containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
            ${volumes}`;

const spec =
  "storageClassName: gp3, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }";

const storageClass = `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: gp3 }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---`;

suite("claim templates", () => {
  test("a missing class is reported once", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: k3s
      #- db.yaml${head("db")}${pod("")}
        volumeClaimTemplates:
          - metadata: { name: data }
            spec:
              storageClassName: premium
      #                         ^^^^^^^ sts-template-class-missing: StorageClass “premium” does not exist; the claims of Pods db-0… stay Pending; known are “local-path”
              accessModes: [ReadWriteOnce]
              resources: { requests: { storage: 1Gi } }
    `));

  test("a missing class is reported with the first waiting pod, whatever its ordinal", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: k3s
      #- db.yaml${head("db")}${pod("")}
        ordinals: { start: 5 }
        volumeClaimTemplates:
          - metadata: { name: data }
            spec:
              storageClassName: premium
      #                         ^^^^^^^ sts-template-class-missing: StorageClass “premium” does not exist; the claims of Pods db-5… stay Pending; known are “local-path”
              accessModes: [ReadWriteOnce]
              resources: { requests: { storage: 1Gi } }
    `));

  test("a claim template without a name is reported once", () =>
    checkDiagnostics(`${storageClass}${head("db")}${pod("")}
        volumeClaimTemplates:
          - spec: { ${spec} }
      #     ${"^".repeat(104)} api-refused: spec.template.spec.volumes[0].name: Required value: the volume of a claim template, which has no name
    `));

  test("a refused volume is found by its index in the file, although claims are inserted before it", () =>
    checkDiagnostics(`${storageClass}${head("db")}${pod("volumes: [{ name: data, emptyDir: {} }, { name: x, hostPath: {} }]")}
      #                                                        ^^^^^^^^ api-refused: spec.template.spec.volumes[1].hostPath.path: Required value
        volumeClaimTemplates:
          - metadata: { name: data }
      #                       ^^^^ sts-template-hides-volume
            spec: { ${spec} }
    `));

  test("an existing claim with other access modes or volumeMode is reported", async () => {
    const set = `---${head("db")}${pod("")}
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { ${spec} }`;
    const claim = `${storageClass}
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data-db-0 }
      spec:
        storageClassName: gp3
        resources: { requests: { storage: 1Gi } }`;
    await checkDiagnostics(`${claim}
        accessModes: [ReadWriteOncePod]
      #              ^^^^^^^^^^^^^^^^^^ sts-adopts-claim: StatefulSet db adopts this claim unchanged; its template, with another list of access modes
      ${set}
    `);
    await checkDiagnostics(`${claim}
        accessModes: [ReadWriteOnce]
        volumeMode: Block
      #             ^^^^^ sts-adopts-claim: StatefulSet db adopts this claim unchanged; its template, with another volumeMode
      ${set}
    `);
  });

  test("a pod volume of the same name is replaced", () =>
    checkDiagnostics(`${storageClass}${head("db")}${pod("volumes: [{ name: data, emptyDir: {} }]")}
        volumeClaimTemplates:
          - metadata: { name: data }
      #                       ^^^^ sts-template-hides-volume: The Pod volume “data” is replaced by this claim
            spec: { ${spec} }
    `));

  test("a reference in a replaced volume is not reported missing", () =>
    checkDiagnostics(`${storageClass}${head("db")}${pod("volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]")}
        volumeClaimTemplates:
          - metadata: { name: data }
      #                       ^^^^ sts-template-hides-volume: The Pod volume “data” is replaced by this claim
            spec: { ${spec} }
    `));

  test("a class in the beta annotation is not replaced by the default class", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: gke
      #- db.yaml${head("db")}${pod("")}
        volumeClaimTemplates:
          - metadata: { name: data, annotations: { volume.beta.kubernetes.io/storage-class: standard-rwo } }
            spec: { ${spec.replace(/storageClassName: \w+, /, "")} }
    `));

  test("a claim that no container mounts is reported", () =>
    checkDiagnostics(`${storageClass}${head("db")}${pod("")}
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { ${spec} }
          - metadata: { name: logs }
      #                       ^^^^ sts-template-unmounted: The volume is provisioned but unused
            spec: { ${spec} }
    `));

  test("an existing claim of another size is reported", () =>
    checkDiagnostics(`${storageClass}
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data-db-0 }
      spec:
        storageClassName: gp3
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 2Gi } }
      #                                   ^^^ sts-adopts-claim: StatefulSet db adopts this claim unchanged; its template, with another size, is not applied
      ---${head("db")}${pod("")}
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { ${spec} }
    `));

  test("a retention policy that deletes data is reported", () =>
    checkDiagnostics(`${storageClass}${head("db")}
        persistentVolumeClaimRetentionPolicy: { whenDeleted: Delete, whenScaled: Retain }
      #                                                      ^^^^^^ sts-retention-delete: The claims, and with the reclaim policy Delete their data, are deleted when the StatefulSet is deleted${pod("")}
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { ${spec} }
    `));

  test("a name that leaves no room for a hash is reported", () =>
    checkDiagnostics(`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: a-database-of-the-accounting-department-of-the-company }
      #                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ sts-name-too-long: Pods cannot be created for revisions whose hash has more than 8 characters
      spec:
        serviceName: db
        selector: { matchLabels: { app: db } }
        template:
          metadata: { labels: { app: db } }
          spec: { containers: [{ name: c, image: i }] }
    `));
});

suite("claims beside templates", () => {
  test("one named like the template alone is unused", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: k3s
      #- db.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      #                 ^^^^ pvc-unused: Claim is not used by these files; StatefulSet db creates its own claims from template “data”, and would adopt a claim named “data-db-0” for its first pod
      spec: { accessModes: [ReadWriteOnce], storageClassName: eager, resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: eager }
      spec: { accessModes: [ReadWriteOnce], storageClassName: eager, capacity: { storage: 1Gi }, nfs: { server: s, path: / } }
      ---${head("db")}${pod("")}
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `));

  test("the finding says how it would have to be named, whatever the first ordinal", () =>
    checkPredicted(`
      #- claimcheck.yaml
      profile: k3s
      #- db.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      #                 ^^^^ pvc-unused: Claim is not used by these files; StatefulSet db creates its own claims from template “data”, and would adopt a claim named “data-db-5” for its first pod
      spec: { accessModes: [ReadWriteOnce], storageClassName: eager, resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: eager }
      spec: { accessModes: [ReadWriteOnce], storageClassName: eager, capacity: { storage: 1Gi }, nfs: { server: s, path: / } }
      ---${head("db")}${pod("")}
        ordinals: { start: 5 }
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `));
});

suite("volumes of pods", () => {
  test("a volume that no container mounts is reported", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes:
          - { name: data, emptyDir: {} }
          - { name: cache, emptyDir: {} }
      #             ^^^^^ volume-unused: Volume “cache” is mounted nowhere
    `));

  test("the alpha annotation for a class is reported as unread", () =>
    checkDiagnostics(`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: zoo }
      spec:
        serviceName: zoo
        selector: { matchLabels: { app: zoo } }
        template:
          metadata: { labels: { app: zoo } }
          spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }, { name: log, mountPath: /l }] }] }
        volumeClaimTemplates:
          - metadata:
              name: data
              annotations: { volume.alpha.kubernetes.io/storage-class: anything }
      #                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pvc-alpha-annotation: Nobody reads this annotation since Kubernetes 1.7: the claim names no class
            spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
          - metadata:
              name: log
              annotations: { volume.alpha.kubernetes.io/storage-class: anything }
            spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: log }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        nfs: { server: s, path: /a }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: data }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        nfs: { server: s, path: /b }
    `));
});
