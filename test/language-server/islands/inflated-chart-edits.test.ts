/** Findings of charts that kustomizations render are the same whichever edits lead to the same files. */
import { checkEdits, type Texts } from "../../support/edited-files.ts";

const claim = (size: string): string => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: {{ .Release.Name }}-data }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: {{ .Values.class }}
  resources: { requests: { storage: ${size} } }
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

const chartYaml = "apiVersion: v2\nname: shop\nversion: 1.0.0\n";

/** Texts that each file may have. */
const textsOf: Texts = {
  "kustomization.yaml": [
    "resources: [volume.yaml]\nhelmCharts: [{ name: shop, releaseName: rel }]\n",
    "resources: [volume.yaml]\nhelmCharts: [{ name: shop, releaseName: rel, valuesFile: own.yaml }]\n",
    "resources: [volume.yaml]\nhelmCharts: [{ name: shop, additionalValuesFiles: [own.yaml] }]\n",
    "helmGlobals: { chartHome: deps }\nhelmCharts: [{ name: shop, valuesInline: { class: slow } }]\n",
    "namePrefix: eu-\nhelmCharts: [{ name: shop, releaseName: rel }, { name: shop }]\n",
    "helmCharts: [{ name: shop\n",
    "helmCharts: [{ name: 1 }]\n",
    "resources: [volume.yaml]\n",
    "resources: [overlay]\n",
    undefined,
  ],
  "overlay/kustomization.yaml": [
    "helmGlobals: { chartHome: ../charts }\nhelmCharts: [{ name: shop, releaseName: over }]\n",
    undefined,
  ],
  "claimcheck.yaml": [
    undefined,
    undefined,
    "charts: [{ chart: charts/shop, name: own }]\n",
    "charts: [{ chart: deps/shop, skipSchemaValidation: true }]\n",
  ],
  "own.yaml": ["class: slow\n", "class: none\nsize: 9Gi\n", "class: [\n", undefined],
  "volume.yaml": [volume],
  "charts/shop/Chart.yaml": [chartYaml, chartYaml, undefined],
  "charts/shop/values.yaml": ["class: slow\nsize: 1Gi\n", "class: none\nsize: 6Gi\n", undefined],
  "charts/shop/values.schema.json": [
    '{ "properties": { "size": { "enum": ["1Gi", "9Gi"] } } }',
    '{ "required": ["other"] }',
    "{",
    undefined,
  ],
  "charts/shop/templates/claim.yaml": [
    claim("{{ .Values.size }}"),
    claim("2Gi"),
    claim("{{ .x.y }}"),
    undefined,
  ],
  "deps/shop/Chart.yaml": [chartYaml, undefined],
  "deps/shop/templates/claim.yaml": [claim("3Gi")],
};

suite("edits of charts that kustomizations render", () => {
  for (const [how, smallEnvironment] of [
    ["judged together", 10_000],
    ["judged apart", 0],
  ] as const)
    test(`leave the same findings as a fresh start on the final files, with objects ${how}`, () =>
      checkEdits(textsOf, { smallEnvironment, seed: 17 }));
});
