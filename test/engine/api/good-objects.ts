/** A small valid object of each kind, with entries in the lists and maps whose entries have rules. */
import { parseAllDocuments } from "yaml";

const yaml = `
{ apiVersion: v1, kind: PersistentVolume, metadata: { name: a }, spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], csi: { driver: d, volumeHandle: h }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: k, operator: In, values: [v] }] }] } } } }
---
{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: a }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, selector: { matchLabels: { a: b } } } }
---
apiVersion: v1
kind: Pod
metadata: { name: a, labels: { a: b }, annotations: { a: b } }
spec:
  initContainers: [{ name: i, image: b, restartPolicy: Always, startupProbe: { tcpSocket: { port: 80 } } }]
  containers:
    - name: c
      image: b
      env: [{ name: A, value: b }, { name: B, valueFrom: { fieldRef: { fieldPath: metadata.name } } }]
      ports: [{ containerPort: 80, name: http }]
      resources: { requests: { cpu: 1 }, limits: { memory: 1Gi } }
      livenessProbe: { httpGet: { port: http } }
      volumeMounts: [{ name: v, mountPath: /v }, { name: p, mountPath: /p }]
  volumes: [{ name: v, persistentVolumeClaim: { claimName: a } }, { name: p, projected: { sources: [{ configMap: { name: c, items: [{ key: a, path: a }] } }] } }]
  tolerations: [{ key: a, operator: Exists }]
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { a: b } } }]
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: h, labelSelector: { matchLabels: { a: b } } }] } }
---
{ apiVersion: v1, kind: PodTemplate, metadata: { name: a }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: b }] } } }
---
{ apiVersion: v1, kind: Node, metadata: { name: a }, spec: { taints: [{ key: a, effect: NoSchedule }] } }
---
{ apiVersion: v1, kind: Namespace, metadata: { name: a } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { a: b }, binaryData: { c: YQ== } }
---
{ apiVersion: v1, kind: Secret, metadata: { name: a }, data: { a: YQ== }, stringData: { b: c } }
---
{ apiVersion: v1, kind: ServiceAccount, metadata: { name: a } }
---
{ apiVersion: v1, kind: Service, metadata: { name: a }, spec: { selector: { a: b }, ports: [{ port: 80, targetPort: http }] } }
---
{ apiVersion: v1, kind: ResourceQuota, metadata: { name: a }, spec: { hard: { pods: 1, requests.cpu: 1 }, scopeSelector: { matchExpressions: [{ scopeName: PriorityClass, operator: In, values: [a] }] } } }
---
{ apiVersion: v1, kind: LimitRange, metadata: { name: a }, spec: { limits: [{ type: Container, min: { cpu: 1 }, max: { cpu: 2 }, maxLimitRequestRatio: { cpu: 2 } }] } }
---
{ apiVersion: v1, kind: ReplicationController, metadata: { name: a }, spec: { selector: { a: b }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: b }] } } } }
---
{ apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: a }, provisioner: d, parameters: { a: b }, mountOptions: [a], allowedTopologies: [{ matchLabelExpressions: [{ key: k, values: [v] }] }] }
---
{ apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: { name: a }, spec: { attacher: d, nodeName: n, source: { persistentVolumeName: a } } }
---
{ apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: { name: a }, spec: { volumeLifecycleModes: [Persistent], tokenRequests: [{ audience: a }] } }
---
{ apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: { name: a }, spec: { drivers: [{ name: d, nodeID: n, topologyKeys: [k], allocatable: { count: 1 } }] } }
---
{ apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, metadata: { name: a }, storageClassName: a, capacity: 1Gi, nodeTopology: { matchLabels: { a: b } } }
---
{ apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: { name: a }, driverName: d, parameters: { a: b } }
---
{ apiVersion: apps/v1, kind: Deployment, metadata: { name: a }, spec: { selector: { matchLabels: { a: b } }, strategy: { rollingUpdate: { maxSurge: 1 } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: b }] } } } }
---
{ apiVersion: apps/v1, kind: ReplicaSet, metadata: { name: a }, spec: { selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: b }] } } } }
---
{ apiVersion: apps/v1, kind: StatefulSet, metadata: { name: a }, spec: { serviceName: s, selector: { matchLabels: { a: b } }, volumeClaimTemplates: [{ metadata: { name: v }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }], template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: b }] } } } }
---
{ apiVersion: apps/v1, kind: DaemonSet, metadata: { name: a }, spec: { selector: { matchLabels: { a: b } }, updateStrategy: { rollingUpdate: { maxUnavailable: 1 } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: b }] } } } }
---
{ apiVersion: apps/v1, kind: ControllerRevision, metadata: { name: a }, data: { a: b }, revision: 1 }
---
{ apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: b }] } } } }
---
{ apiVersion: batch/v1, kind: CronJob, metadata: { name: a }, spec: { schedule: "0 * * * *", jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: b }] } } } } } }
---
{ apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: { name: a }, spec: { minAvailable: 1, selector: { matchLabels: { a: b } } } }
---
{ apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: { name: a }, value: 1 }
---
{ apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: { name: a }, handler: a, overhead: { podFixed: { cpu: 1 } }, scheduling: { nodeSelector: { a: b }, tolerations: [{ key: a, operator: Exists }] } }
---
{ apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: { name: a }, spec: { source: { persistentVolumeClaimName: a } } }
---
{ apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: { name: a }, driver: d, deletionPolicy: Delete }
---
{ apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent, metadata: { name: a }, spec: { driver: d, deletionPolicy: Delete, source: { volumeHandle: h }, volumeSnapshotRef: { name: a, namespace: default } } }
---
{ apiVersion: gateway.networking.k8s.io/v1beta1, kind: ReferenceGrant, metadata: { name: a }, spec: { from: [{ group: "", kind: PersistentVolumeClaim, namespace: default }], to: [{ group: "", kind: Secret }] } }
`;

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export const goodObjects: readonly Manifest[] = parseAllDocuments(yaml).map(
  (document) => document.toJS() as Manifest,
);
