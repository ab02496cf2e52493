/** What a preview shows after an edit, where everything is judged together because pods share scarce resources. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Diagnostic } from "../../../../src/language-server/diagnostics/rule.ts";
import {
  createLanguageService,
  type LanguageService,
} from "../../../../src/language-server/service.ts";
import type { Environment } from "../../../../src/language-server/workspace/environment.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../../support/memory-workspace.ts";
import { anyFile } from "../../../support/random-cluster.ts";

type Files = Readonly<Record<string, string>>;

async function start(files: Files | ReadonlyMap<string, string>): Promise<LanguageService> {
  const service = createLanguageService({
    fileSystem: memoryFileSystem(files instanceof Map ? files : new Map(Object.entries(files))),
    pause: () => Promise.resolve(),
    smallEnvironment: 0,
  });
  await service.loadFolders([memoryFolder]);
  return service;
}

function environmentOf(service: LanguageService): Environment {
  const [environment] = service.environments();
  assert.ok(environment !== undefined);
  return environment;
}

/** Completes the run of everything. */
function settle(service: LanguageService): void {
  const environment = environmentOf(service);
  for (const _ of service.judge(environment));
}

function preview(service: LanguageService): void {
  const environment = environmentOf(service);
  for (const _ of service.preview(environment));
  assert.deepEqual(service.takeFailures(environment), []);
}

/** The messages about outcomes, in any file. */
function messages(service: LanguageService): string {
  return environmentOf(service)
    .files.flatMap(({ uri }) => service.knownDiagnostics(uri))
    .filter(({ message }) => message.includes("Predicted"))
    .map(({ message }) => message)
    .join("\n");
}

/** Two machines that pods fill: only a run of everything shows which pod runs where. */
const machines = ["one", "two"]
  .map(
    (name) =>
      `---
apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name} } }
status: { capacity: { cpu: "2", memory: 4Gi, pods: "10" }, allocatable: { cpu: "2", memory: 4Gi, pods: "10" } }
`,
  )
  .join("");

function pod(name: string, cpu: string, claim?: string): string {
  const mounts = claim === undefined ? "" : ", volumeMounts: [{ name: v, mountPath: /v }]";
  const volumes =
    claim === undefined
      ? ""
      : `\n  volumes: [{ name: v, persistentVolumeClaim: { claimName: ${claim} } }]`;
  return `---
apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  containers: [{ name: c, image: nginx, resources: { requests: { cpu: "${cpu}" } }${mounts} }]${volumes}
`;
}

function volume(name: string, size: string): string {
  return `---
apiVersion: v1
kind: PersistentVolume
metadata: { name: ${name} }
spec: { storageClassName: manual, capacity: { storage: ${size} }, accessModes: [ReadWriteOnce], nfs: { server: nas, path: /${name} } }
`;
}

function claim(name: string, size: string): string {
  return `---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name} }
spec: { storageClassName: manual, accessModes: [ReadWriteOnce], resources: { requests: { storage: ${size} } } }
`;
}

const manual = `---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: manual }
provisioner: kubernetes.io/no-provisioner
`;

const cluster = { "claimcheck.yaml": "profile: kind\n", "cluster.yaml": machines + manual };
const others = pod("a", "1500m") + pod("b", "1500m");

/** Makes the edit, and returns what is known before the run of everything and after it. */
async function edited(
  files: Files,
  [name, text]: readonly [string, string],
): Promise<{ readonly before: string; readonly early: string; readonly late: string }> {
  const service = await start({ ...cluster, ...files });
  settle(service);
  const before = messages(service);
  service.setEditorText(memoryUri(name), text);
  preview(service);
  const early = messages(service);
  settle(service);
  return { before, early, late: messages(service) };
}

suite("a preview", function (this: Mocha.Suite) {
  this.timeout(60_000);

  test("binds a claim in another file to a volume that has become large enough", async () => {
    const files = {
      "others.yaml": others,
      "volumes.yaml": volume("v", "1Gi"),
      "claim.yaml": claim("c", "2Gi") + pod("p", "100m", "c"),
    };
    const found = await edited(files, ["volumes.yaml", volume("v", "2Gi")]);
    assert.match(found.before, /Claim c stays Pending: no volume fits/);
    assert.equal(found.early, "");
    assert.equal(found.late, "");
  });

  test("leaves a claim in another file without the volume that has become too small", async () => {
    const files = {
      "others.yaml": others,
      "volumes.yaml": volume("v", "2Gi"),
      "claim.yaml": claim("c", "2Gi") + pod("p", "100m", "c"),
    };
    const found = await edited(files, ["volumes.yaml", volume("v", "1Gi")]);
    assert.equal(found.before, "");
    assert.match(found.early, /stays Pending/);
    assert.equal(found.early, found.late);
  });

  test("binds a free volume, but none that is taken", async () => {
    const files = {
      "others.yaml": others + claim("first", "5Gi") + pod("holder", "100m", "first"),
      "volumes.yaml": volume("large", "5Gi") + volume("small", "1Gi"),
      "claim.yaml": claim("second", "1Gi") + pod("p", "100m", "second"),
    };
    const found = await edited(files, [
      "claim.yaml",
      claim("second", "3Gi") + pod("p", "100m", "second"),
    ]);
    assert.equal(found.before, "");
    assert.match(found.early, /Claim second stays Pending/);
    // A run of everything applies this claim first.
    assert.match(found.late, /claim default\/second got volume "large" first/);
  });

  test("finds no room that other pods have taken", async () => {
    const files = { "others.yaml": others, "pod.yaml": pod("p", "400m") };
    const found = await edited(files, ["pod.yaml", pod("p", "600m")]);
    assert.equal(found.before, "");
    assert.match(found.early, /0\/2 nodes are available: 2 Insufficient cpu/);
    assert.equal(found.early, found.late);
  });

  test("can use the room that the edited pods had themselves", async () => {
    const files = { "others.yaml": others, "pod.yaml": pod("p", "600m") };
    const found = await edited(files, ["pod.yaml", pod("p", "500m")]);
    assert.match(found.before, /Insufficient cpu/);
    assert.equal(found.early, "");
    assert.equal(found.late, "");
  });

  test("can use the room that the edited pod takes where it runs", async () => {
    const files = {
      "others.yaml": others + pod("q", "500m"),
      "pod.yaml": pod("p", "500m"),
    };
    const found = await edited(files, ["pod.yaml", pod("p", "400m")]);
    assert.equal(found.before, "");
    assert.equal(found.early, "");
    assert.equal(found.late, "");
  });

  test("counts fractions of a processor when room is scarce", async () => {
    const three = (cpu: string): string => pod("p", cpu) + pod("q", cpu) + pod("r", cpu);
    const files = { "others.yaml": others, "pods.yaml": three("100m") };
    const found = await edited(files, ["pods.yaml", three("300m")]);
    assert.equal(found.before, "");
    assert.match(found.early, /2 Insufficient cpu/);
    assert.equal(found.early, found.late);
  });

  test("finds no node for a volume if other pods use as many as a node can attach", async () => {
    const driver = "disks.example.com";
    const limited = ["one", "two"].map(
      (node) => `---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: { name: ${node} }
spec: { drivers: [{ name: ${driver}, nodeID: ${node}, topologyKeys: [], allocatable: { count: 1 } }] }
`,
    );
    const disks = `---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: disks }
provisioner: ${driver}
`;
    const disk = (name: string): string => claim(name, "1Gi").replace("manual", "disks");
    const files = {
      "others.yaml": ["a", "b"].map((name) => disk(name) + pod(name, "1500m", name)).join(""),
      "driver.yaml": limited.join("") + disks,
      "pod.yaml": disk("c") + pod("p", "100m"),
    };
    const found = await edited(files, ["pod.yaml", disk("c") + pod("p", "100m", "c")]);
    assert.equal(found.before, "");
    const needed =
      /it needs 1 more volume of disks.example.com, and a node may have no more than 1\b/;
    assert.match(found.early, needed);
    assert.match(found.late, needed);
  });

  test("keeps the findings on objects that the edit does not affect", async () => {
    const files = {
      "others.yaml": `${others}${claim("elsewhere", "9Gi")}${pod("waits", "100m", "elsewhere")}`,
      "pod.yaml": pod("p", "400m"),
    };
    const found = await edited(files, ["pod.yaml", pod("p", "300m")]);
    assert.match(found.before, /stays Pending/);
    assert.equal(found.early, found.before);
  });

  test("says what becomes of the affected objects at a place, and of no others", async () => {
    const service = await start({
      ...cluster,
      "others.yaml": others,
      "pod.yaml": pod("p", "400m"),
    });
    settle(service);
    service.setEditorText(memoryUri("pod.yaml"), pod("p", "600m"));
    preview(service);
    const environment = environmentOf(service);
    const at = (name: string): string | undefined => {
      const file = service.file(memoryUri(name));
      assert.ok(file !== undefined);
      const found = service.previewAt(environment, file, file.manifest.text.indexOf("kind: Pod"));
      return found?.verdictOf.get("Pod/default/p")?.headline;
    };
    assert.match(at("pod.yaml") ?? "", /stays Pending/);
    assert.equal(at("others.yaml"), undefined);
  });

  test("notes a file as changed if the complete run leaves no findings in it", async () => {
    const service = await start({
      ...cluster,
      "others.yaml": others,
      "pod.yaml": pod("p", "600m"),
    });
    settle(service);
    assert.match(messages(service), /Pod p stays Pending/);
    service.setEditorText(memoryUri("others.yaml"), pod("a", "1") + pod("b", "1"));
    // As if a client had received what is known so far.
    service.takeChanged(environmentOf(service));
    settle(service);
    assert.equal(messages(service), "");
    assert.ok(service.takeChanged(environmentOf(service)).includes(memoryUri("pod.yaml")));
  });

  for (const [what, edit] of [
    ["of an object", ["pod.yaml", pod("p", "600m")]],
    [
      "of a patch",
      [
        "patch.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: c, resources: { requests: { cpu: 600m } } }] }\n",
      ],
    ],
    [
      "of the kustomization",
      [
        "kustomization.yaml",
        `resources: [pod.yaml]\nnamePrefix: my-\npatches: [{ target: { kind: Pod }, patch: '[{ "op": "replace", "path": "/spec/containers/0/resources/requests/cpu", "value": "600m" }]' }]\n`,
      ],
    ],
  ] as const)
    test(`shows what a kustomization makes of an edit ${what}`, async () => {
      const files = {
        ...cluster,
        "others.yaml": others,
        "kustomization.yaml":
          "resources: [pod.yaml]\nnamePrefix: my-\npatches: [{ path: patch.yaml }]\n",
        "patch.yaml": "apiVersion: v1\nkind: Pod\nmetadata: { name: p, labels: { a: b } }\n",
        "pod.yaml": pod("p", "400m"),
      };
      const { before, early, late } = await edited(files, edit);
      assert.equal(before, "");
      assert.match(early, /Insufficient cpu/);
      assert.equal(early, late);
    });

  test("is not needed if an edit is undone: the earlier outcome is known at once", async () => {
    const files = { ...cluster, "others.yaml": others, "pod.yaml": pod("p", "400m") };
    const service = await start(files);
    settle(service);
    const before = service.knownDiagnostics(memoryUri("pod.yaml"));
    service.setEditorText(memoryUri("pod.yaml"), pod("p", "600m"));
    preview(service);
    service.setEditorText(memoryUri("pod.yaml"), pod("p", "400m"));
    assert.equal(service.workLeft(environmentOf(service)).predictCount, 0);
    for (const _ of service.compare(environmentOf(service)));
    assert.deepEqual(service.knownDiagnostics(memoryUri("pod.yaml")), before);
  });

  test("leaves the same findings after any edits as a fresh start on the final files", async () => {
    const names = ["a.yaml", "b.yaml", "c.yaml"] as const;
    const edit = fc.tuple(
      fc.constantFrom(...names),
      anyFile,
      fc.constantFrom("run", "preview", "none"),
    );
    const said = (service: LanguageService): readonly (readonly Diagnostic[])[] =>
      names.map((name) => service.knownDiagnostics(memoryUri(name)));
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(anyFile, anyFile, anyFile),
        fc.array(edit, { minLength: 1, maxLength: 5 }),
        async (texts, edits) => {
          const files = new Map(Object.entries({ ...cluster, "others.yaml": others }));
          for (const [i, name] of names.entries()) files.set(name, texts[i] ?? "");
          const service = await start(files);
          // What a client has received, if it is only notified of files that have changed.
          const told = new Map<string, readonly Diagnostic[]>();
          const tell = (uris: readonly string[]): void => {
            for (const uri of uris) told.set(uri, service.knownDiagnostics(uri));
          };
          const tellChanged = (): void => tell(service.takeChanged(environmentOf(service)));
          settle(service);
          tellChanged();
          for (const [name, text, then] of edits) {
            files.set(name, text);
            service.setEditorText(memoryUri(name), text);
            tellChanged();
            if (then === "run") settle(service);
            else if (then === "preview") preview(service);
            tell(service.takeChangedByPreview(environmentOf(service)));
          }
          tellChanged();
          for (const _ of service.compare(environmentOf(service)));
          tellChanged();
          settle(service);
          tellChanged();
          const fresh = await start(files);
          settle(fresh);
          assert.deepEqual(said(service), said(fresh));
          assert.deepEqual(
            names.map((name) => told.get(memoryUri(name)) ?? []),
            said(fresh),
          );
        },
      ),
      { numRuns: 15, seed: 21 },
    );
  });
});
