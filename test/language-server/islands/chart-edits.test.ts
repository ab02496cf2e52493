/** Findings of charts' objects are the same whichever edits lead to the same files. */
import { checkEdits, type Texts } from "../../support/edited-files.ts";

const claim = (size: string, end = ""): string => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: {{ include "name" . }} }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: {{ .Values.class }}
  resources: { requests: { storage: ${size} } }
${end}`;

const secret = (value: string): string => `apiVersion: v1
kind: Secret
metadata: { name: s }
stringData: { a: "${value}" }
`;

const pod = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: web, image: web, volumeMounts: [{ name: v, mountPath: /v }] }]
  volumes: [{ name: v, persistentVolumeClaim: { claimName: shop-data } }]
`;

const volume = `apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec:
  capacity: { storage: 5Gi }
  accessModes: [ReadWriteOnce]
  storageClassName: slow
  hostPath: { path: /disk }
`;

/** Texts that each file may have. */
const textsOf: Texts = {
  "claimcheck.yaml": [
    "",
    "charts: [{ chart: shop }]\n",
    "charts: [{ chart: shop, name: b, namespace: other, values: large.yaml }]\n",
    "charts: []\n",
    "charts: [{ chart: nowhere }]\n",
  ],
  "large.yaml": ["size: 9Gi\n", "size: 3Gi\nclass: none\n", ""],
  "pod.yaml": [pod, pod.replace("shop-data", "b-data")],
  "shop/Chart.yaml": [
    "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
    "apiVersion: v2\nname: shop\nversion: 1.0.1\n",
    "apiVersion: v2\nname: shop\n",
    "",
  ],
  "shop/values.yaml": [
    "class: slow\nsize: 1Gi\n",
    "class: slow\nsize: 6Gi\n",
    "class: none\nsize: 1Gi\n",
    "class: [\n",
  ],
  "shop/templates/_name.tpl": [
    '{{ define "name" }}{{ .Release.Name }}-data{{ end }}',
    '{{ define "name" }}shop-data{{ end }}',
    '{{ define "name" }}{{ .Release.Name }}',
    '{{ define "nam" }}x{{ end }}',
  ],
  "shop/templates/claim.yaml": [
    claim("{{ .Values.size }}"),
    claim("{{ .Values.size }}", `---\n${secret("a")}`),
    claim("2Gi", "{{ fail .Values.class }}"),
    claim("1Gi", `---\n${secret("{{ .x.y }}")}`),
    "",
  ],
  "shop/templates/volume.yaml": [volume, `{{ if .Values.size }}\n${volume}{{ end }}\n`],
};

suite("edits of charts", () => {
  for (const [how, smallEnvironment] of [
    ["judged together", 10_000],
    ["judged apart", 0],
  ] as const)
    test(`leave the same findings as a fresh start on the final files, with objects ${how}`, () =>
      checkEdits(textsOf, { smallEnvironment, seed: 16 }));
});
