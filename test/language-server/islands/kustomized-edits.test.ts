/** What is said of kustomized objects is the same on every way to the same files, as it is of others. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  createLanguageService,
  type LanguageService,
} from "../../../src/language-server/service.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

const pod = (volume: string): string => `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: web, image: web, volumeMounts: [{ name: v, mountPath: /v }] }]
  volumes: [{ name: v, ${volume} }]
`;

const volume = (size: string): string => `apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec:
  capacity: { storage: ${size} }
  accessModes: [ReadWriteOnce]
  storageClassName: slow
  hostPath: { path: /disk }
`;

const claim = (size: string): string => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: slow
  resources: { requests: { storage: ${size} } }
`;

const patch = (kind: string, name: string, spec: string): string =>
  `{ apiVersion: v1, kind: ${kind}, metadata: { name: ${name} }, spec: ${spec} }\n`;

/** The texts that a file may have. */
const textsOf: Readonly<Record<string, readonly string[]>> = {
  "kustomization.yaml": [
    "resources: [pod.yaml, volume.yaml, base]\n",
    "resources: [pod.yaml, base]\nnamePrefix: one-\n",
    "resources: [pod.yaml, volume.yaml, base]\nnamespace: other\n",
    "resources: [pod.yaml, volume.yaml, base]\npatches: [{ path: patch.yaml }]\n",
    "resources: [pod.yaml]\nconfigMapGenerator: [{ name: config, literals: [a=1] }]\n",
    "resources: [pod.yaml]\nconfigMapGenerator: [{ name: config, literals: [b=1], options: { disableNameSuffixHash: true } }]\n",
    "resources: [pod.yaml]\nconfigMapGenerator: [{ name: config, literals: [c=1], options: { disableNameSuffixHash: true } }]\n",
    "resources: [pod.yaml\n",
    "",
  ],
  "pod.yaml": [
    pod("persistentVolumeClaim: { claimName: data }"),
    pod("configMap: { name: config, items: [{ key: b, path: b }] }"),
  ],
  "volume.yaml": [volume("1Gi"), volume("5Gi")],
  "patch.yaml": [
    patch("PersistentVolume", "disk", "{ capacity: { storage: 10Gi } }"),
    patch("PersistentVolumeClaim", "data", "{ resources: { requests: { storage: 9Gi } } }"),
    patch("Elsewhere", "disk", "{}"),
    "",
  ],
  "base/kustomization.yaml": [
    "resources: [claim.yaml]\n",
    "resources: [claim.yaml]\nnameSuffix: -two\n",
    "resources: [missing.yaml, claim.yaml]\n",
  ],
  "base/claim.yaml": [claim("1Gi"), claim("2Gi")],
};

const names = Object.keys(textsOf);

async function start(
  files: ReadonlyMap<string, string>,
  smallEnvironment: number,
): Promise<LanguageService> {
  const service = createLanguageService({
    fileSystem: memoryFileSystem(files),
    pause: () => Promise.resolve(),
    smallEnvironment,
  });
  await service.loadFolders([memoryFolder]);
  settle(service);
  return service;
}

function settle(service: LanguageService): void {
  for (const environment of service.environments()) for (const _ of service.judge(environment));
}

function told(service: LanguageService): unknown {
  return {
    findings: names.map((name) => service.knownDiagnostics(memoryUri(name))),
    outcomes: service
      .environments()
      .flatMap((environment) => service.prediction(environment)?.verdicts ?? [])
      .map(({ ref, kind, headline }) => `${kind} ${ref} ${headline}`)
      .sort(),
  };
}

const someText = (name: string): fc.Arbitrary<string> => fc.constantFrom(...(textsOf[name] ?? []));
const someEdit = fc
  .constantFrom(...names)
  .chain((name) => fc.tuple(fc.constant(name), someText(name), fc.boolean()));

suite("edits of kustomized files", () => {
  for (const [how, small] of [
    ["judged together", 10_000],
    ["judged apart", 0],
  ] as const)
    test(`leave of objects ${how} what a fresh start on the final files finds`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.tuple(...names.map(someText)),
          fc.array(someEdit, { minLength: 1, maxLength: 6 }),
          async (texts, edits) => {
            const files = new Map(names.map((name, index) => [name, texts[index] ?? ""]));
            const service = await start(files, small);
            for (const [name, text, isQuiet] of edits) {
              files.set(name, text);
              service.setEditorText(memoryUri(name), text);
              if (isQuiet) settle(service);
            }
            settle(service);
            assert.deepEqual(told(service), told(await start(files, small)));
          },
        ),
        { numRuns: 40, seed: 15 },
      );
    });
});
