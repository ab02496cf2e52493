/** Manifests of the clusters in told.test.ts. */

export const late = `
  kind: StorageClass
  metadata: { name: late }
  provisioner: d.csi
  volumeBindingMode: WaitForFirstConsumer
  allowVolumeExpansion: true
`;

export function volume(name: string, spec: string, className = '""', size = "5Gi"): string {
  return `
  kind: PersistentVolume
  metadata: { name: ${name} }
  spec:
    capacity: { storage: ${size} }
    accessModes: [ReadWriteOnce]
    storageClassName: ${className}
    nfs: { server: nas, path: /x }
    ${spec}
`;
}

/** A claim; an empty `className` leaves storageClassName out. */
export function claimOf(name: string, className: string, spec = ""): string {
  return `
  kind: PersistentVolumeClaim
  metadata: { name: ${name} }
  spec:
    accessModes: [ReadWriteOnce]
    resources: { requests: { storage: 1Gi } }
    ${className === "" ? "" : `storageClassName: ${className}`}
    ${spec}
`;
}

const ofData = `
        containers: [{ name: main, image: app, volumeMounts: [{ name: data, mountPath: /data }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;

export function deployment(name: string, spec: string, podSpec = ""): string {
  return `
  kind: Deployment
  metadata: { name: ${name} }
  spec:
    ${spec}
    selector: { matchLabels: { app: ${name} } }
    template:
      metadata: { labels: { app: ${name} } }
      spec:
        ${podSpec}${ofData}`;
}

export function statefulSet(name: string, size: string, podSpec = ""): string {
  return `
  kind: StatefulSet
  metadata: { name: ${name} }
  spec:
    serviceName: ${name}
    selector: { matchLabels: { app: ${name} } }
    template:
      metadata: { labels: { app: ${name} } }
      spec:
        ${podSpec}
        containers: [{ name: main, image: app, volumeMounts: [{ name: data, mountPath: /data }] }]
    volumeClaimTemplates:
      - metadata: { name: data }
        spec:
          storageClassName: fast
          accessModes: [ReadWriteOnce]
          resources: { requests: { storage: ${size} } }
`;
}

export function job(spec: string, podSpec = "", container = "image: app"): string {
  return `
  kind: Job
  metadata: { name: once }
  spec:
    ${spec}
    template:
      spec:
        ${podSpec}
        restartPolicy: Never
        containers: [{ name: main, ${container} }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;
}

export const ephemeralPod = `
  kind: Pod
  metadata: { name: web }
  spec:
    containers: [{ name: main, image: app, volumeMounts: [{ name: data, mountPath: /data }] }]
    volumes:
      - name: data
        ephemeral:
          volumeClaimTemplate:
            spec:
              storageClassName: fast
              accessModes: [ReadWriteOnce]
              resources: { requests: { storage: 1Gi } }
`;

export const quota = `
  kind: ResourceQuota
  metadata: { name: q }
  spec: { hard: { requests.storage: 1Gi } }
`;

export function snapshotClass(name: string, driver = "d.csi"): string {
  return `
  kind: VolumeSnapshotClass
  metadata: { name: ${name} }
  driver: ${driver}
  deletionPolicy: Delete
`;
}

export function snapshot(name: string, claim: string, className?: string): string {
  return `
  kind: VolumeSnapshot
  metadata: { name: ${name} }
  spec:
    ${className === undefined ? "" : `volumeSnapshotClassName: ${className}`}
    source: { persistentVolumeClaimName: ${claim} }
`;
}
