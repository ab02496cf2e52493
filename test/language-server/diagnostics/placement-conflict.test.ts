import { checkDiagnostics } from "../../support/language-features.ts";

const zone = "topology.kubernetes.io/zone";
const claim = (name: string, className: string, more = ""): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: ${name} }
      spec: { storageClassName: ${className}, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }${more} }
      ---`;
const zonal = (values: string, more = ""): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: zonal }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      allowedTopologies:
        - matchLabelExpressions: [{ key: ${zone}, values: ${values} }]${more}
      ---${claim("data", "zonal")}`;
const volume = (host: string): string => `
      apiVersion: v1
      kind: Node
      metadata: { name: a, labels: { kubernetes.io/hostname: a } }
      ---
      apiVersion: v1
      kind: Node
      metadata: { name: b, labels: { kubernetes.io/hostname: b } }
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
            nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [${host}] }] }]
      ---${claim("data", "local", ", volumeName: disk")}`;
const waiting = `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: late }
      provisioner: ebs.csi.aws.com
      volumeBindingMode: WaitForFirstConsumer
      ---${claim("data", "late")}
      apiVersion: v1
      kind: Node
      metadata: { name: a, labels: { kubernetes.io/hostname: a } }
      ---`;
const pod = (place: string, name = "web"): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: ${name} }
      spec:
        ${place}
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]`;
const affinity = (expression: string): string =>
  `affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [${expression}] } } }`;
const inZone = (values: string): string =>
  `{ matchExpressions: [{ key: ${zone}, operator: In, values: ${values} }] }`;

suite("pods that cannot run where the class of their claim provisions", () => {
  test("in a zone without volumes of the class, whatever zones the cluster has", () =>
    checkDiagnostics(`${zonal("[eu-1a]")}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        nodeSelector: { ${zone}: eu-1b }
      #               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ class-topology-pod-conflict: No node satisfies both the Pod and the class's allowedTopologies
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  for (const [what, place] of [
    ["the same zone", `nodeSelector: { ${zone}: eu-1a }`],
    ["another label", "nodeSelector: { disk: fast }"],
    ["no constraint", "restartPolicy: Never"],
    ["one of several terms that fits", affinity(`${inZone("[eu-1b]")}, ${inZone("[eu-1a]")}`)],
    ["one of several values that fits", affinity(inZone("[eu-1b, eu-1a]"))],
  ] as const) {
    test(`${what} is no conflict`, () => checkDiagnostics(`${zonal("[eu-1a]")}${pod(place)}`));
  }

  test("a zone in another of the class's topologies is no conflict", () =>
    checkDiagnostics(
      `${zonal("[eu-1a]", `\n        - matchLabelExpressions: [{ key: ${zone}, values: [eu-1b] }]`)}${pod(`nodeSelector: { ${zone}: eu-1b }`)}`,
    ));
});

suite("pods that cannot run where their volume is", () => {
  test("on a node other than the volume's", () =>
    checkDiagnostics(`${volume("a")}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        nodeSelector: { kubernetes.io/hostname: b }
      #               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ affinity-pod-conflict: No node that the Pod asks for reaches its volume
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("the volume's node is no conflict", () =>
    checkDiagnostics(`${volume("b")}${pod("nodeSelector: { kubernetes.io/hostname: b }")}`));
});

suite("pods that bypass the scheduler", () => {
  test("get no node selected for their claim", () =>
    checkDiagnostics(`${waiting}
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        nodeName: a
      #           ^ class-wffc-pod-nodename: The scheduler is bypassed, so no node is selected for the claim of “data”
        containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));

  test("have no finding if another, scheduled pod uses the claim", () =>
    checkDiagnostics(
      `
      #- claimcheck.yaml
      rules: { shared-rwo-claim: off }
      #- all.yaml${waiting}${pod("nodeName: a")}
      ---${pod("restartPolicy: Never", "first")}`,
    ));

  test("have no finding if a CronJob's pod uses the claim, even if it would not start", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      rules: { pod-config-missing: off, pod-does-not-start: off }
      #- all.yaml${waiting}
      apiVersion: batch/v1
      kind: CronJob
      metadata: { name: backup }
      spec:
        schedule: "0 2 * * *"
        concurrencyPolicy: Forbid
        jobTemplate:
          spec:
            template:
              spec:
                restartPolicy: Never
                containers:
                  - { name: c, image: i, envFrom: [{ secretRef: { name: missing } }], volumeMounts: [{ name: data, mountPath: /d }] }
                volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `));
});
