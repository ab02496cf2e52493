import assert from "node:assert/strict";
import fc from "fast-check";
import { Background } from "../../../src/language-server/background.ts";
import type { Diagnostic } from "../../../src/language-server/diagnostics/rule.ts";
import { Publisher } from "../../../src/language-server/publishing/publisher.ts";
import {
  createLanguageService,
  type LanguageService,
} from "../../../src/language-server/service.ts";
import { findingsOf } from "../../support/findings.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

const claim = (name: string, className: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\nspec: { storageClassName: "${className}", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }\n`;

async function serviceWith(
  files: Readonly<Record<string, string>>,
  pause = (): Promise<void> => Promise.resolve(),
): Promise<LanguageService> {
  const service = createLanguageService({
    fileSystem: memoryFileSystem(new Map(Object.entries(files))),
    pause,
  });
  await service.loadFolders([memoryFolder]);
  return service;
}

function only(service: LanguageService) {
  const [environment] = service.environments();
  assert.ok(environment !== undefined);
  return environment;
}

suite("predicting while somebody types", () => {
  test("a run that an edit makes stale is abandoned", async () => {
    let stale = false;
    const many = Array.from({ length: 200 }, (_, i) => claim(`claim-${i}`, "")).join("---\n");
    const service = await serviceWith({ "a.yaml": many }, () => {
      stale = true;
      return Promise.resolve();
    });
    assert.equal(await service.predict(only(service), () => stale), undefined);
    assert.equal(service.prediction(only(service)), undefined);
  });

  test("an edit that changes no object needs no run", async () => {
    const service = await serviceWith({ "a.yaml": `${claim("a", "")}---\n${claim("b", "")}` });
    const before = await service.predict(only(service));
    service.setEditorText(
      memoryUri("a.yaml"),
      `# a note\n---\n${claim("a", "")}---\n${claim("b", "")}`,
    );
    const after = await service.predict(only(service));
    assert.equal(after?.trace, before?.trace);
    const lines = findingsOf(service, memoryUri("a.yaml")).map(({ start }) => start);
    assert.notEqual(lines.length, 0);
    assert.ok(lines.every((start) => start > "# a note".length));
  });

  test("findings of the last run stay at their objects' present places until the next has ended", async () => {
    const service = await serviceWith({ "a.yaml": claim("a", "") });
    await service.predict(only(service));
    const [before] = findingsOf(service, memoryUri("a.yaml"));
    service.setEditorText(memoryUri("a.yaml"), `${claim("new", "")}---\n${claim("a", "")}`);
    const [after] = findingsOf(service, memoryUri("a.yaml"));
    assert.equal(after?.code, before?.code);
    assert.equal(after?.start, (before?.start ?? 0) + `${claim("new", "")}---\n`.length);
  });

  test("another profile leads to another prediction", async () => {
    const service = await serviceWith({ "a.yaml": claim("a", "disks") });
    const profile = async (): Promise<string | undefined> =>
      (await service.predict(only(service)))?.assumed.cluster.name;
    assert.equal(await profile(), "generic");
    service.configure({ profile: "k3s" });
    assert.equal(await profile(), "k3s");
    service.setEditorText(memoryUri("claimcheck.yaml"), "profile: kind\n");
    assert.equal(await profile(), "kind");
  });

  test("a class that one distribution ships selects that cluster as soon as its name is typed", async () => {
    const service = await serviceWith({ "a.yaml": claim("a", "longhor") });
    const profile = async (): Promise<string | undefined> =>
      (await service.predict(only(service)))?.assumed.cluster.name;
    assert.equal(await profile(), "generic");
    service.setEditorText(memoryUri("a.yaml"), claim("a", "longhorn"));
    assert.equal(await profile(), "longhorn");
    service.setEditorText(memoryUri("a.yaml"), claim("a", "longhorn-"));
    assert.equal(await profile(), "generic");
  });

  test("the host that a volume names becomes a node as soon as its name is typed", async () => {
    const volume = (host: string): string => `apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec:
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: local
  local: { path: /mnt/disk }
  nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [${host}] }] }] } }
`;
    const service = await serviceWith({ "a.yaml": volume("store") });
    const nodes = async (): Promise<readonly string[] | undefined> =>
      (await service.predict(only(service)))?.assumed.cluster.nodes.map(({ name }) => name);
    assert.deepEqual(await nodes(), ["store", "node-2", "node-3"]);
    service.setEditorText(memoryUri("a.yaml"), volume("store-1"));
    assert.deepEqual(await nodes(), ["store-1", "node-2", "node-3"]);
    const codes = findingsOf(service, memoryUri("a.yaml")).map(({ code }) => code);
    assert.ok(!codes.includes("affinity-node-unknown"), codes.join());
  });

  test("the first volume that is typed adds its driver or its disk to the cluster", async () => {
    const pod = (source: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec:\n  containers: [{ name: c, image: i }]\n  volumes: [{ name: v, ${source} }]\n`;
    const assumed = (service: LanguageService) => service.analysis(only(service)).assumed;
    const service = await serviceWith({ "a.yaml": pod("emptyDir: {}") });
    let before = assumed(service);
    for (const source of [
      "awsElasticBlockStore: { volumeID: v }",
      "csi: { driver: d.example }",
      "fc: { wwids: [a] }",
      "fc: { wwids: [b] }",
    ]) {
      service.setEditorText(memoryUri("a.yaml"), pod(source));
      const fresh = await serviceWith({ "a.yaml": pod(source) });
      assert.deepEqual(assumed(service), assumed(fresh));
      assert.notDeepEqual(assumed(service), before);
      before = assumed(service);
    }
  });

  test("findings stay published when a project file makes their folder an environment of its own", async () => {
    const service = await serviceWith({ "a/x.yaml": claim("x", ""), "b/y.yaml": claim("y", "") });
    const { publisher, state } = publishedBy(service);
    await publisher.everythingChanged();
    const files = (): readonly string[] => state().map(([uri]) => uri);
    const both = [memoryUri("a/x.yaml"), memoryUri("b/y.yaml")];
    assert.deepEqual(files(), both);
    for (const folder of ["a", "b"]) {
      service.setEditorText(memoryUri(`${folder}/claimcheck.yaml`), "profile: generic\n");
      publisher.fileChanged(memoryUri(`${folder}/claimcheck.yaml`));
      await publisher.everythingChanged();
      assert.deepEqual(files(), both);
    }
  });

  test("letters typed in a row are each answered, and lead to one run", async () => {
    const many = (name: string): string =>
      [name, ...Array.from({ length: 200 }, (_, i) => `claim-${i}`)]
        .map((each) => claim(each, ""))
        .join("---\n");
    const service = await serviceWith({ "a.yaml": many("x") });
    let runCount = 0;
    const judge: LanguageService["judge"] = (environment, uri) => {
      if (uri === undefined) runCount++;
      return service.judge(environment, uri);
    };
    // After the first run, the work is multiplied so that no machine finishes it at once.
    let timesAsMuch = 1;
    const workLeft: LanguageService["workLeft"] = (environment, uri) => {
      const { compareCount, predictCount } = service.workLeft(environment, uri);
      return { compareCount, predictCount: timesAsMuch * predictCount };
    };
    const versions: (number | undefined)[] = [];
    const { publisher } = publishedBy({ ...service, judge, workLeft }, (version) =>
      versions.push(version),
    );
    await publisher.everythingChanged();
    runCount = 0;
    timesAsMuch = 1000;
    for (const [version, name] of ["xy", "xyz", "xyz0"].entries()) {
      service.setEditorText(memoryUri("a.yaml"), many(name));
      publisher.fileChanged(memoryUri("a.yaml"), version);
      publisher.answerNow(memoryUri("a.yaml"));
    }
    assert.deepEqual(versions.slice(-3), [0, 1, 2]);
    assert.equal(service.prediction(only(service)), undefined);
    await publisher.everythingChanged();
    assert.equal(runCount, 1);
    assert.ok(
      service.prediction(only(service))?.verdictOf.has("PersistentVolumeClaim/default/xyz0"),
    );
  });

  test("any edits leave the same published findings as a fresh start on the final texts", async function (this: Mocha.Context) {
    this.timeout(20_000);
    const name = fc.constantFrom("a.yaml", "b.yaml");
    const text = fc.constantFrom(
      claim("a", ""),
      claim("b", "nowhere"),
      `${claim("a", "x")}---\n${claim("b", "")}`,
      "kind: [\napiVersion: v1\n",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(name, text), { minLength: 1, maxLength: 4 }),
        async (edits) => {
          const service = await serviceWith({ "a.yaml": claim("a", "") });
          const published = publishedBy(service);
          await published.publisher.everythingChanged();
          const final = new Map([["a.yaml", claim("a", "")]]);
          for (const [file, content] of edits) {
            final.set(file, content);
            service.setEditorText(memoryUri(file), content);
            published.publisher.fileChanged(memoryUri(file));
          }
          await published.publisher.everythingChanged();
          const fresh = await serviceWith(Object.fromEntries(final));
          const wanted = publishedBy(fresh);
          await wanted.publisher.everythingChanged();
          assert.deepEqual(published.state(), wanted.state());
        },
      ),
      { seed: 5, numRuns: 12 },
    );
  });
});

function publishedBy(
  service: LanguageService,
  onPublished: (version: number | undefined) => void = () => {},
) {
  const files = new Map<string, readonly Diagnostic[]>();
  const publisher = new Publisher(
    service,
    {
      publish: (uri, diagnostics, version) => {
        onPublished(version);
        if (diagnostics.length === 0) files.delete(uri);
        else files.set(uri, diagnostics);
      },
      wants: () => true,
      changed: () => {},
      predicted: () => {},
      gone: () => {},
      failed: (error) => {
        throw error;
      },
    },
    new Background(() => Promise.resolve()),
  );
  return { publisher, state: () => [...files].sort(([a], [b]) => (a < b ? -1 : 1)) };
}
