import assert from "node:assert/strict";
import { knownImageOf } from "../../../src/language-server/diagnostics/facts/known-images.ts";
import { checkDiagnostics } from "../../support/language-features.ts";

const claim = (provisioner: string, parameters = ""): string => `
      #- claimcheck.yaml
      profile: eks
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: class }
      provisioner: ${provisioner}
      volumeBindingMode: WaitForFirstConsumer${parameters}
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: class, accessModes: [ReadWriteOncePod], resources: { requests: { storage: 1Gi } } }
      ---`;

/** `more` adds lines to the container; `label` is the expected finding at the mount's path. */
const pod = (
  image: string,
  path: string,
  label = "",
  more = "",
  context = "runAsUser: 0",
): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: db }
      spec:
        securityContext: { ${context} }
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
        containers:
          - name: db
            image: ${image}${more === "" ? "" : `\n            ${more}`}
            volumeMounts:
              - name: data
                mountPath: ${path}${label === "" ? "" : `\n      #                    ${"^".repeat(path.length)} ${label}`}
`;

const pgdata = "/var/lib/postgresql/data";
const lostFound = "data-dir-lost-found: A new volume of “ebs.csi.aws.com” contains lost+found";
const disk = claim("ebs.csi.aws.com");

const xfs = claim("ebs.csi.aws.com", "\n      parameters: { csi.storage.k8s.io/fstype: xfs }");
const own = "runAsUser: 999, fsGroup: 999";
const rootsOwn = "data-dir-owned-by-root";
/** Adds an init container that runs as root. */
const setsOwner = (spec: string): string =>
  spec.replace(
    "        containers:",
    `        initContainers:
          - name: own
            image: busybox
            securityContext: { runAsUser: 0 }
            volumeMounts: [{ name: data, mountPath: /d }]
        containers:`,
  );

suite("PostgreSQL that does not run as root", () => {
  test("does not start if root owns the new directory, even if its group may write there", () =>
    checkDiagnostics(`${xfs}${pod("postgres:16", pgdata, rootsOwn, "", own)}`));

  test("does not start in a subPath that the kubelet creates", () =>
    checkDiagnostics(
      `${disk}${pod("postgis/postgis:16-3.4", pgdata, rootsOwn, "", own)}                subPath: db
`,
    ));

  test("is not advised to use a subPath if the volume's root is not empty", () => {
    const away = `${lostFound}, like every ext4 file system, and PostgreSQL does not start in a directory that is not empty: set PGDATA to a directory below it`;
    return checkDiagnostics(`${disk}${pod("postgres:16", pgdata, away, "", own)}`);
  });

  test("does not start in a local-path directory, which everyone may write to but root owns", () =>
    checkDiagnostics(
      `${claim("rancher.io/local-path").replace("ReadWriteOncePod", "ReadWriteOnce")}${pod("postgres:16", pgdata, rootsOwn, "", "runAsUser: 999")}`,
    ));

  for (const [what, manifests] of [
    [
      "it creates the directory itself",
      pod("postgres:16", pgdata, "", `env: [{ name: PGDATA, value: ${pgdata}/db }]`, own),
    ],
    [
      "its image keeps data below the mount",
      pod("postgres:18", "/var/lib/postgresql", "", "", own),
    ],
    ["it starts as root, and gives the directory to its user", pod("postgres:16", pgdata)],
    ["another container may set the owner", setsOwner(pod("postgres:16", pgdata, "", "", own))],
    ["it is MySQL, which only needs to write", pod("mysql:8.4", "/var/lib/mysql", "", "", own)],
  ] as const)
    test(`is left alone if ${what}`, () => checkDiagnostics(`${xfs}${manifests}`));

  test("is left alone if the directory is a copy of another", () => {
    const copy = xfs.replace(
      "spec: {",
      "spec: { dataSource: { kind: PersistentVolumeClaim, name: old },",
    );
    const old = xfs.slice(xfs.lastIndexOf("      apiVersion")).replace("data }", "old }");
    return checkDiagnostics(`${copy}
${old}${pod("postgres:16", pgdata, "", "", own)}`);
  });
});

suite("known images", () => {
  for (const [image, path, more] of [
    ["postgres:16.3-alpine", pgdata, ""],
    ["docker.io/library/postgres:9.6", pgdata, ""],
    ["public.ecr.aws/docker/library/postgres:15@sha256:0", `${pgdata}/`, ""],
    ["mcr.example.com/mirror/docker/library/postgres:15", pgdata, ""],
    ["postgres", "/pg", "env: [{ name: PGDATA, value: /pg/ }]"],
    ["mysql:5.7.44-debian", "/var/lib/mysql", ""],
    ["mysql:5", "/var/lib/mysql", ""],
    ["confluentinc/cp-kafka:7.6.0", "/var/lib/kafka/data", ""],
  ] as const)
    test(`${image} does not start in ${path} of a new ext4 volume`, () =>
      checkDiagnostics(`${disk}${pod(image, path, lostFound, more)}`));

  for (const [what, of, image, path, more] of [
    [
      "its data is below the mount",
      disk,
      "postgres:16",
      pgdata,
      `env: [{ name: PGDATA, value: ${pgdata}/db }]`,
    ],
    [
      "an unknown ConfigMap may set its directory",
      disk,
      "postgres:16",
      pgdata,
      "envFrom: [{ configMapRef: { name: unknown, optional: true } }]",
    ],
    ["the image is not the known one", disk, "example.com/shop/postgres:16", pgdata, ""],
    ["it keeps data in a directory per version", disk, "postgres:18", "/var/lib/postgresql", ""],
    ["it runs something else", disk, "postgres:16", pgdata, "command: [pg_dump]"],
    ["its start script is an older one", disk, "mysql:5.6", "/var/lib/mysql", ""],
    ["it leaves lost+found alone", disk, "mysql:8.4", "/var/lib/mysql", ""],
    [
      "the file system has no lost+found",
      claim("ebs.csi.aws.com", "\n      parameters: { csi.storage.k8s.io/fstype: xfs }"),
      "postgres:16",
      pgdata,
      "",
    ],
  ] as const)
    test(`a database is left alone if ${what}`, () =>
      checkDiagnostics(`${of}${pod(image, path, "", more)}`));

  const shadowed =
    "data-dir-not-mounted: The image postgres has a volume of its own at /var/lib/postgresql/data, which containerd and Docker mount above this one";
  const refused =
    "data-dir-not-mounted: The image postgres does not start with a volume at /var/lib/postgresql/data from version 18 on; mount it at /var/lib/postgresql";
  const share = claim("efs.csi.aws.com");
  for (const [what, image, path, label, more] of [
    ["above the image's own volume", "postgres:16", "/var/lib/postgresql", shadowed, ""],
    [
      "above it, with PGDATA in it",
      "postgres:16",
      "/var/lib/postgresql",
      shadowed,
      `env: [{ name: PGDATA, value: ${pgdata}/db }]`,
    ],
    [
      "beside it",
      "mongo:7",
      "/data/mongo",
      "data-dir-not-mounted: MongoDB of this image keeps its data in /data/db, where nothing is mounted",
      "args: [--auth]",
    ],
    [
      "where another image keeps its data",
      "confluentinc/cp-kafka:7.6.0",
      "/bitnami/kafka",
      "data-dir-not-mounted: Kafka of this image keeps its data in /var/lib/kafka/data",
      "",
    ],
    [
      "at a path that is none of its directories",
      "redis:7",
      "/var/lib/redis/dump.rdb",
      "data-dir-not-mounted: Redis of this image keeps its data in /data, where nothing is mounted",
      "",
    ],
    ["where versions before 18 keep their data", "postgres:18.1-alpine", pgdata, refused, ""],
    ["there, and the tag latest", "postgres:latest", pgdata, refused, ""],
  ] as const)
    test(`data is lost, or the image does not start, with a volume ${what}`, () =>
      checkDiagnostics(`${share}${pod(image, path, label, more)}`));

  for (const [what, image, path, more] of [
    ["of PostgreSQL 18", "postgres:18", "/var/lib/postgresql", ""],
    [
      "that PGDATA names, of PostgreSQL 18",
      "postgres:18",
      pgdata,
      `env: [{ name: PGDATA, value: ${pgdata} }]`,
    ],
    [
      "below a mount, outside the image's own volume",
      "postgres:16",
      "/var/lib/postgresql",
      "env: [{ name: PGDATA, value: /var/lib/postgresql/db }]",
    ],
    ["of a version with a prefix in the tag", "pgvector/pgvector:pg16", pgdata, ""],
    ["that an argument may name", "mongo:7", "/mongo", "args: [--dbpath, /mongo]"],
    ["of a program that does not run", "postgres:16", "/d", "args: [pg_dump, -f, /d/all]"],
    ["while the volume is for backups", "mysql:8.4", "/backups", ""],
    [
      "that a Secret's variable may name",
      "postgres:16",
      "/d",
      "env: [{ name: PGDATA, valueFrom: { secretKeyRef: { name: s, key: k, optional: true } } }]",
    ],
  ] as const)
    test(`no finding for a directory ${what}`, () =>
      checkDiagnostics(`${share}${pod(image, path, "", more)}`));

  test("PGDATA may come from a ConfigMap in the files", () =>
    checkDiagnostics(`${disk}
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: settings }
      data: { PGDATA: ${pgdata}/db }
      ---${pod("postgres:16", pgdata, "", "envFrom: [{ configMapRef: { name: settings } }]")}`));

  test("a database does not work on SMB, but on NFS of the same driver", () =>
    Promise.all([
      checkDiagnostics(
        `${claim("file.csi.azure.com")}${pod("mongo", "/data/db", "database-on-smb: MongoDB does not run on “file.csi.azure.com”")}`,
      ),
      checkDiagnostics(
        `${claim("file.csi.azure.com", "\n      parameters: { protocol: nfs }")}${pod("mongo", "/data/db")}`,
      ),
    ]));

  test("a database does not work on a bucket, but its backups do", () =>
    Promise.all([
      checkDiagnostics(
        `${claim("blob.csi.azure.com", "\n      mountOptions: [-o allow_other]")}${pod("mysql:8.4", "/var/lib/mysql", "database-on-bucket: MySQL does not run on “blob.csi.azure.com”")}`,
      ),
      checkDiagnostics(
        `${claim("blob.csi.azure.com", "\n      parameters: { Protocol: NFS }")}${pod("mysql:8.4", "/var/lib/mysql")}`,
      ),
      ...[
        { args: "[redis-cli, -h, cache, --rdb, /data/dump.rdb]", label: "" },
        { args: "[redis-server, --save, '60']", label: "database-on-bucket: Redis" },
        { args: "[/etc/redis/redis.conf]", label: "" },
        { args: "[--dir, /var/redis]", label: "" },
        { args: "[--appendonly, 'yes']", label: "database-on-bucket: Redis" },
      ].map(({ args, label }) =>
        checkDiagnostics(
          `${claim("blob.csi.azure.com", "\n      mountOptions: [-o allow_other]")}${pod("redis:7", "/data", label, `args: ${args}`)}`,
        ),
      ),
      ...["blob.csi.azure.com", "file.csi.azure.com"].map((driver) =>
        checkDiagnostics(
          `${claim(driver, "\n      mountOptions: [-o allow_other]")}${pod("postgres:16", "/backups")}`,
        ),
      ),
    ]));

  test("an image's user cannot write to a new disk", () =>
    checkDiagnostics(
      `${disk}${pod("grafana/grafana:11.2.0", "/var/lib/grafana", "volume-not-writable: The directory of a new volume of “ebs.csi.aws.com” belongs to root, and without fsGroup user 472 of the image grafana/grafana cannot write to “data”", "", "")}`,
    ));

  for (const [what, image, context] of [
    ["fsGroup hands it over", "grafana/grafana", "fsGroup: 472"],
    ["the manifest says root", "grafana/grafana", "runAsUser: 0"],
    ["the image's version runs as root", "prom/prometheus:v1.8.2", ""],
  ] as const)
    test(`an image's user can write if ${what}`, () =>
      checkDiagnostics(`${disk}${pod(image, "/d", "", "", context)}`));

  const own = (containers: string): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: g }
      spec:
        volumes: [{ name: d, hostPath: { path: /srv/g, type: DirectoryOrCreate } }]${containers}
`;
  test("an image's user cannot write to a directory that the kubelet creates, unless root prepares it", () =>
    Promise.all([
      checkDiagnostics(
        own(`
        containers:
          - name: g
            image: bitnami/grafana
            volumeMounts: [{ name: d, mountPath: /d }, { name: d, mountPath: /r, readOnly: true }]
      #                                          ^^ hostpath-owned-by-root: If the kubelet creates the directory, it belongs to root (0755), and fsGroup does not change that of a hostPath: user 1001 of the image bitnami/grafana cannot write`),
      ),
      checkDiagnostics(
        own(`
        initContainers: [{ name: i, image: busybox, volumeMounts: [{ name: d, mountPath: /d }] }]
        containers: [{ name: g, image: bitnami/grafana, volumeMounts: [{ name: d, mountPath: /d }] }]`),
      ),
    ]));
});

test("an image name of dots only is unknown, and is checked in reasonable time", () =>
  assert.equal(knownImageOf({ image: ".".repeat(300_000) }), undefined));
