/**
 * Manifests to start from, in LSP's snippet syntax: one for each kind that people write, and some for kinds that belong
 * together. With their default placeholders, the API server accepts them all.
 */

export interface Snippet {
  readonly label: string;
  readonly detail: string;
  readonly body: string;
}

const podSpec = (indent: string, claim: string): string =>
  [
    "spec:",
    "  containers:",
    "    - name: ${2:app}",
    "      image: ${3:nginx}",
    "      volumeMounts:",
    "        - name: data",
    "          mountPath: ${4:/data}",
    ...(claim === ""
      ? []
      : [
          "  volumes:",
          "    - name: data",
          "      persistentVolumeClaim:",
          `        claimName: ${claim}`,
        ]),
  ].join(`\n${indent}`);

const workload = (apiVersion: string, kind: string, fields: readonly string[], rest = ""): string =>
  `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: \${1:app}
spec:
${fields.map((field) => `  ${field}\n`).join("")}  selector:
    matchLabels:
      app: \${1:app}
  template:
    metadata:
      labels:
        app: \${1:app}
    ${podSpec("    ", rest === "" ? "${5:data}" : "")}
${rest}`;

const volume = (source: string, modes: string, className: string): string => `apiVersion: v1
kind: PersistentVolume
metadata:
  name: \${1:volume}
spec:
  capacity:
    storage: \${2:10Gi}
  accessModes:
    - ${modes}
  persistentVolumeReclaimPolicy: \${3|Retain,Delete|}
  storageClassName: ${className}
${source}`;

const nfsVolume = volume(
  `  nfs:
    server: \${5:nfs.example.com}
    path: \${6:/exports/data}
`,
  "ReadWriteMany",
  "${4:nfs}",
);

const localClass = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: \${1:local-storage}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
`;

const localVolume = (name: string, node: string): string => `apiVersion: v1
kind: PersistentVolume
metadata:
  name: ${name}
spec:
  capacity:
    storage: \${2:100Gi}
  accessModes:
    - ReadWriteOnce
  persistentVolumeReclaimPolicy: Retain
  storageClassName: \${1:local-storage}
  local:
    path: \${3:/mnt/disks/data}
  nodeAffinity:
    required:
      nodeSelectorTerms:
        - matchExpressions:
            - key: kubernetes.io/hostname
              operator: In
              values:
                - ${node}
`;

const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: \${1:data}
spec:
  accessModes:
    - \${2|ReadWriteOnce,ReadWriteMany,ReadOnlyMany,ReadWriteOncePod|}
  storageClassName: \${3:standard}
  resources:
    requests:
      storage: \${4:10Gi}
`;

const snapshot = `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata:
  name: \${1:data-snapshot}
spec:
  volumeSnapshotClassName: \${2:snapshots}
  source:
    persistentVolumeClaimName: \${3:data}
`;

const restore = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: \${4:data-restored}
spec:
  accessModes:
    - ReadWriteOnce
  storageClassName: \${5:standard}
  resources:
    requests:
      storage: \${6:10Gi}
  dataSource:
    apiGroup: snapshot.storage.k8s.io
    kind: VolumeSnapshot
    name: \${1:data-snapshot}
`;

const statefulSet = workload(
  "apps/v1",
  "StatefulSet",
  ["serviceName: ${1:app}", "replicas: ${6:3}"],
  `  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes:
          - ReadWriteOnce
        storageClassName: \${5:standard}
        resources:
          requests:
            storage: \${7:10Gi}
`,
);

export const snippets: readonly Snippet[] = [
  { label: "PersistentVolumeClaim", detail: "a claim", body: claim },
  {
    label: "PersistentVolume",
    detail: "a volume that a CSI driver holds already",
    body: volume(
      `  csi:
    driver: \${5:ebs.csi.aws.com}
    volumeHandle: \${6:vol-0123456789abcdef0}
    fsType: \${7:ext4}
`,
      "ReadWriteOnce",
      "${4:standard}",
    ),
  },
  { label: "PersistentVolume (nfs)", detail: "an NFS export as a volume", body: nfsVolume },
  {
    label: "StorageClass",
    detail: "a class",
    body: `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: \${1:standard}
provisioner: \${2:ebs.csi.aws.com}
reclaimPolicy: \${3|Delete,Retain|}
volumeBindingMode: \${4|WaitForFirstConsumer,Immediate|}
allowVolumeExpansion: true
`,
  },
  {
    label: "VolumeAttributesClass",
    detail: "attributes that a claim may change",
    body: `apiVersion: storage.k8s.io/v1
kind: VolumeAttributesClass
metadata:
  name: \${1:fast}
driverName: \${2:ebs.csi.aws.com}
parameters:
  \${3:iops}: "\${4:4000}"
`,
  },
  { label: "VolumeSnapshot", detail: "a snapshot of a claim", body: snapshot },
  {
    label: "VolumeSnapshotClass",
    detail: "how snapshots are taken",
    body: `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotClass
metadata:
  name: \${1:snapshots}
driver: \${2:ebs.csi.aws.com}
deletionPolicy: \${3|Delete,Retain|}
`,
  },
  {
    label: "VolumeSnapshotContent",
    detail: "a snapshot that a driver holds already",
    body: `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotContent
metadata:
  name: \${1:data-snapshot-content}
spec:
  deletionPolicy: \${2|Retain,Delete|}
  driver: \${3:ebs.csi.aws.com}
  source:
    snapshotHandle: \${4:snap-0123456789abcdef0}
  volumeSnapshotRef:
    name: \${5:data-snapshot}
    namespace: \${6:default}
`,
  },
  {
    label: "CSIDriver",
    detail: "an installed driver",
    body: `apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata:
  name: \${1:ebs.csi.aws.com}
spec:
  attachRequired: \${2|true,false|}
  fsGroupPolicy: \${3|ReadWriteOnceWithFSType,File,None|}
`,
  },
  {
    label: "Pod",
    detail: "a pod with a claim",
    body: `apiVersion: v1
kind: Pod
metadata:
  name: \${1:app}
${podSpec("", "${5:data}")}
`,
  },
  {
    label: "Deployment",
    detail: "replicas that share a claim",
    body: workload("apps/v1", "Deployment", [
      "replicas: ${6:1}",
      "strategy:",
      "  type: ${7|Recreate,RollingUpdate|}",
    ]),
  },
  { label: "DaemonSet", detail: "a pod on each node", body: workload("apps/v1", "DaemonSet", []) },
  { label: "StatefulSet", detail: "replicas with a claim each", body: statefulSet },
  {
    label: "Job",
    detail: "a task with a claim",
    body: `apiVersion: batch/v1
kind: Job
metadata:
  name: \${1:task}
spec:
  template:
    ${podSpec("    ", "${5:data}")}
      restartPolicy: Never
`,
  },
  {
    label: "CronJob",
    detail: "a task that repeats",
    body: `apiVersion: batch/v1
kind: CronJob
metadata:
  name: \${1:task}
spec:
  schedule: "\${6:0 3 * * *}"
  jobTemplate:
    spec:
      template:
        ${podSpec("        ", "${5:data}")}
          restartPolicy: Never
`,
  },
  {
    label: "Namespace",
    detail: "a namespace",
    body: "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${1:shop}\n",
  },
  {
    label: "ConfigMap",
    detail: "files for pods",
    body: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${1:config}\ndata:\n  ${2:app.conf}: |\n    ${3:key=value}\n",
  },
  {
    label: "Secret",
    detail: "secret files for pods",
    body: "apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${1:credentials}\nstringData:\n  ${2:password}: ${3:change-me}\n",
  },
  {
    label: "ResourceQuota",
    detail: "how much storage a namespace may ask for",
    body: `apiVersion: v1
kind: ResourceQuota
metadata:
  name: \${1:storage}
spec:
  hard:
    requests.storage: \${2:500Gi}
    persistentvolumeclaims: "\${3:10}"
`,
  },
  {
    label: "LimitRange",
    detail: "how large a claim may be",
    body: `apiVersion: v1
kind: LimitRange
metadata:
  name: \${1:claims}
spec:
  limits:
    - type: PersistentVolumeClaim
      min:
        storage: \${2:1Gi}
      max:
        storage: \${3:100Gi}
`,
  },
  {
    label: "Service",
    detail: "names in DNS for a StatefulSet's pods",
    body: `apiVersion: v1
kind: Service
metadata:
  name: \${1:app}
spec:
  clusterIP: None
  selector:
    app: \${1:app}
  ports:
    - port: \${2:80}
`,
  },
  {
    label: "Node",
    detail: "a machine of your cluster, in place of those of the profile",
    body: `apiVersion: v1
kind: Node
metadata:
  name: \${1:node-1}
  labels:
    kubernetes.io/hostname: \${1:node-1}
    topology.kubernetes.io/zone: \${2:zone-a}
`,
  },
  {
    label: "ReferenceGrant",
    detail: "lets another namespace's claims start from a snapshot",
    body: `apiVersion: gateway.networking.k8s.io/v1beta1
kind: ReferenceGrant
metadata:
  name: \${1:restores}
  namespace: \${2:shop}
spec:
  from:
    - group: ""
      kind: PersistentVolumeClaim
      namespace: \${3:staging}
  to:
    - group: snapshot.storage.k8s.io
      kind: VolumeSnapshot
      name: \${4:snapshot}
`,
  },
  {
    label: "Volume and claim",
    detail: "a static pair that binds to each other and to nobody else",
    body: `${nfsVolume.replace("${4:nfs}", '""').replace("${1:volume}", "${1:data}")}  claimRef:
    name: \${1:data}
    namespace: \${4:default}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: \${1:data}
  namespace: \${4:default}
spec:
  accessModes:
    - ReadWriteMany
  storageClassName: ""
  volumeName: \${1:data}
  resources:
    requests:
      storage: \${2:10Gi}
`,
  },
  {
    label: "Snapshot and restore",
    detail: "a snapshot and a claim that starts from it",
    body: `${snapshot}---\n${restore}`,
  },
];

/** A class and one local volume per node. Placeholders of nodes are numbered after the shared ones. */
export function localVolumes(nodes: readonly string[]): Snippet {
  const volumes = (nodes.length === 0 ? ["node-1"] : nodes).map((node, index) =>
    localVolume(`\${1:local-storage}-\${${4 + index}:${node}}`, `\${${4 + index}:${node}}`),
  );
  return {
    label: "Local volumes",
    detail: "a class, and a volume on each node",
    body: [localClass, ...volumes].join("---\n"),
  };
}

/** The snippet's text with its placeholders filled with their defaults. */
export function plainText(body: string): string {
  return body.replace(
    /\$\{\d+(?::([^}]*)|\|([^,|]*)[^}]*)\}/g,
    (_, given = "", first = "") => given || first,
  );
}
