/** Findings of kustomized objects are the same whichever edits lead to the same files. */
import { checkEdits, type Texts } from "../../support/edited-files.ts";

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

/** Texts that each file may have. */
const textsOf: Texts = {
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

suite("edits of kustomized files", () => {
  for (const [how, smallEnvironment] of [
    ["judged together", 10_000],
    ["judged apart", 0],
  ] as const)
    test(`leave the same findings as a fresh start on the final files, with objects ${how}`, () =>
      checkEdits(textsOf, { smallEnvironment, seed: 15 }));
});
