/** Islands only affect speed: findings are the same whichever edits lead to the same files, and the same without islands. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Diagnostic } from "../../../src/language-server/diagnostics/rule.ts";
import type { Prediction } from "../../../src/language-server/prediction/prediction.ts";
import type { LanguageService } from "../../../src/language-server/service.ts";
import { settle, start } from "../../support/edited-files.ts";
import { findingsOf } from "../../support/findings.ts";
import { memoryUri } from "../../support/memory-workspace.ts";
import { anyFile } from "../../support/random-cluster.ts";

const fileNames = ["a.yaml", "b.yaml", "c.yaml", "d.yaml"] as const;

function said(service: LanguageService): Readonly<Record<string, readonly Diagnostic[]>> {
  return Object.fromEntries(
    fileNames.map((name) => [name, service.knownDiagnostics(memoryUri(name))]),
  );
}

function predicted(service: LanguageService): Prediction | undefined {
  const [environment] = service.environments();
  return environment === undefined ? undefined : service.prediction(environment);
}

/** The outcome of each object in the files, whichever node it runs on. */
function outcomes(service: LanguageService): readonly string[] {
  const prediction = predicted(service);
  const own = service.environments()[0]?.byRef;
  return (prediction?.verdicts ?? [])
    .filter(({ ref }) => own?.has(ref) === true)
    .map(({ ref, kind }) => {
      const object = prediction?.facts.objects.get(ref);
      const bound = object?.kind === "PersistentVolumeClaim" ? object.spec.volumeName : "";
      const isOwn = own?.has(`PersistentVolume//${bound}`) === true;
      return `${ref} ${kind}${isOwn ? ` ${bound}` : ""}`;
    })
    .sort();
}

const workspace = fc.tuple(anyFile, anyFile, anyFile, anyFile);

suite("islands of an environment", function (this: Mocha.Suite) {
  this.timeout(60_000);

  test("any edits leave the same findings as a fresh start on the final files", async () => {
    const edit = fc.tuple(fc.constantFrom(...fileNames), anyFile, fc.boolean());
    await fc.assert(
      fc.asyncProperty(
        workspace,
        fc.array(edit, { minLength: 1, maxLength: 5 }),
        async (texts, edits) => {
          const files = new Map(fileNames.map((name, i) => [name as string, texts[i] ?? ""]));
          const service = await start(files, 0);
          settle(service);
          for (const [name, text, isQuiet] of edits) {
            files.set(name, text);
            service.setEditorText(memoryUri(name), text);
            if (isQuiet) settle(service);
            else service.knownDiagnostics(memoryUri(name));
          }
          settle(service);
          const fresh = await start(files, 0);
          settle(fresh);
          assert.deepEqual(said(service), said(fresh));
          assert.deepEqual(outcomes(service), outcomes(fresh));
        },
      ),
      { numRuns: 12, seed: 11 },
    );
  });

  test("a comment typed before the first run has ended does not report a cause twice", async () => {
    const text = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: a }
spec:
  storageClassName: none
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
`;
    const service = await start(new Map([["a.yaml", text]]), 0);
    for (const _ of service.compare(service.environments()[0] ?? assert.fail()));
    service.setEditorText(memoryUri("a.yaml"), text.replace("none", "none # yet"));
    settle(service);
    const found = service.knownDiagnostics(memoryUri("a.yaml"));
    assert.deepEqual(
      found.map(({ code }) => code),
      ["pvc-class-missing"],
    );
  });

  test("single characters that are typed and removed leave no trace", async () => {
    await fc.assert(
      fc.asyncProperty(
        workspace,
        fc.array(fc.tuple(fc.nat(), fc.constantFrom("9", " ", "#", "\n", ":", "x")), {
          minLength: 1,
          maxLength: 4,
        }),
        async (texts, keys) => {
          const files = new Map(fileNames.map((name, i) => [name as string, texts[i] ?? ""]));
          const service = await start(files, 0);
          settle(service);
          const before = said(service);
          for (const [place, key] of keys) {
            const name = fileNames[place % fileNames.length] ?? "a.yaml";
            const text = files.get(name) ?? "";
            const at = place % (text.length + 1);
            service.setEditorText(memoryUri(name), text.slice(0, at) + key + text.slice(at));
            settle(service);
            service.setEditorText(memoryUri(name), text);
          }
          settle(service);
          assert.deepEqual(said(service), before);
        },
      ),
      { numRuns: 6, seed: 12 },
    );
  });

  test("claims and pods end as in one run of everything", async () => {
    await fc.assert(
      fc.asyncProperty(workspace, async (texts) => {
        const files = new Map(fileNames.map((name, i) => [name as string, texts[i] ?? ""]));
        const [apart, whole] = [await start(files, 0), await start(files, 10_000)];
        settle(apart);
        settle(whole);
        assert.deepEqual(outcomes(apart), outcomes(whole));
      }),
      { numRuns: 20, seed: 13 },
    );
  });

  test("rules that compare objects find the same with and without islands", async () => {
    await fc.assert(
      fc.asyncProperty(workspace, async (texts) => {
        const files = new Map(fileNames.map((name, i) => [name as string, texts[i] ?? ""]));
        const [apart, whole] = [await start(files, 0), await start(files, 10_000)];
        for (const name of fileNames)
          assert.deepEqual(findingsOf(apart, memoryUri(name)), findingsOf(whole, memoryUri(name)));
      }),
      { numRuns: 40, seed: 14 },
    );
  });

  const storageClass = (rest: string): string => `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: gold }
${rest}
`;
  const claimOf = (volumeMode: string): string => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: gold, volumeMode: ${volumeMode}, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
  const podOn = (directory: string): string => `apiVersion: v1
kind: Pod
metadata: { name: p }
spec:
  containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
  volumes: [{ name: v, hostPath: { path: ${directory}, type: Directory } }]
`;
  for (const [what, rule, alone, other] of [
    [
      "the volumes of a class",
      "local-class-immediate",
      storageClass("provisioner: kubernetes.io/no-provisioner"),
      `apiVersion: v1
kind: PersistentVolume
metadata: { name: share }
spec: { storageClassName: gold, accessModes: [ReadWriteOnce], capacity: { storage: 1Gi }, nfs: { server: s, path: /p } }
`,
    ],
    [
      "the claims of a class",
      "block-fstype",
      `${storageClass("provisioner: ebs.csi.aws.com\nparameters: { csi.storage.k8s.io/fstype: xfs }")}---\n${claimOf("Block")}`,
      claimOf("Filesystem").replace("data", "more"),
    ],
    [
      "what kind mounts into its nodes",
      "hostpath-own-machine",
      podOn("/data/x"),
      `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes: [{ role: control-plane, extraMounts: [{ hostPath: /x, containerPath: /data }] }]
`,
    ],
    [
      "a pod on Windows",
      "hostpath-windows-drive",
      podOn("C:/data"),
      `${podOn("/data").replace("name: p ", "name: q ")}  nodeSelector: { kubernetes.io/os: windows }\n`,
    ],
  ] as const)
    test(`rules take ${what} into account, also from another island`, async () => {
      for (const beside of ["", other]) {
        const files = new Map([
          ["claimcheck.yaml", "profile: kind\n"],
          ["a.yaml", alone],
          ["b.yaml", beside],
        ]);
        const found = findingsOf(await start(files, 0), memoryUri("a.yaml"));
        const isTold = found.some(({ code }) => code === rule);
        assert.equal(isTold, beside === "");
      }
    });

  for (const [how, small] of [
    ["judged together", 10_000],
    ["judged apart", 0],
  ] as const)
    test(`a pod ${how} gets the generated configuration of the present kustomization`, async () => {
      const kustomization = (literals: string): string => `
resources: [pod.yaml, claim.yaml]
configMapGenerator:
  - { name: config, literals: [${literals}], options: { disableNameSuffixHash: true } }
`;
      const service = await start(
        new Map([
          ["kustomization.yaml", kustomization("a=1")],
          [
            "pod.yaml",
            `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: web, image: web, volumeMounts: [{ name: config, mountPath: /c }] }]
  volumes: [{ name: config, configMap: { name: config, items: [{ key: b, path: b }] } }]
`,
          ],
          [
            "claim.yaml",
            `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`,
          ],
        ]),
        small,
      );
      const verdict = (literals: string): string | undefined => {
        service.setEditorText(memoryUri("kustomization.yaml"), kustomization(literals));
        settle(service);
        return predicted(service)?.verdictOf.get("Pod/default/web")?.kind;
      };
      assert.equal(verdict("a=1"), "fails");
      assert.equal(verdict("a=1, b=2"), "healthy");
      assert.equal(verdict("a=1"), "fails", "as it was before");
    });

  test("a CSIStorageCapacity written for a class limits its driver's capacity", async () => {
    const claim = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: lvm }
provisioner: lvm.example.com
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: { name: lvm.example.com }
spec: { storageCapacity: true }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: lvm, accessModes: [ReadWriteOnce], resources: { requests: { storage: 10Gi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
  volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
`;
    const room = `apiVersion: storage.k8s.io/v1
kind: CSIStorageCapacity
metadata: { name: room }
storageClassName: lvm
capacity: 5Gi
nodeTopology: {}
`;
    const elsewhere = room.replace("storageClassName: lvm", "storageClassName: other");
    const service = await start(
      new Map([
        ["a.yaml", claim],
        ["b.yaml", elsewhere],
      ]),
      0,
    );
    const outcomeOf = (): string | undefined => {
      settle(service);
      return predicted(service)?.verdictOf.get("Pod/default/web")?.kind;
    };
    assert.equal(outcomeOf(), "healthy");
    service.setEditorText(memoryUri("b.yaml"), room);
    assert.equal(outcomeOf(), "stuck");
    service.setEditorText(memoryUri("b.yaml"), room.replace("5Gi", "50Gi"));
    assert.equal(outcomeOf(), "healthy");
  });

  test("a mistyped claim name in one island counts as a user of the claim in another", async () => {
    const claim = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: disks }
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: disks, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
    const pod = (claimName: string): string => `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /x }] }]
  volumes: [{ name: v, persistentVolumeClaim: { claimName: ${claimName} } }]
`;
    const service = await start(
      new Map([
        ["a.yaml", claim],
        ["b.yaml", pod("cache")],
      ]),
      0,
    );
    const codes = (): readonly string[] => {
      const { "a.yaml": ofClaim = [], "b.yaml": ofPod = [] } = said(service);
      return [...ofClaim, ...ofPod].map(({ code }) => code);
    };
    const changed = (): readonly string[] =>
      service.environments().flatMap((environment) => service.takeChanged(environment));
    const isPod = (claimName: string): void => {
      changed();
      service.setEditorText(memoryUri("b.yaml"), pod(claimName));
      settle(service);
      assert.ok(changed().includes(memoryUri("a.yaml")), "though nothing is edited there");
    };
    settle(service);
    assert.deepEqual(codes(), ["class-wffc-no-consumer", "pod-claim-missing"]);
    isPod("dta");
    assert.deepEqual(codes(), ["pod-claim-missing"]);
    isPod("cache");
    assert.deepEqual(codes(), ["class-wffc-no-consumer", "pod-claim-missing"]);
    isPod("data");
    assert.deepEqual(codes(), []);
  });
});
