import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isServerCommand } from "../../src/cli/options.ts";
import { run } from "../../src/cli/run.ts";
import { readImportedText } from "../../src/language-server/workspace/imports/imported-text.ts";
import { checkGolden } from "../support/golden.ts";
import { complaints } from "../support/json-schema.ts";
import { packed } from "../support/packed-chart.ts";

const cwd: string = join(import.meta.dirname, "fixtures");

interface SarifPlace {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string };
    readonly region: { readonly startLine: number; readonly startColumn: number };
  };
}

interface GitlabFinding {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}
interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly [SarifPlace];
  readonly relatedLocations?: readonly SarifPlace[];
}

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function claimcheck(
  argv: readonly string[],
  input = "",
  heapBytesMax?: number,
  startedIn: string = cwd,
): Promise<Outcome> {
  let out = "";
  let err = "";
  const terminal = {
    cwd: startedIn,
    ...(heapBytesMax !== undefined && { heapBytesMax }),
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    progress: () => {},
    readInput: () => Promise.resolve(input),
  };
  const code = await run(argv, terminal, "1.2.3");
  return { code, out, err };
}

function golden(name: string, text: string): void {
  checkGolden(join(import.meta.dirname, "golden", name), text);
}

/** A Deployment that mounts claim `data`. */
const webOnData = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: nginx, volumeMounts: [{ name: data, mountPath: /data }] }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;

const dataClaim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

suite("the command line", () => {
  for (const command of ["check", "predict", "simulate", "explain"]) {
    test(`${command} prints what the golden file has`, async () => {
      const { code, out, err } = await claimcheck([command, "shop"]);
      assert.equal(err, "");
      assert.equal(code, 0);
      golden(`${command}.txt`, out);
    });
  }

  test("predict prints each workload's counts, and how many of a pod's readiness gates are true", async () => {
    const template = `template:
    metadata: { labels: { app: a } }
    spec: { containers: [{ name: c, image: nginx }] }`;
    const manifests = `apiVersion: v1
kind: Node
metadata: { name: one }
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  selector: { matchLabels: { app: a } }
  ${template}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: { name: old }
spec:
  replicas: 2
  selector: { matchLabels: { app: a } }
  ${template}
---
apiVersion: v1
kind: Pod
metadata: { name: gated }
spec:
  readinessGates: [{ conditionType: PodScheduled }, { conditionType: example.com/warm }]
  containers: [{ name: c, image: nginx }]
`;
    const { out } = await claimcheck(["predict", "-"], manifests);
    const cellsOf = (name: string): readonly string[] =>
      out
        .split("\n")
        .find((line) => line.startsWith(`default     ${name}`))
        ?.split(/ {2,}/) ?? [];
    assert.deepEqual(cellsOf("agent").slice(2, 7), ["1", "1", "1", "1", "1"]);
    assert.deepEqual(cellsOf("old").slice(2, 5), ["2", "2", "2"]);
    assert.equal(cellsOf("gated").at(-1), "1/2");
  });

  test("a cause of several objects is printed once, with each object and what waits for it", async () => {
    const claim = (name: string): string => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name} }
spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
`;
    const pod = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: c, image: nginx, volumeMounts: [{ name: v, mountPath: /v }] }]
  volumes: [{ name: v, persistentVolumeClaim: { claimName: a } }]
`;
    const { out } = await claimcheck(["predict", "-"], claim("a") + claim("b") + pod);
    const why = 'stays Pending: there is no volume and class "" is never provisioned';
    const told = [
      `2 times the same cause: ${why}`,
      "  FailedBinding: no persistent volumes available for this claim and no storage class is set",
      "  Claim a",
      "    cause: Claim a spec.storageClassName at -:4:27",
      `    so: Pod web stays Pending: claim "a" ${why}`,
      "  Claim b",
      "    cause: Claim b spec.storageClassName at -:9:27",
      "  change: create a StorageClass and name it in spec.storageClassName, or create a volume that fits",
    ];
    assert.ok(out.includes(told.join("\n")), out);
  });

  test("an event of another component is reported as unknown", async () => {
    const text = "Warning  FooBar  persistentvolumeclaim/a  nobody says this";
    const { out } = await claimcheck(["explain", "--event", "-"], text);
    assert.equal(out, "FooBar: not a message of the storage components\n  nobody says this\n");
  });

  test("an overlay is read with its base, and without files that it does not name", async () => {
    const { out } = await claimcheck(["predict", "overlays/production"]);
    assert.match(out, /production-data +Pending/);
    assert.match(out, /cause: Claim production-data .* at overlays\/base\/claim\.yaml:6:21/);
    assert.doesNotMatch(out, /unused/);
  });

  test("a cluster is read from a file or from standard input, and its source is printed", async () => {
    const file = join(import.meta.dirname, "../support/running-cluster.yaml");
    const { code, out } = await claimcheck(["predict", "running", "--cluster", file]);
    assert.equal(code, 1);
    assert.match(
      out,
      /Imported cluster, 2 nodes, taken from running-cluster\.yaml, Kubernetes 1\.36/,
    );
    assert.match(out, /shop +data-db-0 +Bound/);
    assert.doesNotMatch(out, /web-6d4b9c7f5d/);
    const text = readFileSync(file, "utf8");
    const piped = await claimcheck(["check", "running", "--cluster", "-"], text);
    assert.match(
      piped.out,
      /error pvc-shrink Forbidden: field can not be less than status.capacity/,
    );
  });

  test("kustomizations may include folders outside the given path, but not files", async () => {
    const folder = mkdtempSync(join(tmpdir(), "claimcheck-"));
    try {
      const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
      const claimNamed = (name: string): string =>
        `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\n`;
      for (const name of ["base", "overlay"]) mkdirSync(join(folder, name));
      write("secret.yaml", claimNamed("secret"));
      write("base/claim.yaml", claimNamed("data"));
      write("base/kustomization.yaml", "resources: [claim.yaml]\n");
      write("overlay/kustomization.yaml", "resources: [../base, ../secret.yaml]\n");
      const { out } = await claimcheck(["check", join(folder, "overlay")]);
      assert.match(out, /Not judged: \.\.\/secret\.yaml is not among the files that are read/);
      assert.match(out, /in 3 files/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("a named pipe is read", async () => {
    if (process.platform === "win32") return;
    const folder = mkdtempSync(join(tmpdir(), "claimcheck-"));
    try {
      const pipe = join(folder, "pipe");
      execFileSync("mkfifo", [pipe]);
      const writing = writeFile(pipe, webOnData);
      const { out } = await claimcheck(["check", pipe]);
      await writing;
      assert.match(out, /pipe:\d+:\d+ /);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("a missing import is reported", async () => {
    const folder = mkdtempSync(join(tmpdir(), "claimcheck-"));
    try {
      writeFileSync(join(folder, "claimcheck.yaml"), "cluster: { import: gone.yaml }\n");
      writeFileSync(join(folder, "web.yaml"), webOnData);
      const { out } = await claimcheck(["check", folder]);
      assert.match(out, /gone\.yaml: There is no such file/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("a cluster is read from a folder, as written by cluster-info dump and backups", async () => {
    const file = join(import.meta.dirname, "../support/running-cluster.yaml");
    const { objects } = readImportedText(readFileSync(file, "utf8"));
    const folder = mkdtempSync(join(tmpdir(), "dump-"));
    const write = (name: string, value: unknown): void =>
      writeFileSync(join(folder, name), JSON.stringify(value));
    try {
      mkdirSync(join(folder, "shop"));
      for (const [i, object] of objects.entries()) write(`shop/${i}.json`, object);
      write("events.json", { kind: "EventList", apiVersion: "v1", items: [{ metadata: {} }] });
      writeFileSync(join(folder, "logs.txt"), "apiVersion: none");
      const { out, err } = await claimcheck(["predict", "running", "--cluster", folder]);
      const line = `Imported cluster, 2 nodes, taken from ${objects.length} files, Kubernetes`;
      assert.ok(out.includes(line), out);
      assert.match(out, /shop +data-db-0 +Bound/);
      assert.equal(err, "");
      mkdirSync(join(folder, "empty"));
      const empty = await claimcheck(["check", "running", "--cluster", join(folder, "empty")]);
      assert.match(empty.err, /^claimcheck: no YAML or JSON files in /);
      writeFileSync(join(folder, "alone.json"), '{"kind":"EventList","items":[]}');
      const alone = ["check", "running", "--cluster", join(folder, "alone.json")];
      const { code, err: told } = await claimcheck(alone);
      assert.deepEqual([code, told.includes("no object of a kind that is simulated")], [2, true]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("the default class of the profile in --profile is as certain as that of one in claimcheck.yaml", async () => {
    const deployment = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
${webOnData}`;
    const { out } = await claimcheck(["check", "-", "--profile", "gke"], deployment);
    assert.match(out, /^-:16:67 warning rolling-update-rwo /m);
    const guessed = await claimcheck(["check", "-"], deployment);
    assert.doesNotMatch(guessed.out, /rolling-update-rwo/);
  });

  test("an assumed cluster is printed with the option that names one", async () => {
    const claim = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
    const lastOf = async (...argv: readonly string[]): Promise<string | undefined> =>
      (await claimcheck(["check", "-", ...argv], claim)).out.trimEnd().split("; ").at(-1);
    assert.equal(
      await lastOf(),
      "cluster profile generic (assumed: --profile names yours), Kubernetes 1.36",
    );
    assert.equal(await lastOf("--profile", "kind"), "cluster profile kind, Kubernetes 1.36");
    const { out } = await claimcheck(["predict", "-"], claim);
    assert.match(out, /profile generic \(assumed, .*; --profile sets yours\)/);
  });

  test("a driver that only a class names is reported as assumed to be installed", async () => {
    const storageClass = (provisioner: string): string => `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: ${provisioner}
`;
    const eks = ["predict", "-", "--profile", "eks"];
    const { out } = await claimcheck(eks, storageClass("disks.example.com"));
    assert.match(
      out,
      /\nAssumed to be installed, because the manifests use them: disks\.example\.com\n/,
    );
    const known = await claimcheck(eks, storageClass("ebs.csi.aws.com"));
    assert.doesNotMatch(known.out, /Assumed to be installed/);
  });

  test("a claimRef without namespace is printed as kubectl prints it", async () => {
    const { out } = await claimcheck(
      ["predict", "-"],
      `
apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x }, claimRef: { name: data } }
`,
    );
    assert.match(out, /^disk .* Available +\/data +/m);
  });

  test("workloads have kubectl's wide columns", async () => {
    const template = (name: string, more: string): string =>
      `{ metadata: { labels: { app: ${name} } }, spec: { ${more} containers: [{ name: a, image: one }, { name: b, image: two }] } }`;
    const { out } = await claimcheck(
      ["predict", "-"],
      `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  selector: { matchExpressions: [{ key: app, operator: In, values: [z, agent] }] }
  template: ${template("agent", "nodeSelector: { kubernetes.io/os: linux },")}
---
apiVersion: v1
kind: ReplicationController
metadata: { name: old }
spec: { replicas: 2, template: ${template("old", "")} }
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: { name: alone }
spec: { replicas: 0, selector: { matchLabels: { app: alone } }, template: ${template("alone", "")} }
---
apiVersion: batch/v1
kind: Job
metadata: { name: once }
spec: { suspend: true, parallelism: 2, template: ${template("once", "restartPolicy: Never,")} }
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: yearly }
spec: { schedule: "0 0 1 6 *", timeZone: Europe/Berlin, jobTemplate: { spec: { template: ${template("yearly", "restartPolicy: Never,")} } } }
`,
    );
    const rows = out.split("\n").map((line) => line.split(/ {3,}/));
    const rowOf = (name: string): readonly string[] => rows.find(([, own]) => own === name) ?? [];
    const [, , ...agent] = rowOf("agent");
    const counts = ["3", "3", "3", "3", "3"];
    assert.deepEqual(
      agent.filter((_, index) => index !== 6),
      [...counts, "kubernetes.io/os=linux", "a,b", "one,two", "app in (agent,z)"],
    );
    const [, , ...old] = rowOf("old");
    assert.deepEqual(old.toSpliced(3, 1), ["2", "2", "2", "a,b", "one,two", "app=old"]);
    const [, , ...alone] = rowOf("alone");
    assert.deepEqual(alone.toSpliced(3, 1), ["0", "0", "0", "a,b", "one,two", "app=alone"]);
    assert.deepEqual(rowOf("once").slice(2, 4), ["Suspended", "0/1 of 2"]);
    assert.deepEqual(rowOf("yearly").toSpliced(7, 1).slice(2), [
      ...["0 0 1 6 *", "Europe/Berlin", "False", "0", "<none>", "a,b", "one,two", "<none>"],
    ]);
    assert.deepEqual((out.match(/^NAMESPACE .*SCHEDULE.*$/m)?.[0] ?? "").split(/ {3,}/).slice(2), [
      ...["SCHEDULE", "TIMEZONE", "SUSPEND", "ACTIVE", "LAST SCHEDULE"],
      ...["AGE", "CONTAINERS", "IMAGES", "SELECTOR"],
    ]);
  });

  test("objects that operators create claims from are listed as not judged", async () => {
    const manifests = `
apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata: { name: shop, namespace: db }
spec:
  instances: 3
  storage: { size: 10Gi, storageClass: fast }
---
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaNodePool
metadata: { name: brokers }
spec: { storage: { type: jbod, volumes: [{ type: persistent-claim, size: 1Ti }] } }
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: { name: web }
spec: { secretName: web }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: clusters.postgresql.cnpg.io }
spec: { versions: [{ schema: { storageClass: { type: string } } }] }
`;
    const told =
      "Not judged, because only their operators know what claims they make:\n  -:7:40 Cluster db/shop\n  -:12:50 KafkaNodePool brokers\n\nThere is nothing else to judge.\n";
    const { out } = await claimcheck(["predict", "-"], manifests);
    assert.equal(out.slice(-told.length), told);
    const { out: other } = await claimcheck(["predict", "-", "-n", "default"], manifests);
    assert.doesNotMatch(other, /Cluster db/);
  });

  test("group snapshots are listed as not simulated", async () => {
    const manifests = `apiVersion: groupsnapshot.storage.k8s.io/v1beta2
kind: VolumeGroupSnapshot
metadata: { name: nightly, namespace: shop }
spec: { source: { selector: { matchLabels: { app: shop } } } }
`;
    const told =
      "Not judged, because groups of snapshots are not simulated:\n  -:2:7 VolumeGroupSnapshot shop/nightly\n\nThere is nothing else to judge.\n";
    const { out } = await claimcheck(["predict", "-"], manifests);
    assert.equal(out.slice(-told.length), told);
  });

  test("a chart is judged as rendered with the values of the command line", async () => {
    const { out } = await claimcheck(["predict", "chart"]);
    assert.match(out, /\nClaim shop-data stays Pending: there is no volume/);
    assert.match(out, / {2}cause: Claim shop-data spec at chart\/templates\/claim\.yaml:5:1\n/);
    const none = "storage.class=none";
    const { out: withClass } = await claimcheck(["predict", "chart", "--set", none]);
    assert.match(withClass, /Claim shop-data stays Pending: class "none" does not exist/);
  });

  test("values of the command line may also be JSON, files and literals, and are refused with Helm's message", async () => {
    for (const [option, value] of [
      ["--set-json", '{"storage":{"class":"none"}}'],
      ["--set-literal", "storage.class=none"],
    ] as const) {
      const { out } = await claimcheck(["predict", "chart", option, value]);
      assert.match(out, /Claim shop-data stays Pending: class "none" does not exist/);
    }
    for (const [option, value, message] of [
      ["--set", "storage.class", 'failed parsing --set data: key "class" has no value'],
      ["--set-json", "a={", "failed parsing --set-json data a={"],
      [
        "--set-file",
        "storage.class=gone.txt",
        "failed parsing --set-file data: open gone.txt: no such file or directory",
      ],
    ] as const) {
      const { code, err } = await claimcheck(["predict", "chart", option, value]);
      assert.deepEqual([code, err], [2, `claimcheck: ${message}\n`]);
    }
    const file = "storage.class=chart/Chart.yaml";
    const { out } = await claimcheck(["predict", "chart", "--set-file", file]);
    assert.match(out, /YAML parse error on shop\/templates\/claim\.yaml/);
  });

  test("endless files are given up, and an unreadable file is not reported as missing", async () => {
    for (const [option, value, message] of [
      ["--set-file", "a=/dev/zero", "cannot read /dev/zero"],
      ["--values", "/dev/zero", "cannot read /dev/zero"],
      ["--set-file", "a=chart", "cannot read chart"],
    ] as const) {
      const { code, err } = await claimcheck(["predict", "chart", option, value]);
      assert.deepEqual([code, err], [2, `claimcheck: ${message}\n`]);
    }
  });

  test("the path of a chart's template reads the whole chart", async () => {
    const { out } = await claimcheck(["predict", "chart/templates/claim.yaml"]);
    assert.match(out, /\nClaim shop-data stays Pending/);
    const template = join(cwd, "chart/templates/claim.yaml");
    const atRoot = await claimcheck(["predict", template], "", undefined, "/");
    assert.match(atRoot.out, /\nClaim shop-data stays Pending/);
  });

  test("the path of any file reads the charts that its project file installs, but none from outside", async () => {
    const root = mkdtempSync(join(tmpdir(), "claimcheck-charts-"));
    const write = (name: string, text: string): void => {
      mkdirSync(join(root, dirname(name)), { recursive: true });
      writeFileSync(join(root, name), text);
    };
    const charts = (chart: string): string =>
      `charts: [{ chart: ${chart}, values: [values-test.yaml] }]\n`;
    write("project/claimcheck.yaml", charts("shop"));
    write("project/values-test.yaml", "class: fast\n");
    write("project/namespace.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: { name: n }\n");
    for (const chart of ["project/shop", "elsewhere/shop"]) {
      write(`${chart}/Chart.yaml`, "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
      write(
        `${chart}/templates/claim.yaml`,
        dataClaim.replace("spec: {", "spec: { storageClassName: {{ .Values.class }},"),
      );
    }
    try {
      for (const name of ["namespace.yaml", "values-test.yaml", "shop/templates/claim.yaml"]) {
        const { out } = await claimcheck(["check", `project/${name}`], "", undefined, root);
        assert.match(out, /^project\/values-test\.yaml:1:8 \w+ pvc-class-missing/m, name);
        assert.doesNotMatch(out, /project-file/, name);
      }
      write("project/claimcheck.yaml", charts("../elsewhere/shop"));
      const startedIn = join(root, "project");
      const { out } = await claimcheck(["check", "namespace.yaml"], "", undefined, startedIn);
      assert.match(out, /“\.\.\/elsewhere\/shop” is no folder with a Chart\.yaml in this cluster/);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  suite("a chart's dependencies", () => {
    const root = mkdtempSync(join(tmpdir(), "claimcheck-dependencies-"));
    const write = (name: string, data: string | Uint8Array): void => {
      mkdirSync(join(root, dirname(name)), { recursive: true });
      writeFileSync(join(root, name), data);
    };
    const chart = (name: string, more = ""): string =>
      `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;
    const needs = (repository: string): string =>
      chart("shop", `dependencies: [{ name: db, version: 1.x, repository: "${repository}" }]\n`);
    const template = dataClaim.replace("spec: {", "spec: { storageClassName: nowhere,");
    const told = /^project\/shop\/Chart\.yaml:4:24 \w+ pvc-class-missing PersistentVolumeClaim /gm;
    setup(() => {
      write("project/db/Chart.yaml", chart("db"));
      write("project/db/templates/claim.yaml", template);
      write("project/shop/Chart.yaml", needs("file://../db"));
    });
    teardown(() => rmSync(root, { recursive: true }));

    test("are read from other folders if the command was started above them", async () => {
      const { out } = await claimcheck(["check", "project/shop"], "", undefined, root);
      assert.equal(out.match(told)?.length, 1);
      assert.match(
        out,
        /^ +project\/db\/templates\/claim\.yaml:4:\d+ PersistentVolumeClaim data$/m,
      );
      assert.doesNotMatch(out, /^project\/db/m);
      const inside = await claimcheck(["check", "."], "", undefined, join(root, "project/shop"));
      assert.match(inside.out, /missing in charts\/ directory: db/);
    });

    test("are judged by themselves if they are in the given path, too", async () => {
      const { out } = await claimcheck(["check", "project"], "", undefined, root);
      assert.equal(out.match(told)?.length, 1);
      assert.match(out, /^project\/db\/templates\/claim\.yaml:4:\d+ \w+ pvc-class-missing/m);
    });

    test("are read from archives", async () => {
      write("project/shop/Chart.yaml", needs("https://charts.example.com"));
      const files = { "db/Chart.yaml": chart("db"), "db/templates/claim.yaml": template };
      write("project/shop/charts/db-1.0.0.tgz", packed(files));
      for (const path of ["project/shop", "project/shop/Chart.yaml"]) {
        const { out } = await claimcheck(["check", path], "", undefined, root);
        assert.equal(out.match(told)?.length, 1, path);
        assert.doesNotMatch(out, /tgz\/|tgz:\d/);
      }
    });
  });

  suite("overlays that build different objects from the same files", () => {
    const root = mkdtempSync(join(tmpdir(), "claimcheck-overlays-"));
    const write = (name: string, text: string): void => {
      mkdirSync(join(root, dirname(name)), { recursive: true });
      writeFileSync(join(root, name), text);
    };
    suiteSetup(() => {
      write("base/claim.yaml", dataClaim.replace("spec: {", "spec: { storageClassName: fast,"));
      write("base/kustomization.yaml", "resources: [claim.yaml]\n");
      const patch = "patch: '- { op: replace, path: /spec/accessModes/0, value: Any }'";
      write("overlays/dev/kustomization.yaml", "resources: [../../base]\nnamePrefix: dev-\n");
      write(
        "overlays/prod/kustomization.yaml",
        `resources: [../../base]\npatches: [{ target: { kind: PersistentVolumeClaim }, ${patch} }]\n`,
      );
    });
    suiteTeardown(() => rmSync(root, { recursive: true }));
    const inRoot = (...argv: readonly string[]): Promise<Outcome> =>
      claimcheck(argv, "", undefined, root);

    test("are each judged as a separate cluster", async () => {
      const { out } = await inRoot("predict", ".");
      assert.match(out, /^\. \(overlays\/dev\): .*\n\. \(overlays\/prod\): /s);
      assert.match(out, /Claim dev-data stays Pending/);
      assert.doesNotMatch(out, /Not judged/);
      const { out: one } = await inRoot("predict", "overlays/dev");
      assert.match(one, /^overlays\/dev: |^\.: /);
      assert.doesNotMatch(one, /overlays\/prod/);
    });

    test("have each finding printed once, with its overlays if it is not in all of them", async () => {
      const { out, code } = await inRoot("check", ".");
      assert.match(
        out,
        /^overlays\/prod\/kustomization\.yaml:\S+ error api-refused spec\.accessModes: .*\n {4}In overlays\/prod$/m,
      );
      assert.match(out, /^1 error, 0 warnings, 1 information, 0 hints in 4 files; /m);
      assert.equal(code, 1);
      const github = await inRoot("check", ".", "--output", "github");
      assert.match(github.out, /^::error .*%0AIn overlays\/prod$/m);
    });

    test("are distinguished in JSON", async () => {
      const { out } = await inRoot("check", ".", "--output", "json");
      const path = join(import.meta.dirname, "../../schemas/report.schema.json");
      const schema = JSON.parse(readFileSync(path, "utf8"));
      const report = JSON.parse(out);
      assert.deepEqual(complaints(report, schema), []);
      assert.deepEqual(
        report.clusters.map(({ overlay }: { readonly overlay: string }) => overlay),
        ["overlays/dev", "overlays/prod"],
      );
    });

    test("are reported as not judged, except the one that claimcheck.yaml chooses", async () => {
      write("claimcheck.yaml", "kustomization: overlays/dev\n");
      const { out } = await inRoot("predict", ".");
      rmSync(join(root, "claimcheck.yaml"));
      assert.match(
        out,
        /\nPart of what the kustomizations say is not judged:\n {2}overlays\/prod\/kustomization\.yaml:\S+ Not judged: overlays\/dev builds PersistentVolumeClaim data differently, /,
      );
    });
  });

  test("refused objects are printed before the outcome of the others", async () => {
    const manifests = (quota: string): string => `
apiVersion: v1
kind: ResourceQuota
metadata: { name: storage }
spec: { hard: { requests.storage: ${quota} } }
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec: { capacity: { storage: 10Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 10Gi } } }
`;
    for (const command of ["predict", "simulate"]) {
      const { out } = await claimcheck([command, "-"], manifests("5Gi"));
      assert.match(
        out,
        /\nNot in the cluster, because refused:\n {2}-:15:\d+ .*exceeded quota: storage.*\n\nEverything else succeeds\.\n$/,
      );
      const { out: accepted } = await claimcheck([command, "-"], manifests("50Gi"));
      assert.match(accepted, /\nEverything succeeds\.\n$/);
    }
  });

  test("a blocked rollout is reported even if everything works at first", async () => {
    const manifests = (strategy: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: disks, accessModes: [ReadWriteOncePod], resources: { requests: { storage: 1Gi } } }
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: disks }
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  strategy: { type: ${strategy} }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: nginx, volumeMounts: [{ name: data, mountPath: /data }] }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;
    for (const command of ["predict", "simulate"]) {
      const { out } = await claimcheck([command, "-"], manifests("RollingUpdate"));
      assert.match(
        out,
        /\nEverything succeeds\.\nHowever, `claimcheck check` finds:\n {2}-:17:21 error rolling-update-rwop The new Pod .*\n$/,
      );
      const { out: mended } = await claimcheck([command, "-"], manifests("Recreate"));
      assert.match(mended, /\nEverything succeeds\.\n$/);
    }
  });

  test("a pod is told that its claim is in another namespace", async () => {
    const manifests = `
apiVersion: v1
kind: Namespace
metadata: { name: blog }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, namespace: blog }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: web, image: nginx, volumeMounts: [{ name: data, mountPath: /data }] }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;
    for (const command of ["predict", "explain"])
      assert.match(
        (await claimcheck([command, "-"], manifests)).out,
        /\n {2}The claim exists in namespace “blog”; a Pod can only use claims of its own namespace, “default”\n/,
      );
  });

  test("a snapshot is told that its claim is in another namespace, and a Deployment's ReplicaSet is not listed", async () => {
    const manifests = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: none, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: { name: before, namespace: backup }
spec: { source: { persistentVolumeClaimName: data } }
---
${webOnData}`;
    const { out } = await claimcheck(["predict", "-", "--profile", "eks"], manifests);
    assert.match(out, /\n {2}so: Deployment web has 0 of 1 pods ready\n/);
    assert.doesNotMatch(out, /so: ReplicaSet/);
    assert.match(
      out,
      /\n {2}The source exists in namespace “default”; what is made from it must be there too, and is in “backup”\n/,
    );
  });

  test("nothing is said to work if all objects are refused", async () => {
    const { out } = await claimcheck(
      ["predict", "-"],
      "kind: PersistentVolumeClaim\nmetadata: { name: data }\n",
    );
    assert.match(out, /\n {2}-:1:7 apiVersion not set\n\nThere is nothing else to judge\.\n$/);
    const custom = "apiVersion: example.com/v1\nkind: Thing\nmetadata: { name: a }\n";
    const { out: unknown } = await claimcheck(["predict", "-"], custom);
    assert.match(unknown, /\n\nThere is no object to judge\.\n$/);
  });

  test("a claim that grows at its kubelet's next sync is listed as still on its way", async () => {
    const cluster = join(import.meta.dirname, "../support/running-cluster.yaml");
    const claims = ["data-db-0", "data-db-1"].map(
      (name) => `---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name}, namespace: shop }
spec:
  storageClassName: gp3
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 40Gi } }
`,
    );
    const { out } = await claimcheck(["predict", "-", "--cluster", cluster], claims.join(""));
    const small = [...out.matchAll(/^shop +(data-\S+) +Bound +\S+ +20Gi /gm)].map(
      ([, name]) => name,
    );
    const told = [
      ...out.matchAll(/^ {2}Claim shop\/(\S+) grows to 40Gi on \S+ at the next look at pod/gm),
    ];
    assert.ok(small.length > 0, out);
    assert.deepEqual(
      told.map(([, name]) => name),
      small,
    );
    assert.match(out, /\n\nStill on its way .*:\n {2}Claim .*\n\nEverything else succeeds\.\n$/s);
  });

  test("a CronJob is tried before its time, and listed as not run if there are too many", async () => {
    const claim = (className: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: ${className}, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
`;
    const cronJob = (i: number): string => `---
apiVersion: batch/v1
kind: CronJob
metadata: { name: dump-${i} }
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{ name: dump, image: busybox }]
          volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;
    const predict = async (count: number, className: string): Promise<string> => {
      const all = [claim(className), ...Array.from({ length: count }, (_, i) => cronJob(i))].join(
        "",
      );
      return (await claimcheck(["predict", "-", "--profile", "longhorn"], all)).out;
    };
    assert.match(
      await predict(1, "longhorn"),
      /\nStill on its way .*:\n {2}CronJob dump-0 makes its first Job when its time comes \(0 3 \* \* \*\), which would run\n\nEverything else succeeds\.\n$/,
    );
    assert.match(
      await predict(1, "nowhere"),
      /\nClaim data .*\n.*\n {2}cause: .*\n {2}so: CronJob dump-0 would make a Job that has 0 of 1 pods ready or done\n/,
    );
    assert.match(
      await predict(40, "nowhere"),
      /\nNot run, .*:\n {2}CronJob dump-39 \(0 3 \* \* \*\)\n\nClaim data /,
    );
  });

  test("a refused object is explained by the refusal", async () => {
    const manifests = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 0 } } }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: logs }
spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
    const { out } = await claimcheck(["explain", "-", "--object", "pvc/data"], manifests);
    assert.match(
      out,
      /\nNot in the cluster, because refused:\n {2}-:5:\d+ spec\.resources\[storage\]: .*\n$/,
    );
    const other = await claimcheck(["explain", "-", "--object", "pvc/logs"], manifests);
    assert.match(other.out, /\nClaim logs stays Pending/);
    assert.doesNotMatch(other.out, /because refused/);
  });

  test("a claim whose class has a mistyped driver is explained by the missing provisioner", async () => {
    const manifests = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: disks }
provisioner: ebs.csi.aws.co
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: logs }
spec: { storageClassName: disks, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
    const { out } = await claimcheck(["explain", "-", "--object", "pvc/logs"], manifests);
    assert.match(out, /nothing in this cluster runs the provisioner "ebs\.csi\.aws\.co"/);
  });

  test("an object of a removed version is explained by that", async () => {
    const manifests = `
apiVersion: storage.k8s.io/v1beta1
kind: StorageClass
metadata: { name: fast }
provisioner: ebs.csi.aws.com
`;
    const { code, out } = await claimcheck(["explain", "-", "--object", "sc/fast"], manifests);
    assert.equal(code, 1);
    assert.match(out, /because refused:\n {2}-:2:\d+ no matches for kind "StorageClass"/);
  });

  test("a refusal caused by a patch is printed only for the patched object", async () => {
    const { out } = await claimcheck(["explain", "patched", "--object", "pvc/data"]);
    assert.match(out, /because refused:\n {2}patched\/small\.yaml:4:\d+ spec\.resources/);
    const other = await claimcheck(["explain", "patched", "--object", "pvc/logs"]);
    assert.match(other.out, /\nClaim logs stays Pending/);
    assert.doesNotMatch(other.out, /because refused/);
  });

  test("a refusal is printed even if its finding is accepted or off", async () => {
    const manifests = (comment: string): string => `
${comment}
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 0 } } }
`;
    const { out } = await claimcheck(
      ["predict", "-"],
      manifests("# claimcheck-ignore api-refused"),
    );
    assert.match(out, /\nNot in the cluster, because refused:\n {2}-:6:\d+ spec\.resources/);
    const off = await claimcheck(["predict", "accepted"]);
    assert.match(
      off.out,
      /because refused:\n {2}accepted\/claim\.yaml:4:\d+ .*\n\nThere is nothing else to judge\.\n$/,
    );
  });

  test("an object of the cluster is explained without any manifest", async () => {
    const file = join(import.meta.dirname, "../support/running-cluster.yaml");
    const { code, out, err } = await claimcheck([
      ...["explain", "--cluster", file, "--object", "pod/shop/db-0"],
    ]);
    assert.equal(err, "");
    assert.equal(code, 0);
    assert.match(out, /\nPod shop\/db-0 runs on /);
    const json = ["--object", "pod/shop/db-0", "-o", "json"];
    const report = JSON.parse((await claimcheck(["explain", "--cluster", file, ...json])).out);
    const [{ outcomes }] = report.clusters;
    assert.deepEqual(
      outcomes.map(({ object }: { object: string }) => object),
      ["Pod/shop/db-0"],
    );
    const all = await claimcheck(["explain", "--cluster", file]);
    assert.match(all.err, /no path given/);
    const event = 'FailedMount MountVolume.SetUp failed for volume "cert" : secret "tls" not found';
    const told = await claimcheck(["explain", "--cluster", file, "--event", event]);
    assert.equal(told.err, "");
    assert.match(told.out, /because: .*tls/);
  });

  test("an object that is being deleted is reported as deleted before the cluster is at rest", async () => {
    const leaving = `apiVersion: v1
kind: PersistentVolume
metadata:
  name: old
  uid: old
  deletionTimestamp: "2026-11-20T08:00:00Z"
  finalizers: [kubernetes.io/pv-protection]
spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: / } }
status: { phase: Available }
`;
    const argv = ["explain", "--cluster", "-", "--object", "pv/old"];
    const { err } = await claimcheck(argv, leaving);
    assert.match(err, /pv\/old is deleted before the cluster comes to rest: nothing keeps it/);
  });

  test("a failed import is reported, without a prediction for another cluster", async () => {
    const table = "NAME   STATUS   VOLUME\ndata   Bound    pv\n";
    const { code, out, err } = await claimcheck(["check", "running", "--cluster", "-"], table);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /This is the table that kubectl prints for people; add -o yaml/);
    const missing = await claimcheck(["check", "running", "--cluster", "absent.yaml"]);
    assert.deepEqual(
      [missing.code, missing.err],
      [2, "claimcheck: no such file or folder: absent.yaml\n"],
    );
    const twice = await claimcheck(["check", "-", "--cluster", "-"]);
    assert.match(twice.err, /standard input can be read for one thing only/);
  });

  test("a run repeats byte for byte, as text and as JSON", async () => {
    for (const output of ["text", "json"]) {
      const argv = ["simulate", "shop", "--output", output];
      assert.equal((await claimcheck(argv)).out, (await claimcheck(argv)).out);
    }
  });

  test("JSON matches its schema", async () => {
    const path = join(import.meta.dirname, "../../schemas/report.schema.json");
    const schema = JSON.parse(readFileSync(path, "utf8"));
    for (const command of ["check", "predict", "simulate", "explain"]) {
      const { out } = await claimcheck([command, "shop", "broken.manifest", "-o", "json"]);
      assert.deepEqual(complaints(JSON.parse(out), schema), []);
    }
  });

  test("JSON has Kubernetes' message about an outcome, and the place of its cause", async () => {
    const report = JSON.parse((await claimcheck(["predict", "shop", "-o", "json"])).out);
    const archive = report.clusters[0].outcomes.find(
      ({ object }: { object: string }) => object === "PersistentVolumeClaim/default/archive",
    );
    const { outcome, reason, message, cause } = archive;
    assert.deepEqual(
      [outcome, reason, cause.at],
      ["stuck", "FailedBinding", "shop/archive.yaml:20:21"],
    );
    assert.match(message, /^no persistent volumes available/);
  });

  test("JSON has the nodes' mounts at the end", async () => {
    const web = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: c, image: i, volumeMounts: [{ name: share, mountPath: /s }] }]
  volumes: [{ name: share, nfs: { server: nas, path: /exports } }]
`;
    const report = JSON.parse((await claimcheck(["simulate", "-", "-o", "json"], web)).out);
    const sources = report.clusters[0].nodes.map(
      ({ mounts }: { mounts: readonly { source: string }[] }) => mounts.map(({ source }) => source),
    );
    assert.deepEqual(sources, [["nas:/exports"]]);
  });

  test("JSON has only the requested object", async () => {
    const argv = ["explain", "shop", "--object", "pvc/archive", "-o", "json"];
    const report = JSON.parse((await claimcheck(argv)).out);
    const outcomes = report.clusters.flatMap((cluster: { outcomes: unknown }) => cluster.outcomes);
    assert.deepEqual(
      outcomes.map(({ object }: { object: string }) => object),
      ["PersistentVolumeClaim/default/archive"],
    );
  });

  test("JSON describes a class, which has no outcome, and its driver", async () => {
    const path = join(import.meta.dirname, "../../schemas/report.schema.json");
    const fast = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: ebs.csi.aws.com
`;
    const { out } = await claimcheck(["explain", "-", "--object", "sc/fast", "-o", "json"], fast);
    const report = JSON.parse(out);
    assert.deepEqual(complaints(report, JSON.parse(readFileSync(path, "utf8"))), []);
    const [{ outcomes, objects }] = report.clusters;
    assert.deepEqual(outcomes, []);
    assert.deepEqual(objects, [
      {
        object: "StorageClass//fast",
        text: "has provisioner ebs.csi.aws.com, Immediate, Delete",
        at: "-:3:19",
        chain: [{ object: "CSIDriver//ebs.csi.aws.com", text: "is registered on 3 of 3 nodes" }],
      },
    ]);
  });

  test("SARIF has each finding with its rule, place and severity", async () => {
    const { out, code } = await claimcheck(["check", "shop", "broken.manifest", "-o", "sarif"]);
    assert.equal(code, 1);
    const log = JSON.parse(out);
    assert.equal(log.version, "2.1.0");
    const [run] = log.runs;
    assert.deepEqual(run.tool.driver.name, "Claimcheck");
    assert.equal(run.tool.driver.version, "1.2.3");
    const text = (await claimcheck(["check", "shop", "broken.manifest"])).out;
    const found = run.results.map((result: SarifResult) => {
      const { artifactLocation, region } = result.locations[0].physicalLocation;
      const rule = run.tool.driver.rules[result.ruleIndex];
      assert.equal(rule.id, result.ruleId);
      return `${artifactLocation.uri}:${region.startLine}:${region.startColumn} ${result.level} ${result.ruleId} ${result.message.text.split("\n")[0]}`;
    });
    const wanted = text
      .split("\n")
      .filter((line) => /^\S+:\d+:\d+ /.test(line))
      .map((line) => line.replace(/ (?:information|hint) /, " note "));
    assert.deepEqual(found, wanted);
  });

  test("SARIF describes each rule", async () => {
    const claim = "kind: PersistentVolumeClaim\napiVersion: v2\nmetadata: { name: data }\n";
    const { out } = await claimcheck(["check", "-", "-o", "sarif"], claim);
    const [rule] = JSON.parse(out).runs[0].tool.driver.rules;
    const text = "The API server no longer serves the kind in this version.";
    assert.deepEqual([rule.shortDescription, rule.fullDescription], [{ text }, { text }]);
    assert.equal(rule.help.text, `${text} ${rule.helpUri}`);
  });

  test("GitHub gets each finding at its lines, and the count", async () => {
    const argv = ["check", "shop", "broken.manifest"];
    const { out, code } = await claimcheck([...argv, "-o", "github"]);
    assert.equal(code, 1);
    const text = (await claimcheck(argv)).out;
    const [count, ...commands] = out.trimEnd().split("\n").reverse();
    const severities = {
      error: "error",
      warning: "warning",
      information: "notice",
      hint: "notice",
    };
    const wanted = text.split("\n").flatMap((line) => {
      const [, file, at, severity, code, message] =
        /^(\S+?):(\d+):\d+ (error|warning|information|hint) (\S+) (.*)$/.exec(line) ?? [];
      const name = severities[severity as keyof typeof severities];
      return file === undefined ? [] : [`${name} ${file} ${at} ${code} ${message}`];
    });
    const found = commands.reverse().map((command) => {
      const [, name, file, at, code, message] =
        /^::(\w+) file=([^,]+),line=(\d+),endLine=.*title=([^:,]+)::(.*)$/.exec(command) ?? [];
      return `${name} ${file} ${at} ${code} ${message?.split("%0A")[0]?.replaceAll("%25", "%")}`;
    });
    assert.deepEqual(found, wanted);
    assert.equal(count, text.trimEnd().split("\n").at(-1));
  });

  test("GitLab gets each finding at its lines, with its own severities", async () => {
    const argv = ["check", "shop", "broken.manifest"];
    const { out, code } = await claimcheck([...argv, "-o", "gitlab"]);
    assert.equal(code, 1);
    const text = (await claimcheck(argv)).out;
    const severities = { error: "critical", warning: "major", information: "minor", hint: "info" };
    const wanted = text.split("\n").flatMap((line) => {
      const [, file, at, severity, code, message] =
        /^(\S+?):(\d+):\d+ (error|warning|information|hint) (\S+) (.*)$/.exec(line) ?? [];
      const name = severities[severity as keyof typeof severities];
      return file === undefined ? [] : [`${name} ${file} ${at} ${code} ${message}`];
    });
    const found = JSON.parse(out).map((one: GitlabFinding) => {
      const { path, lines } = one.location;
      const [message] = one.description.split("\n");
      return `${one.severity} ${path} ${lines.begin} ${one.check_name} ${message}`;
    });
    assert.deepEqual(found, wanted);
  });

  test("a finding's fingerprint for GitLab is kept when its lines move, and differs from its twin's", async () => {
    const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, labels: { a: -, b: - } }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, volumeName: "" }
`;
    const fingerprints = async (text: string): Promise<readonly string[]> => {
      const { out } = await claimcheck(["check", "-", "-o", "gitlab"], text);
      return JSON.parse(out).map((one: GitlabFinding) => one.fingerprint);
    };
    const first = await fingerprints(`${claim}---\n${claim}`);
    assert.ok(first.length > 1);
    assert.equal(new Set(first).size, first.length);
    assert.deepEqual(await fingerprints(`# moved\n${claim}---\n${claim}`), first);
  });

  test("special characters of GitHub's commands are escaped in paths and texts", async () => {
    const folder = mkdtempSync(join(tmpdir(), "claimcheck-"));
    try {
      const file = join(folder, "a,b:c%.yaml");
      writeFileSync(file, "apiVersion: v1\nkind: Pod\nmetadata: { name: '100%' }\n");
      const { out } = await claimcheck(["check", file, "-o", "github"]);
      assert.match(
        out,
        /^::error file=\S*\/a%2Cb%3Ac%25\.yaml,line=3,endLine=3,col=\d+,endColumn=\d+,title=api-refused::.*"100%25"/m,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("a byte that is not UTF-8 is accepted as by kubectl, and refused as by kustomize and Helm", async () => {
    const folder = mkdtempSync(join(tmpdir(), "claimcheck-"));
    try {
      const pod =
        "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: a, image: a }] }";
      const file = join(folder, "latin1.yaml");
      writeFileSync(file, Buffer.from(`${pod} # caf\u00e9\n`, "latin1"));
      assert.equal((await claimcheck(["check", file])).code, 0);
      writeFileSync(join(folder, "kustomization.yaml"), "resources: [latin1.yaml]\n");
      const kustomized = await claimcheck(["check", folder]);
      assert.match(kustomized.out, /MalformedYAMLError: bytes that are no UTF-8/);
      assert.equal(kustomized.code, 1);
      const named = pod.replace("name: a }", "name: caf\u00e9 }");
      writeFileSync(file, Buffer.from(named, "latin1"));
      const { out } = await claimcheck(["check", file]);
      assert.match(out, /metadata\.name: Invalid value: "caf\ufffd"/);
      rmSync(file);
      rmSync(join(folder, "kustomization.yaml"));
      mkdirSync(join(folder, "templates"));
      writeFileSync(join(folder, "Chart.yaml"), "apiVersion: v2\nname: a\nversion: 1.0.0\n");
      writeFileSync(
        join(folder, "templates", "a.yaml"),
        Buffer.from(`${pod} # \u00e9\n`, "latin1"),
      );
      const rendered = await claimcheck(["check", folder]);
      assert.match(
        rendered.out,
        /YAML parse error on a\/templates\/a\.yaml: Here is a byte that is no UTF-8/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("SARIF leads to the other places of a finding", async () => {
    const config = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n";
    const { out } = await claimcheck(["check", "-", "-o", "sarif"], `${config}---\n${config}`);
    const results: readonly SarifResult[] = JSON.parse(out).runs[0].results;
    const places = results.flatMap(({ relatedLocations = [] }) =>
      relatedLocations.map(({ physicalLocation: { artifactLocation, region } }) => [
        artifactLocation.uri,
        region.startLine,
      ]),
    );
    assert.deepEqual(places, [
      ["-", 7],
      ["-", 3],
    ]);
  });

  test("errors give exit code 1, and --fail-on changes the threshold", async () => {
    const codes = async (...argv: readonly string[]): Promise<number> =>
      (await claimcheck(argv)).code;
    assert.equal(await codes("check", "broken.manifest"), 1);
    assert.equal(await codes("check", "broken.manifest", "--fail-on", "never"), 0);
    assert.equal(await codes("check", "shop"), 0);
    assert.equal(await codes("check", "shop", "--fail-on", "warning"), 1);
    assert.equal(await codes("predict", "shop", "--fail-on=warning"), 1);
  });

  test("a run that needs too much memory is ended, with a message", async () => {
    const { code, err } = await claimcheck(["check", "shop"], "", 60_000);
    assert.equal(
      err,
      "claimcheck: the run reached its limit traceBytesMax 20000 and was stopped\n",
    );
    assert.equal(code, 3);
  });

  test("findings are printed with their line and column", async () => {
    const { out } = await claimcheck(["check", "broken.manifest"]);
    const lines = out.split("\n").map((line) => line.split(" ").slice(0, 3).join(" "));
    assert.deepEqual(lines.slice(0, 2), [
      "broken.manifest:5:7 error yaml-syntax",
      "broken.manifest:7:13 error api-version-removed",
    ]);
  });

  test("standard input, patterns and files are one cluster", async () => {
    const volume = "apiVersion: v1\nkind: Namespace\nmetadata: { name: from-input }\n";
    const { out } = await claimcheck(
      ["check", "-", "shop/arch*.yaml", "broken.manifest", "-o", "json"],
      volume,
    );
    const report = JSON.parse(out);
    const paths = new Set(
      report.clusters.flatMap((c: { diagnostics: { path: string }[] }) =>
        c.diagnostics.map((d) => d.path),
      ),
    );
    assert.ok(paths.has("broken.manifest") && paths.has("shop/archive.yaml"));
    const broken = await claimcheck(["check", "-"], "apiVersion: v1\nkind: Pod\nmetadata: [\n");
    assert.match(broken.out, /^-:3:11 error yaml-syntax/);
  });

  test("claimcheck.yaml above a file applies, and options override it", async () => {
    const { out } = await claimcheck(["predict", "shop/database.yaml"]);
    assert.match(out, /^shop: Cluster profile k3s \(set in claimcheck\.yaml\), Kubernetes 1\.35/);
    const upgraded = await claimcheck(["predict", "shop", "--kubernetes-version", "1.36"]);
    assert.match(
      upgraded.out,
      /^shop: Cluster profile k3s \(set in claimcheck\.yaml\), Kubernetes 1\.36/,
    );
    const moved = await claimcheck(["predict", "shop", "--profile", "eks"]);
    assert.match(moved.out, /^shop: Cluster profile eks \(set by --profile\), Kubernetes 1\.35/);
    const other = await claimcheck([
      "predict",
      "broken.manifest",
      "--profile",
      "eks",
      "--kubernetes-version",
      "1.33.2",
    ]);
    assert.match(other.out, /^\.: Cluster profile eks \(set by --profile\), Kubernetes 1\.33/);
  });

  test("claimcheck.yaml applies up to the folder that the command was started in, and not above it", async () => {
    const root = mkdtempSync(join(tmpdir(), "claimcheck-above-"));
    writeFileSync(join(root, "claimcheck.yaml"), "profile: kind\n");
    for (const name of ["app/own", "app-config"]) {
      mkdirSync(join(root, name), { recursive: true });
      writeFileSync(join(root, name, "claim.yaml"), dataClaim);
    }
    const profileOf = async (path: string, startedIn: string): Promise<string | undefined> => {
      const { out } = await claimcheck(["predict", path], "", undefined, startedIn);
      return / profile (\S+)/.exec(out)?.[1];
    };
    assert.equal(await profileOf("app/own/claim.yaml", root), "kind");
    assert.equal(await profileOf("own/claim.yaml", join(root, "app")), "generic");
    assert.equal(await profileOf("../app-config/claim.yaml", join(root, "app")), "generic");
    rmSync(root, { recursive: true });
  });

  test("folders that claimcheck.yaml adds to its cluster are read if they are below the start folder", async () => {
    const root = mkdtempSync(join(tmpdir(), "claimcheck-folders-"));
    for (const name of ["base", "prod"]) mkdirSync(join(root, name));
    writeFileSync(join(root, "base", "claim.yaml"), dataClaim);
    // The encoding of a file written by PowerShell.
    const project = Buffer.from("\uFEFFprofile: kind\nfolders: [../base]\n", "utf16le");
    writeFileSync(join(root, "prod", "claimcheck.yaml"), project);
    writeFileSync(join(root, "prod", "web.yaml"), webOnData);
    const { out, code } = await claimcheck(["predict", "prod"], "", undefined, root);
    assert.match(out, /^prod: Cluster profile kind.*data +Bound.*web-\S+ +1\/1 +Running/s);
    assert.equal(code, 0);
    const atRoot = await claimcheck(["predict", join(root, "prod")], "", undefined, "/");
    assert.match(atRoot.out, /data +Bound.*web-\S+ +1\/1 +Running/s);
    const inside = await claimcheck(["check", "."], "", undefined, join(root, "prod"));
    assert.match(inside.out, /“\.\.\/base” is in no folder that is open here, and is not read/);
    symlinkSync("../base", join(root, "prod", "link"), "dir");
    mkdirSync(join(root, "prod", "own"));
    writeFileSync(join(root, "prod", "own", "claimcheck.yaml"), "folders: [../link]\n");
    const linked = await claimcheck(["check", "own"], "", undefined, join(root, "prod"));
    assert.match(linked.err, /there is no manifest in these paths/);
    rmSync(root, { recursive: true });
  });

  test("a mistake in claimcheck.yaml is reported beside the output of every command", async () => {
    const folder = mkdtempSync(join(tmpdir(), "claimcheck-project-"));
    writeFileSync(join(folder, "claimcheck.yaml"), "profile: esk\n");
    writeFileSync(join(folder, "web.yaml"), webOnData);
    const scenario = "steps:\n  - expect: [{ kind: Node, count: 3 }]\n";
    writeFileSync(join(folder, "nodes.scenario.yaml"), scenario);
    for (const command of ["predict", "simulate", "explain", "test"]) {
      const { code, err } = await claimcheck([command, folder]);
      assert.equal(code, command === "test" ? 0 : 1);
      assert.match(
        err,
        /^claimcheck: \S+claimcheck\.yaml:1:10 error project-file No profile has the name “esk”.*\n$/,
      );
    }
    // The command check prints it as a finding.
    assert.equal((await claimcheck(["check", folder])).err, "");
    rmSync(folder, { recursive: true });
  });

  test("a folder named claimcheck.yaml is reported for any path near it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "claimcheck-project-"));
    mkdirSync(join(folder, "claimcheck.yaml"));
    mkdirSync(join(folder, "apps"));
    writeFileSync(join(folder, "apps", "claim.yaml"), dataClaim);
    for (const path of [".", "apps", "apps/claim.yaml"]) {
      const { code, out } = await claimcheck(["check", path], "", undefined, folder);
      assert.match(out, /^claimcheck\.yaml:1:1 error project-file This is a folder; settings/m);
      assert.doesNotMatch(out, /yaml-limit/);
      assert.equal(code, 1);
    }
    rmSync(folder, { recursive: true });
  });

  test("a manifest and a symbolic link to it are one manifest", async () => {
    const folder = mkdtempSync(join(tmpdir(), "claimcheck-link-"));
    const [file, link] = [join(folder, "claim.yaml"), join(folder, "link.yaml")];
    writeFileSync(file, dataClaim);
    symlinkSync("claim.yaml", link);
    const { out } = await claimcheck(["check", "--profile", "kind", file, link]);
    assert.doesNotMatch(out, /duplicate/);
    const alone = await claimcheck(["predict", "--profile", "kind", link]);
    assert.match(alone.out, /data +waits/);
    rmSync(folder, { recursive: true });
  });

  test("a broken link is reported as such, not as a missing file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "claimcheck-link-"));
    const link = join(folder, "web.yaml");
    symlinkSync("nowhere.yaml", link);
    const { code, err } = await claimcheck(["check", link]);
    assert.equal(code, 2);
    assert.equal(err, `claimcheck: ${link} is a link to a file that is not there\n`);
    rmSync(folder, { recursive: true });
  });

  test("test runs the given scenarios and prints unmet expectations", async () => {
    const passes =
      "pass scenarios/waits.scenario.yaml: The claim waits for a volume (1 expectation, 17s)";
    assert.deepEqual(await claimcheck(["test", "scenarios/waits.scenario.yaml"]), {
      code: 0,
      out: `${passes}\n1 scenario, 0 failed\n`,
      err: "",
    });
    const { code, out } = await claimcheck(["test", "scenarios"]);
    assert.equal(code, 1);
    assert.equal(
      out,
      `FAIL scenarios/fails.scenario.yaml: <Nothing> is "there" (1 expectation, 4s)
  scenarios/fails.scenario.yaml:4:14 Pod/default/web does not exist
${passes}
2 scenarios, 1 failed
`,
    );
  });

  test("test writes JUnit reports", async () => {
    const { code, out } = await claimcheck(["test", "scenarios/f*.yaml", "-o", "junit"]);
    assert.equal(code, 1);
    assert.equal(
      out,
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="1" failures="1">
  <testsuite name="claimcheck" tests="1" failures="1">
    <testcase classname="scenarios/fails.scenario.yaml" name="&lt;Nothing&gt; is &quot;there&quot;" time="4">
      <failure message="Pod/default/web does not exist">scenarios/fails.scenario.yaml:4:14 Pod/default/web does not exist</failure>
    </testcase>
  </testsuite>
</testsuites>
`,
    );
  });

  test("test without a scenario is wrong usage", async () => {
    const { code, out, err } = await claimcheck(["test", "broken.manifest"]);
    assert.deepEqual([code, out], [2, ""]);
    assert.equal(err, "claimcheck: there is no scenario (*.scenario.yaml) in these paths\n");
    const json = await claimcheck(["test", "scenarios", "-o", "json"]);
    assert.equal(json.code, 2);
    assert.match(json.err, /--output of test must be one of text, junit, not “json”/);
  });

  test("explain picks an object by its short name", async () => {
    const { out } = await claimcheck(["explain", "shop", "--object", "pvc/archive"]);
    assert.match(out, /\nClaim archive stays Pending/);
    assert.doesNotMatch(out, /\nClaim data/);
  });

  test("explain prints what a pasted description means, with places in the files", async () => {
    const described = `Name:         database
Namespace:    default
Containers:
Events:
  Warning  FailedScheduling  8s  default-scheduler  0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.
`;
    const { code, out } = await claimcheck(["explain", "shop", "--event", "-"], described);
    assert.equal(code, 0);
    golden("explain-event.txt", out);
  });

  test("a pasted eviction leads to the exceeded limit, for any pod of the workload", async () => {
    const workload = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
      volumes:
        - name: v
          emptyDir:
            sizeLimit: 1Gi
`;
    const pasted = `LAST SEEN   TYPE      REASON    OBJECT                     MESSAGE
10s         Warning   Evicted   pod/web-6c8f9d7b4f-abcde   Usage of EmptyDir volume "v" exceeds the limit "1Gi".
`;
    const folder = mkdtempSync(join(tmpdir(), "claimcheck-evicted-"));
    writeFileSync(join(folder, "web.yaml"), workload);
    const { out } = await claimcheck(["explain", ".", "--event", pasted], "", undefined, folder);
    assert.match(out, /object: Pod web-6c8f9d7b4f-abcde at web\.yaml:13:24\n/);
    rmSync(folder, { recursive: true });
  });

  test("an event is explained even without files", async () => {
    const event = 'storageclass.storage.k8s.io "fast" not found';
    const { code, out } = await claimcheck(["explain", "--event", event]);
    assert.equal(code, 0);
    assert.match(out, /^Message\n {2}storageclass/);
    assert.match(out, /because: The claim names class fast, which does not exist/);
  });

  test("an unreadable file is reported, and does not count as one without findings", async function () {
    if (process.platform !== "linux") this.skip();
    // Any process may open this file, but none, not even root's, may read its start.
    const { code, err } = await claimcheck(["check", "shop", "/proc/self/mem"]);
    assert.equal(code, 2);
    assert.match(err, /^claimcheck: cannot read [./]*\/proc\/self\/mem$/m);
  });

  test("a class, a driver and a node are explained by what they depend on", async () => {
    const explained = async (object: string): Promise<string> => {
      const fast = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: ebs.csi.aws.com
`;
      const { code, out } = await claimcheck(["explain", "-", "--object", object], fast);
      assert.equal(code, 0);
      return out.slice(out.indexOf("\n") + 2);
    };
    assert.equal(
      await explained("sc/fast"),
      "Class fast has provisioner ebs.csi.aws.com, Immediate, Delete (-:3:19)\n  ✓ CSIDriver ebs.csi.aws.com is registered on 3 of 3 nodes\n",
    );
    assert.equal(
      await explained("csidriver/ebs.csi.aws.com"),
      "CSIDriver ebs.csi.aws.com is registered on 3 of 3 nodes\n",
    );
    assert.equal(
      await explained("node/ip-10-0-1-1"),
      "Node ip-10-0-1-1 is ready, in zone us-east-1a\n",
    );
  });

  test("an object of a kind without predictions is reported as existing", async () => {
    const settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n";
    const { code, err } = await claimcheck(["explain", "-", "--object", "cm/settings"], settings);
    assert.equal(code, 2);
    assert.equal(
      err,
      "claimcheck: cm/settings is in the files, but nothing is predicted of its kind\n",
    );
  });

  test("--namespace prints only what kubectl would show for it", async () => {
    const claim = (namespace: string, className: string): string => `
apiVersion: v1
kind: Namespace
metadata: { name: ${namespace} }
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: ${namespace}-disk }
spec:
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteOnce]
  storageClassName: ${namespace}
  nfs: { server: nfs.example.com, path: /${namespace} }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, namespace: ${namespace} }
spec:
  storageClassName: ${className}
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
`;
    const manifests = `${claim("blog", "blog")}---${claim("shop", "slow")}`;
    const told = (...argv: string[]): Promise<Outcome> =>
      claimcheck([...argv, "-", "--profile", "eks"], manifests);
    const blog = await told("predict", "-n", "blog");
    assert.equal(blog.code, 0);
    assert.match(blog.out, /\nblog-disk [\s\S]*\nshop-disk [\s\S]*\nblog +data +Bound/);
    assert.match(blog.out, /\nEverything in namespace blog succeeds\.\n$/);
    const shop = await told("predict", "--namespace", "shop");
    assert.doesNotMatch(shop.out, /blog/);
    assert.match(shop.out, /\nClaim shop\/data stays Pending/);
    assert.match((await told("simulate", "-n", "shop")).out, /\nshop +\S+ .*ProvisioningFailed/);
    assert.doesNotMatch((await told("explain", "-n", "shop")).out, /\n(Claim|Volume) blog/);
    assert.match((await told("check", "-n", "shop")).out, /class “slow”|StorageClass “slow”/);
    assert.doesNotMatch((await told("check", "-n", "blog")).out, /slow/);
    assert.match(
      (await told("explain", "-n", "blog", "--object", "pvc/data")).out,
      /\n\nClaim blog\/data is bound/,
    );
    assert.match(
      (await told("explain", "-n", "blog", "--object", "pv/blog-disk")).out,
      /bound to claim blog\/data/,
    );
    const { err, out } = await told("predict", "-n", "blogg");
    assert.equal(
      err,
      "claimcheck: no object here is in namespace blogg; there are objects in blog, shop\n",
    );
    assert.match(out, /^There is no object in namespace blogg to judge\.$/m);
  });

  test("wrong usage gives exit code 2 and says what is wrong", async () => {
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /no command given/],
      [["chek", "."], /unknown command “chek”; did you mean “check”\?/],
      [["dust", "."], /unknown command “dust”\n/],
      [["lps"], /unknown command “lps”; did you mean “lsp”\?/],
      [["--stdio", "lsp"], /lsp comes before its options/],
      [["check"], /no path given/],
      [["check", "shop", "--cluster", ""], /--cluster is empty/],
      [["check", "shop", "-n", ""], /--namespace is empty/],
      [["check", "nowhere.yaml"], /no such file or folder: nowhere\.yaml/],
      [["check", "no*thing.yaml"], /no manifest matches no\*thing\.yaml/],
      [["check", ".", "--profile", "mars"], /--profile must be one of generic, .*, not “mars”/],
      [
        ["check", ".", "--kubernetes-version", "1.2"],
        /--kubernetes-version must be one of 1\.32, .*, not “1\.2”\n/,
      ],
      [["check", ".", "--fail-on", "dust"], /--fail-on must be one of .*, not “dust”/],
      [
        ["check", ".", "-o", "xml"],
        /--output of check must be one of text, json, sarif, github, gitlab, not “xml”/,
      ],
      [
        ["predict", ".", "-o", "sarif"],
        /--output of predict must be one of text, json, not “sarif”/,
      ],
      [["check", ".", "--nonsense"], /^claimcheck: unknown option “--nonsense”\n/],
      [["check", ".", "--outptu", "json"], /“--outptu”; did you mean “--output”\?\n/],
      [["check", ".", "-o"], /^claimcheck: option “-o, --output <value>” argument missing\n/],
      [["check", ".", "-o", "-n"], /^claimcheck: option “-o” argument is ambiguous\n/],
      [["lsp", "--foo"], /^claimcheck: unknown option “--foo”\n/],
      [["lsp", "--sdtio"], /^claimcheck: unknown option “--sdtio”; did you mean “--stdio”\?\n/],
      [["lsp", "--profile", "kind"], /^claimcheck: unknown option “--profile”/],
      [["lsp", "."], /^claimcheck: lsp takes no path\n/],
      [["check", ""], /^claimcheck: a path is empty\n/],
      [
        ["explain", "shop", "--object", "pvc/none"],
        /no object here is called pvc\/none; there is pvc\/archive, pvc\/data\n/,
      ],
      [["explain", "shop", "--object", "pvc/archiv"], /pvc\/archiv; did you mean pvc\/archive\?/],
      [["explain", "shop", "--object", "archive"], /--object is KIND\/NAME or/],
      [["check", "shop", "--object", "pvc/archive"], /--object goes with explain/],
      [["explain", "shop", "--object", "thing/data"], /no object here is called thing\/data/],
      [["check", ".", "--event", "x"], /--event goes with explain/],
      [["explain", "-", "--event", "-"], /standard input can be read for one thing only/],
      [["explain", "--event", "x", "-o", "json"], /--event prints text only/],
      [["explain", "--event", "x", "-n", "shop"], /--namespace does not go with --event/],
      [["test", "scenarios", "-n", "shop"], /--namespace does not go with test/],
      [
        ["explain", "shop", "-n", "shop", "--object", "pvc/default/archive"],
        /--object is in namespace default, and --namespace is shop/,
      ],
      [
        ["explain", "shop", "-n", "other", "--object", "pvc/archive"],
        /no object here is called pvc\/other\/archive; did you mean pvc\/default\/archive\?/,
      ],
    ];
    for (const [argv, message] of cases) {
      const { code, err, out } = await claimcheck(argv);
      assert.equal(code, 2, argv.join(" "));
      assert.equal(out, "");
      assert.match(err, message);
    }
  });

  test("paths without a manifest are reported, with exit code 0", async () => {
    const { code, err } = await claimcheck(["predict", "-"]);
    assert.equal(code, 0);
    assert.equal(err, "claimcheck: there is no manifest in these paths\n");
    const folder = mkdtempSync(join(tmpdir(), "claimcheck-import-"));
    writeFileSync(join(folder, "claimcheck.yaml"), "cluster: { import: cluster.yaml }\n");
    const cluster = readFileSync("test/support/running-cluster.yaml");
    writeFileSync(join(folder, "cluster.yaml"), cluster);
    assert.deepEqual(await claimcheck(["check", folder]), {
      code: 0,
      out: "0 errors, 0 warnings, 0 information, 0 hints in 1 file; imported cluster, 2 nodes, taken from cluster.yaml, Kubernetes 1.36\n",
      err,
    });
    rmSync(folder, { recursive: true });
  });

  test("lsp starts the language server, except with --help, --version or unknown options", async () => {
    assert.equal(isServerCommand(["lsp", "--stdio", "--clientProcessId=7"]), true);
    assert.equal(isServerCommand(["lsp"]), true);
    for (const option of ["--help", "--version", "--foo"])
      assert.equal(isServerCommand(["lsp", option]), false);
    assert.match((await claimcheck(["lsp", "--help"])).out, /lsp +start the language server/);
  });

  test("help and version are printed", async () => {
    assert.match(
      (await claimcheck(["--help"])).out,
      /^Claimcheck tells you what Kubernetes will do/,
    );
    assert.deepEqual(await claimcheck(["--version"]), { code: 0, out: "1.2.3\n", err: "" });
  });
});
