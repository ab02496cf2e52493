/** Random manifests that often relate to each other, as they share few names, classes and sizes. */
import fc from "fast-check";

const names = ["a", "b", "c", "d", "e"] as const;
const namespaces = ["default", "shop"] as const;
const classNames = ["manual", "local", "fast", "absent", ""] as const;
const sizes = ["1Gi", "2Gi", "5Gi"] as const;

const name = fc.constantFrom(...names);
const namespace = fc.constantFrom(...namespaces);
const className = fc.constantFrom(...classNames);
const size = fc.constantFrom(...sizes);
const modes = fc.constantFrom("ReadWriteOnce", "ReadWriteMany", "ReadWriteOnce, ReadOnlyMany");

const claim = fc
  .tuple(name, namespace, className, size, modes, fc.boolean())
  .map(([n, ns, of, storage, accessModes, hasClass]) =>
    [
      "apiVersion: v1",
      "kind: PersistentVolumeClaim",
      `metadata: { name: claim-${n}, namespace: ${ns} }`,
      "spec:",
      ...(hasClass ? [`  storageClassName: "${of}"`] : []),
      `  accessModes: [${accessModes}]`,
      `  resources: { requests: { storage: ${storage} } }`,
    ].join("\n"),
  );

const volume = fc
  .tuple(name, className, size, modes, fc.option(fc.tuple(name, namespace), { freq: 4 }))
  .map(([n, of, storage, accessModes, reserved]) =>
    [
      "apiVersion: v1",
      "kind: PersistentVolume",
      `metadata: { name: pv-${n} }`,
      "spec:",
      `  storageClassName: "${of}"`,
      `  capacity: { storage: ${storage} }`,
      `  accessModes: [${accessModes}]`,
      `  nfs: { server: nas, path: /${n} }`,
      ...(reserved === null
        ? []
        : [`  claimRef: { name: claim-${reserved[0]}, namespace: ${reserved[1]} }`]),
    ].join("\n"),
  );

const pod = fc
  .tuple(name, namespace, fc.uniqueArray(name, { maxLength: 2 }), name)
  .map(([n, ns, claims, config]) =>
    [
      "apiVersion: v1",
      "kind: Pod",
      `metadata: { name: pod-${n}, namespace: ${ns}, labels: { app: ${n} } }`,
      "spec:",
      "  containers:",
      "    - name: main",
      "      image: nginx",
      `      envFrom: [{ configMapRef: { name: config-${config}, optional: true } }]`,
      `  volumes: [${claims.map((c) => `{ name: v-${c}, persistentVolumeClaim: { claimName: claim-${c} } }`).join(", ")}]`,
    ].join("\n"),
  );

const statefulSet = fc
  .tuple(name, namespace, className, size, fc.integer({ min: 1, max: 2 }))
  .map(([n, ns, of, storage, replicas]) =>
    [
      "apiVersion: apps/v1",
      "kind: StatefulSet",
      `metadata: { name: sts-${n}, namespace: ${ns} }`,
      "spec:",
      `  replicas: ${replicas}`,
      `  serviceName: sts-${n}`,
      `  selector: { matchLabels: { app: ${n} } }`,
      "  template:",
      `    metadata: { labels: { app: ${n} } }`,
      "    spec: { containers: [{ name: main, image: nginx, volumeMounts: [{ name: data, mountPath: /data }] }] }",
      "  volumeClaimTemplates:",
      "    - metadata: { name: data }",
      `      spec: { storageClassName: "${of}", accessModes: [ReadWriteOnce], resources: { requests: { storage: ${storage} } } }`,
    ].join("\n"),
  );

const cronJob = fc
  .tuple(name, namespace, name, fc.boolean())
  .map(([n, ns, claimed, isSuspended]) =>
    [
      "apiVersion: batch/v1",
      "kind: CronJob",
      `metadata: { name: cron-${n}, namespace: ${ns} }`,
      "spec:",
      '  schedule: "0 3 * * *"',
      `  suspend: ${isSuspended}`,
      "  jobTemplate:",
      "    spec:",
      "      template:",
      "        spec:",
      "          restartPolicy: Never",
      "          containers: [{ name: main, image: nginx }]",
      `          volumes: [{ name: data, persistentVolumeClaim: { claimName: claim-${claimed} } }]`,
    ].join("\n"),
  );

const storageClass = fc
  .tuple(fc.constantFrom("manual", "local", "fast"), fc.boolean(), fc.boolean())
  .map(([n, waits, isDefault]) =>
    [
      "apiVersion: storage.k8s.io/v1",
      "kind: StorageClass",
      "metadata:",
      `  name: ${n}`,
      `  annotations: { storageclass.kubernetes.io/is-default-class: "${isDefault}" }`,
      `provisioner: ${n === "fast" ? "ebs.csi.aws.com" : "kubernetes.io/no-provisioner"}`,
      `volumeBindingMode: ${waits ? "WaitForFirstConsumer" : "Immediate"}`,
    ].join("\n"),
  );

const configMap = fc
  .tuple(name, namespace)
  .map(
    ([n, ns]) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: config-${n}, namespace: ${ns} }\ndata: { key: value }`,
  );

const quota = namespace.map(
  (ns) =>
    `apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: quota, namespace: ${ns} }\nspec: { hard: { requests.storage: 6Gi } }`,
);

/** Documents that are broken in ways that happen while typing. */
const broken = fc.constantFrom(
  "kind: [",
  "apiVersion: v1\nkind: Pod",
  "# only a note",
  "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: claim-a }\nspec: { resources: }",
);

export const anyDocument: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: claim },
  { weight: 5, arbitrary: volume },
  { weight: 4, arbitrary: pod },
  { weight: 2, arbitrary: statefulSet },
  { weight: 2, arbitrary: cronJob },
  { weight: 2, arbitrary: storageClass },
  { weight: 1, arbitrary: configMap },
  { weight: 1, arbitrary: quota },
  { weight: 1, arbitrary: broken },
);

export const anyFile: fc.Arbitrary<string> = fc
  .array(anyDocument, { maxLength: 4 })
  .map((documents) => documents.join("\n---\n"));
