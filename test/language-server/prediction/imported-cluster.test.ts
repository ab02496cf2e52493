import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { codeLenses } from "../../../src/language-server/features/code-lens.ts";
import { explanationPage } from "../../../src/language-server/features/explanation-page.ts";
import { inlayHints } from "../../../src/language-server/features/inlay-hints.ts";
import { originText } from "../../../src/language-server/hover/object-text.ts";
import { clusterLine } from "../../../src/language-server/prediction/cluster-title.ts";
import type { Prediction } from "../../../src/language-server/prediction/prediction.ts";
import {
  createLanguageService,
  type LanguageService,
} from "../../../src/language-server/service.ts";
import { actionsIn } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

/** A StatefulSet `db` with two bound claims of the class `gp3`, and a Deployment `web`. */
const cluster = readFileSync(
  path.join(import.meta.dirname, "../../support/running-cluster.yaml"),
  "utf8",
);
const project = "cluster: { import: cluster.yaml }\n";

interface Known {
  readonly service: LanguageService;
  readonly prediction: Prediction;
  readonly findings: readonly string[];
}

async function known(files: Readonly<Record<string, string>>): Promise<Known> {
  const service = createLanguageService({
    fileSystem: memoryFileSystem(
      new Map(Object.entries({ "cluster.yaml": cluster, "claimcheck.yaml": project, ...files })),
    ),
    pause: () => Promise.resolve(),
  });
  await service.loadFolders([memoryFolder]);
  return predicted(service);
}

async function predicted(service: LanguageService): Promise<Known> {
  const [environment] = service.environments();
  assert.ok(environment !== undefined);
  const prediction = await service.predict(environment);
  assert.ok(prediction !== undefined);
  const findings = [...service.environmentDiagnostics(environment)].flatMap(([uri, all]) =>
    all.map(({ code, severity, message }) =>
      [uri.slice(memoryFolder.length + 1), severity, code, message].join(" "),
    ),
  );
  return { service, prediction, findings };
}

function claim(name: string, spec: string): string {
  const head = `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name}, namespace: shop }`;
  return `${head}\nspec: { accessModes: [ReadWriteOnce], ${spec} }\n`;
}

function podWith(namespace: string, claimName: string): string {
  const volume = `{ name: v, persistentVolumeClaim: { claimName: ${claimName} } }`;
  return `apiVersion: v1\nkind: Pod\nmetadata: { name: web, namespace: ${namespace} }\nspec: { containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }], volumes: [${volume}] }\n`;
}

function deploymentWith(claimName: string, replicas: number): string {
  const volume = `{ name: v, persistentVolumeClaim: { claimName: ${claimName} } }`;
  const labels = "{ app: x }";
  return `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: x, namespace: shop }\nspec: { replicas: ${replicas}, selector: { matchLabels: ${labels} }, template: { metadata: { labels: ${labels} }, spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }], volumes: [${volume}] } } }\n`;
}

const size = (storage: string): string => `resources: { requests: { storage: ${storage} } }`;

suite("a workspace with an imported cluster", () => {
  test("can be simulated before there is any manifest, but not without an import", async () => {
    const objectCount = async (files: ReadonlyMap<string, string>) => {
      const fileSystem = memoryFileSystem(files);
      const service = createLanguageService({ fileSystem, pause: () => Promise.resolve() });
      await service.loadFolders([memoryFolder]);
      return service.scenario({})?.scenario.cluster.state?.length;
    };
    const alone = new Map([["claimcheck.yaml", project]]);
    assert.ok(((await objectCount(new Map([...alone, ["cluster.yaml", cluster]]))) ?? 0) > 0);
    assert.equal(await objectCount(new Map([["claimcheck.yaml", "profile: eks\n"]])), undefined);
  });

  test("is predicted from what runs: its claims stay bound, and objects of others are not judged", async () => {
    const { prediction, findings } = await known({
      "claim.yaml": claim("data-db-0", `storageClassName: gp3, ${size("20Gi")}`),
    });
    const judged = prediction.verdicts.map(({ ref, kind }) => `${ref.split("/")[0]} ${kind}`);
    assert.deepEqual(judged, [
      "PersistentVolume healthy",
      "PersistentVolumeClaim healthy",
      "VolumeAttachment healthy",
    ]);
    assert.deepEqual(findings, []);
    assert.equal(prediction.trace.entries.filter((e) => e.type === "call").length, 0);
  });

  test("gets the API server's own message about a change that is not allowed", async () => {
    const { findings } = await known({
      "small.yaml": claim("data-db-0", `storageClassName: gp3, ${size("5Gi")}`),
      "other.yaml": claim("data-db-1", `storageClassName: fixed, ${size("20Gi")}`),
    });
    assert.match(
      findings.join("\n"),
      /small.yaml error pvc-shrink Forbidden: field can not be less/,
    );
    assert.match(
      findings.join("\n"),
      /other.yaml error pvc-immutable-change Forbidden: spec is immutable after creation/,
    );
  });

  test("gets no finding about fields that the server sets and somebody has removed from the import", async () => {
    const tidied = cluster.replaceAll(/^ +(?:uid|resourceVersion|creationTimestamp): .*\n/gm, "");
    assert.ok(tidied.length < cluster.length);
    const { findings } = await known({
      "cluster.yaml": tidied,
      "grown.yaml": claim("data-db-0", `storageClassName: gp3, ${size("1Gi")}`),
    });
    assert.deepEqual(
      findings.map((finding) => finding.split(" ").slice(0, 3).join(" ")),
      ["grown.yaml error pvc-shrink"],
    );
  });

  test("gets a higher severity for a missing object, because the cluster is known", async () => {
    const orders = claim("orders", `storageClassName: premium, ${size("1Gi")}`);
    const { findings } = await known({ "claim.yaml": orders });
    assert.match(
      findings.join("\n"),
      /warning pvc-class-missing StorageClass “premium” does not exist/,
    );
    const alone = await known({ "claim.yaml": orders, "claimcheck.yaml": "profile: eks\n" });
    assert.match(alone.findings.join("\n"), /information pvc-class-missing/);
  });

  test("is told that a missing object may exist if the import is truncated", async () => {
    const at = cluster.lastIndexOf("- apiVersion", cluster.indexOf("name: data-db-1"));
    const { findings, prediction } = await known({
      "cluster.yaml": cluster.slice(0, at + 100),
      "claimcheck.yaml": `${project}rules: { cluster-import: off }\n`,
      "pod.yaml": podWith("shop", "data-db-1"),
      "typo.yaml": claim("orders", `storageClassName: fixde, ${size("1Gi")}`),
      "other.yaml": podWith("new", "data-db-0"),
    });
    const doubt = "Not all of the import could be read: it may be there";
    assert.deepEqual(findings, [
      `other.yaml hint namespace-missing namespaces "new" not found: no file makes it. ${doubt}`,
      `other.yaml warning pod-claim-other-namespace The claim exists in namespace “shop”; a Pod can only use claims of its own namespace, “new”. ${doubt}`,
      `pod.yaml information pod-claim-missing PersistentVolumeClaim “data-db-1” does not exist in namespace shop; Pod web stays Pending. ${doubt}`,
      `typo.yaml warning pvc-class-typo StorageClass “fixde” does not exist; did you mean “fixed”? ${doubt}`,
    ]);
    assert.match(
      clusterLine(prediction),
      /, taken from cluster.yaml, as far as it could be read, /,
    );
    assert.equal(prediction.verdictOf.get("Pod/shop/web")?.kind, "waits-for-you");
  });

  test("does not report an object as missing that an incomplete import left out", async () => {
    const isWanted = /^ {2}kind: (?:Node|PersistentVolume)$/m;
    const [head = "", ...items] = cluster.split(/^(?=- )/m);
    const kept = items.filter((item) => isWanted.test(item) || /^ {4}name: data-db-1$/m.test(item));
    const saved = kept.filter((item) => !item.includes("name: pvc-720c5c6f"));
    const { findings } = await known({
      "cluster.yaml": `${head}${saved.join("")}kind: List\n`,
      "pod.yaml": podWith("shop", "data-db-1"),
    });
    assert.match(
      findings.join("\n"),
      /pod.yaml information pod-stays-pending Pod shop\/web stays Pending: its claim "data-db-1" is left out of the import: a PersistentVolume that it needs was not saved with it\n.*\nTo change: save its volume with it/,
    );
    assert.doesNotMatch(findings.join("\n"), /namespace-missing/);
  });

  test("can be judged from an import of its own namespace only", async () => {
    const [head = "", ...items] = cluster.split(/^(?=- )/m);
    const own = items.filter((item) => /^ {4}namespace: shop$/m.test(item));
    const { findings, prediction } = await known({
      "cluster.yaml": `${head}${own.join("")}kind: List\n`,
      "old.yaml": claim("data-db-0", `storageClassName: gp3, ${size("20Gi")}`),
      "new.yaml": claim("data", `storageClassName: gp3, ${size("20Gi")}`),
      "pod.yaml": podWith("shop", "data"),
    });
    assert.deepEqual(findings, []);
    assert.equal(prediction.verdictOf.get("Pod/shop/web")?.kind, "healthy");
  });

  test("reports another class on a bound claim as a forbidden change, not as a wait", async () => {
    const bound = claim("data-db-0", `storageClassName: premium, ${size("20Gi")}`);
    const { findings } = await known({ "claim.yaml": bound });
    assert.deepEqual(
      findings.map((finding) => finding.split(" ").slice(0, 3).join(" ")),
      ["claim.yaml error pvc-immutable-change"],
    );
  });

  test("reports a change of an existing class's fixed fields as an error", async () => {
    const { findings } = await known({
      "class.yaml":
        "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: fixed }\nprovisioner: ebs.csi.aws.com\nreclaimPolicy: Retain\n",
    });
    assert.match(
      findings.join("\n"),
      /class.yaml error class-recreate-needed Invalid value: "Retain": field is immutable/,
    );
  });

  test("knows which existing claims are disks", async () => {
    const { findings } = await known({
      "claim.yaml": claim("data-db-0", `storageClassName: gp3, ${size("20Gi")}`),
      "deployment.yaml": deploymentWith("data-db-0", 3),
    });
    assert.match(
      findings.join("\n"),
      /deployment.yaml warning rwo-replicas ReadWriteOnce allows one node; Pods on other nodes hang/,
    );
  });

  test("counts the cluster's default class together with those in files", async () => {
    const { findings } = await known({
      "class.yaml":
        'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: other, annotations: { storageclass.kubernetes.io/is-default-class: "true" } }\nprovisioner: ebs.csi.aws.com\nvolumeBindingMode: WaitForFirstConsumer\n',
    });
    assert.deepEqual(findings, [
      "class.yaml warning class-multiple-defaults 2 default classes; the newest wins (same second: first in alphabetical order). The cluster's is “gp3”",
    ]);
  });

  test("shows which default class a new claim gets, but not for one that exists already", async () => {
    const { findings } = await known({
      "new.yaml": claim("a", size("1Gi")),
      "old.yaml": claim("data-db-0", size("20Gi")),
    });
    assert.match(
      findings.join("\n"),
      /new.yaml hint pvc-class-absent-explicit Class “gp3” will be filled in at creation/,
    );
    assert.doesNotMatch(findings.join("\n"), /old.yaml/);
  });

  test("does not require the snapshot that a bound claim was made from", async () => {
    const source =
      "dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: gone }";
    const copy = (name: string): string =>
      claim(name, `storageClassName: gp3, ${source}, ${size("20Gi")}`);
    const { findings } = await known({
      "cluster.yaml": cluster.replace(/(?=^ {4}volumeName: pvc-0729d53a)/m, `    ${source}\n`),
      "old.yaml": copy("data-db-0"),
      "new.yaml": copy("copy"),
    });
    assert.deepEqual(
      findings.map((finding) => finding.split(" ").slice(0, 3).join(" ")),
      ["new.yaml warning datasource-missing"],
    );
  });

  test("locates a change that the API server refuses as a whole at the changed line", async () => {
    const pod = (image: string, path: string): string =>
      podWith("shop", "data-db-0")
        .replace("image: i", `image: ${image}`)
        .replace("/v }", `${path} }`);
    const last = JSON.stringify({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { annotations: {}, name: "web", namespace: "shop" },
      spec: {
        containers: [{ name: "c", image: "i", volumeMounts: [{ name: "v", mountPath: "/v" }] }],
        volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data-db-0" } }],
      },
    });
    const there = pod("i", "/v").replace(
      "namespace: shop",
      `namespace: shop, annotations: { kubectl.kubernetes.io/last-applied-configuration: '${last}' }`,
    );
    const text = pod("i", "/other");
    const { service } = await known({
      "cluster.yaml": `${cluster}---\n${there}`,
      "pod.yaml": text,
    });
    const finding = findingsOf(service, memoryUri("pod.yaml")).find(
      ({ code }) => code === "request-refused",
    );
    assert.match(finding?.message ?? "", /spec: Forbidden: pod updates may not change fields/);
    assert.equal(text.slice(finding?.start, finding?.end), "/other");
    assert.equal(finding?.severity, "error");
  });

  test("locates a finding where a file names the object of the cluster that is to blame", async () => {
    const kept =
      "kind: PersistentVolume\napiVersion: v1\nmetadata: { name: kept }\nspec: { accessModes: [ReadWriteOnce], capacity: { storage: 1Gi }, storageClassName: fixed, nfs: { server: nas, path: /kept }, claimRef: { namespace: shop, name: gone, uid: of-before } }\nstatus: { phase: Released }\n";
    const again = claim("again", `storageClassName: fixed, volumeName: kept, ${size("1Gi")}`);
    const { service } = await known({
      "cluster.yaml": `${cluster}---\n${kept}`,
      "claim.yaml": again,
    });
    const [finding] = findingsOf(service, memoryUri("claim.yaml"));
    assert.equal(finding?.code, "pvc-volumename-claimed");
    assert.equal(again.slice(finding?.start, finding?.end), "kept");
  });

  test("does not report a Secret as missing that a running pod has read", async () => {
    const reading = (name: string, secret: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, namespace: shop }\nspec: { nodeName: ip-10-0-1-11.ec2.internal, containers: [{ name: c, image: i, envFrom: [{ secretRef: { name: ${secret} } }] }] }\n`;
    const { findings } = await known({
      "cluster.yaml": `${cluster}---\n${reading("a", "read")}status: { phase: Running }\n`,
      "read.yaml": reading("b", "read"),
      "other.yaml": reading("c", "not-read"),
    });
    const told = findings.filter((finding) => finding.includes("pod-config-missing"));
    assert.deepEqual(told, [
      "other.yaml information pod-config-missing Secret “not-read” is in no file of namespace shop; the containers wait for it",
    ]);
  });

  test("calls existing volumes by their names, and only volumes still to be made new", async () => {
    const { service, prediction } = await known({
      "old.yaml": claim("data-db-0", `storageClassName: gp3, ${size("20Gi")}`),
      "new.yaml": claim("data", `storageClassName: gp3, ${size("20Gi")}`),
      "pod.yaml": podWith("shop", "data"),
    });
    const labels = ["old.yaml", "new.yaml"].map((name) => {
      const [file, analysis] = [service.file(memoryUri(name)), service.analysisOf(memoryUri(name))];
      assert.ok(file !== undefined && analysis !== undefined);
      const [lens] = codeLenses(analysis, prediction, file);
      const [hint] = inlayHints(analysis, prediction, file, undefined, (kind) => kind === "volume");
      return [hint?.label, lens?.title.replace(/ · .*/, "")];
    });
    assert.deepEqual(labels, [
      [
        "→ pvc-0729d53a-de76-5…",
        'is bound to volume "pvc-0729d53a-de76-54d5-85c5-eac2e9033093" of 20Gi',
      ],
      ["→ new volume, 20Gi", "is bound to a new volume of 20Gi"],
    ]);
  });

  test("offers no fixes that the cluster would refuse for existing claims or volumes", async () => {
    const again = claim("again", `storageClassName: fixed, volumeName: kept, ${size("1Gi")}`);
    const kept =
      "kind: PersistentVolume\napiVersion: v1\nmetadata: { name: kept }\nspec: { accessModes: [ReadWriteOnce], capacity: { storage: 1Gi }, storageClassName: fixed, nfs: { server: nas, path: /kept }, claimRef: { namespace: shop, name: gone, uid: of-before } }\nstatus: { phase: Released }\n";
    const nfs =
      "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: efs }\nprovisioner: efs.csi.aws.com\n";
    const { service } = await known({
      "cluster.yaml": `${cluster}---\n${kept}---\n${nfs}`,
      "again.yaml": again,
      "claim.yaml": claim("data-db-0", `storageClassName: gp3, ${size("20Gi")}`),
      "deployment.yaml": deploymentWith("data-db-0", 3),
    });
    for (const [name, text, at] of [
      ["again.yaml", again, "kept"],
      ["deployment.yaml", deploymentWith("data-db-0", 3), "data-db-0"],
    ] as const) {
      const start = text.indexOf(at);
      const titles = actionsIn(service, name, { start, end: start }).map(({ title }) => title);
      assert.ok(titles.length > 0);
      assert.deepEqual(
        titles.filter((title) => /Create a volume|ReadWriteMany/.test(title)),
        [],
        name,
      );
    }
  });

  test("reports a volume for a disk that a volume of the cluster uses already", async () => {
    const handle = /volumeHandle: (\S+)/.exec(cluster)?.[1];
    const { findings } = await known({
      "twin.yaml": `apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: twin }\nspec: { accessModes: [ReadWriteOnce], capacity: { storage: 20Gi }, csi: { driver: ebs.csi.aws.com, volumeHandle: ${handle} } }\n`,
    });
    assert.match(
      findings.join("\n"),
      new RegExp(
        `twin.yaml error pv-duplicate-handle “pvc-\\S+” has the volume handle “${handle}” too`,
      ),
    );
  });

  test("reports that a new StatefulSet takes over existing claims as they are", async () => {
    const set = (name: string): string =>
      `apiVersion: apps/v1\nkind: StatefulSet\nmetadata: { name: ${name}, namespace: shop }\nspec: { serviceName: ${name}, selector: { matchLabels: { app: x } }, template: { metadata: { labels: { app: x } }, spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /v }] }] } }, volumeClaimTemplates: [{ metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], storageClassName: gp3, resources: { requests: { storage: 30Gi } } } }] }\n`;
    const left = `${claim("data-left-0", `storageClassName: gp3, ${size("20Gi")}`)}status: { phase: Pending }\n`;
    const { findings } = await known({
      "cluster.yaml": `${cluster}---\n${left}`,
      "left.yaml": set("left"),
      "new.yaml": set("new"),
    });
    assert.deepEqual(
      findings.filter((finding) => finding.includes("sts-adopts-claim")),
      [
        "left.yaml warning sts-adopts-claim Claim “data-left-0” is in the cluster and has another size: it is adopted unchanged, with its data, and the template is not applied",
      ],
    );
  });

  test("reports that a volume's capacity differs from the one in the cluster", async () => {
    const volume = (storage: string): string =>
      `apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: share }\nspec: { accessModes: [ReadWriteMany], capacity: { storage: ${storage} }, nfs: { server: nas, path: /share } }\n`;
    const { findings } = await known({
      "cluster.yaml": `${cluster}---\n${volume("1Gi")}status: { phase: Available }\n`,
      "volume.yaml": volume("2Gi"),
    });
    assert.match(findings.join("\n"), /volume.yaml information pv-capacity-edit Was 1Gi\. /);
  });

  test("uses the newest version of an object that was saved several times", async () => {
    const newer = cluster
      .replaceAll(/(?<=name: data-db-0\n {4}namespace: shop\n {4}resourceVersion: ')\d+/g, "90000")
      .replaceAll("storage: 20Gi", "storage: 40Gi");
    assert.notEqual(newer, cluster);
    for (const all of [`${cluster}---\n${newer}`, `${newer}---\n${cluster}`]) {
      const { findings } = await known({
        "cluster.yaml": all,
        "claim.yaml": claim("data-db-0", `storageClassName: gp3, ${size("30Gi")}`),
      });
      assert.match(findings.join("\n"), /claim.yaml error pvc-shrink/);
    }
  });

  test("reports a missing namespace once, with the one that may be meant", async () => {
    const { findings } = await known({
      "claim.yaml": claim("a", `storageClassName: gp3, ${size("1Gi")}`).replace("shop", "shopp"),
    });
    assert.deepEqual(findings, [
      'claim.yaml warning request-refused NotFound: namespaces "shopp" not found; did you mean “shop”?',
    ]);
  });

  test("knows the cluster's runtime classes, and reports others with a higher severity", async () => {
    const pod = (name: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { runtimeClassName: ${name}, containers: [{ name: c, image: i }] }\n`;
    const gvisor =
      "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: { name: gvisor }\nhandler: runsc\n";
    const { findings } = await known({
      "cluster.yaml": `${cluster}---\n${gvisor}`,
      "a.yaml": pod("gvisor"),
      "b.yaml": pod("kata"),
    });
    assert.deepEqual(findings, [
      "b.yaml warning runtime-class-missing RuntimeClass “kata” does not exist; the pod is refused; known are “gvisor”",
    ]);
  });

  test("has no findings, lenses or places in the imported files", async () => {
    const { service, findings } = await known({
      "claim.yaml": claim("data-db-0", `storageClassName: gp3, ${size("20Gi")}`),
    });
    assert.deepEqual(findings, []);
    assert.equal(service.file(memoryUri("cluster.yaml")), undefined);
  });

  test("says which cluster the prediction is for", async () => {
    const { service } = await known({ "claim.yaml": claim("a", size("1Gi")) });
    const [environment] = service.environments();
    assert.ok(environment !== undefined);
    const { profileFrom, profileTitle, kubernetesVersion } = service.describe(environment);
    assert.deepEqual(
      [profileFrom, profileTitle, kubernetesVersion],
      ["imported", "imported cluster, 2 nodes, taken from cluster.yaml", "1.36"],
    );
  });

  test("says which version is simulated instead of one that cannot be", async () => {
    const old = cluster.replace(/kubeletVersion: v1\.\d+/g, "kubeletVersion: v1.30");
    const files = { "cluster.yaml": old, "claim.yaml": claim("a", size("1Gi")) };
    const { service, findings } = await known(files);
    const told =
      "claimcheck.yaml information cluster-import The cluster runs Kubernetes 1.30; the nearest that is simulated is 1.32";
    assert.ok(findings.includes(told), findings.join("\n"));
    const [environment] = service.environments();
    assert.ok(environment !== undefined);
    assert.equal(service.describe(environment).kubernetesVersion, "1.32");
  });

  test("reports a missing import even if its name has a percent sign", async () => {
    const { findings } = await known({
      "claimcheck.yaml": 'cluster: { import: "100%.yaml" }\n',
      "claim.yaml": claim("a", size("1Gi")),
    });
    assert.match(findings.join("\n"), /cluster-import 100%\.yaml: There is no such file/);
  });

  test("describes the imported cluster's objects as its own", async () => {
    const { prediction } = await known({
      "claim.yaml": claim("data-db-0", `storageClassName: gp3, ${size("20Gi")}`),
    });
    assert.equal(originText(prediction, "StorageClass//gp3"), "part of the imported cluster");
    const page = explanationPage(prediction, "PersistentVolumeClaim/shop/data-db-0") ?? "";
    assert.match(page, /Predicted from the imported cluster, 2 nodes, taken from cluster\.yaml/);
  });

  test("reports a missing import and continues without it", async () => {
    const { findings } = await known({
      "claimcheck.yaml": "cluster: { import: [absent.yaml, cluster.yaml] }\n",
      "claim.yaml": claim("data-db-0", `storageClassName: gp3, ${size("20Gi")}`),
    });
    assert.deepEqual(findings, [
      "claimcheck.yaml error cluster-import absent.yaml: There is no such file",
    ]);
  });

  test("reports an import that is a folder", async () => {
    const { findings } = await known({
      "claimcheck.yaml": "cluster: { import: [dump, cluster.yaml] }\n",
      "dump/events.json": '{"kind":"EventList","apiVersion":"v1","items":[]}',
      "claim.yaml": claim("data-db-0", `storageClassName: gp3, ${size("20Gi")}`),
    });
    assert.deepEqual(findings, [
      "claimcheck.yaml error cluster-import dump: It is a folder; name its files, in a list",
    ]);
  });

  test("starts from the cluster as soon as the project file names it", async () => {
    const { service } = await known({
      "claimcheck.yaml": "",
      "claim.yaml": claim("data-db-0", `storageClassName: gp3, ${size("20Gi")}`),
    });
    service.setEditorText(memoryUri("claimcheck.yaml"), project);
    await service.readImports();
    const { prediction } = await predicted(service);
    assert.equal(prediction.profileFrom, "imported");
    service.setEditorText(memoryUri("claimcheck.yaml"), "");
    assert.notEqual((await predicted(service)).prediction.profileFrom, "imported");
    assert.notEqual(service.file(memoryUri("cluster.yaml")), undefined);
  });

  for (const file of [
    "../cluster.yaml",
    "file:///elsewhere/cluster.yaml",
    "file:///workspace/../elsewhere/cluster.yaml",
    "file://machine/share/cluster.yaml",
  ]) {
    test(`${file} is outside the folders and is not read`, async () => {
      const asked: string[] = [];
      const inMemory = memoryFileSystem(
        new Map([["claimcheck.yaml", `cluster: { import: "${file}" }\n`]]),
      );
      const service = createLanguageService({
        fileSystem: {
          ...inMemory,
          readFile: (uri) => {
            asked.push(uri);
            return inMemory.readFile(uri);
          },
        },
        pause: () => Promise.resolve(),
      });
      await service.loadFolders([memoryFolder]);
      assert.deepEqual([...new Set(asked)], [memoryUri("claimcheck.yaml")]);
      const [finding] = findingsOf(service, memoryUri("claimcheck.yaml"));
      assert.equal(
        finding?.message,
        "cluster.yaml: It is outside the folders that are open, and is not read",
      );
    });
  }
});
