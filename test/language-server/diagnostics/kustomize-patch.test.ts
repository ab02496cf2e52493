import {
  checkDefinition,
  checkDiagnostics,
  checkPredicted,
} from "../../support/language-features.ts";

const claim = `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }`;
const patched = `
      apiVersion: v1
      kind: PersistentVolumeClaim
      #     ^^^^^^^^^^^^^^^^^^^^^ kustomize-patch: A kustomization applies this file as a patch
      metadata: { name: data }
      spec: { resources: { requests: { storage: 2Gi } } }`;
/** Told nothing of, the patch is an object that the server refuses and a second definition of the claim. */
const misread = `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      #                 ^^^^ duplicate-object
      spec: { accessModes: [], resources: { requests: { storage: 2Gi } } }
      #                    ^^ api-refused: spec.accessModes: Required value`;

suite("patches of kustomize", () => {
  for (const [what, list] of [
    ["patches", "patches: [{ path: overlay/larger.yaml }]"],
    [
      "patches with a target",
      "patches: [{ target: { kind: PersistentVolumeClaim }, path: ./overlay/larger.yaml }]",
    ],
    ["the older list", "patchesStrategicMerge: [overlay/larger.yaml]"],
  ] as const) {
    test(`${what} of a kustomization at the root`, () =>
      checkDiagnostics(`
      #- kustomization.yaml
      ${list}
      #- claim.yaml${claim}
      #- overlay/larger.yaml${patched}
    `));
  }

  test("a kustomization below, or a component, that patches a file beside it", () =>
    checkDiagnostics(`
      #- base/claim.yaml${claim}
      #- overlay/kustomization.yml
      apiVersion: kustomize.config.k8s.io/v1alpha1
      kind: Component
      resources: [../base]
      patches: [{ path: ../patches/larger.yaml }]
      #- patches/larger.yaml${patched}
    `));

  for (const name of ["kustomization.yaml", "kustomization.yml", "Kustomization"])
    test(`a file named ${name} is a kustomization`, () =>
      checkDiagnostics(`
      #- ${name}
      patches: [{ path: larger.yaml }]
      #- claim.yaml${claim}
      #- larger.yaml${patched}
    `));

  test("what a kustomization names as a resource is a whole object", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ patch: "- op: remove" }, 7]
      #- claim.yaml${claim}
    `));

  test("patches that no kustomization names are taken for objects", () =>
    checkDiagnostics(`
      #- claim.yaml${claim.replace("{ name: data }", "{ name: data }\n      #                 ^^^^ duplicate-object")}
      #- larger.yaml${misread}
    `));

  test("a patch is read as YAML all the same", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      patches: [{ path: larger.yaml }]
      #- larger.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      #     ^^^^^^^^^^^^^^^^^^^^^ kustomize-patch
      metadata:
        name: data
        name: data
      # ^^^^ yaml-duplicate-key
    `));
});

const incomplete = `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, labels: { tier: fast } }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce] }`;
suite("objects that a patch completes", () => {
  for (const [what, patches] of [
    [
      "written out in place",
      `[{ patch: "{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data } }" }]`,
    ],
    [
      "of operations, with a pattern",
      `[{ target: { kind: Persistent.*, name: da.a }, patch: "- op: add" }]`,
    ],
    ["for a label", `[{ target: { labelSelector: tier=fast }, patch: "- op: add" }]`],
  ] as const)
    test(`by a patch ${what} are not refused for what they lack`, () =>
      checkDiagnostics(`
      #- base/kustomization.yaml
      resources: [claim.yaml]
      #- base/claim.yaml${incomplete}
      #- overlay/kustomization.yaml
      resources: [../base]
      patches: ${patches}
    `));

  test("by a component that the kustomization names", () =>
    checkDiagnostics(`
      #- claim.yaml${incomplete}
      #- kustomization.yaml
      resources: [claim.yaml]
      components: [sizes]
      #- sizes/kustomization.yaml
      kind: Component
      patches: [{ target: { name: data }, patch: "- op: add" }]
    `));

  test("are refused where the patch is for others, or does not get there", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ target: { kind: Pod }, patch: "- op: add" }, { target: { name: dat }, patch: "- op: add" }, { target: { labelSelector: "tier = slow" }, patch: "- op: add" }]
      #- other/kustomization.yaml
      patches: [{ target: { name: data }, patch: "- op: add" }]
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, labels: { tier: fast } }
      spec: { resources: {}, storageClassName: "", accessModes: [ReadWriteOnce] }
      #       ^^^^^^^^^ api-refused: spec.resources[storage]: Required value
    `));

  test("are told of fields that do not exist", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ target: { name: data }, patch: "- op: add" }]
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", accessMode: [ReadWriteOnce] }
      #                                         ^^^^^^^^^^^^^^^ api-refused: unknown field
    `));

  test("are not missed by the pods that name them", () =>
    checkPredicted(`
      #- kustomization.yaml
      resources: [claim.yaml, pod.yaml]
      patches: [{ target: { name: data }, patch: "- op: add" }]
      #- claim.yaml${incomplete}
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
    `));
});

suite("labels of a kustomization", () => {
  const workload = `
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: app }
      spec:
        selector: {}
        template: { spec: { containers: [{ name: c, image: i }] } }`;
  for (const labels of [
    "commonLabels: { app: web }",
    "labels: [{ pairs: { app: web }, includeSelectors: true }]",
  ])
    test(`bring the selector: ${labels}`, () =>
      checkDiagnostics(`
      #- kustomization.yaml
      resources: [app.yaml]
      ${labels}
      #- app.yaml${workload}
    `));

  test("without selectors do not", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [app.yaml]
      labels: [{ pairs: { app: web } }]
      #- app.yaml${workload.replace("selector: {}", "selector: {}\n        #         ^^ api-refused: spec.selector")}
    `));
});

suite("names of a kustomization", () => {
  const pod = `
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i }]
        volumes: [{ name: v, configMap: { name: settings } }, { name: w, secret: { secretName: cert } }]`;

  test("what it generates, and what gets the same namespace, is not missed", () =>
    checkDiagnostics(`
      #- base/kustomization.yaml
      resources: [pod.yaml]
      configMapGenerator: [{ name: settings }]
      #- base/pod.yaml${pod}
      #- overlay/kustomization.yaml
      namespace: team
      resources: [../base, cert.yaml]
      #- overlay/cert.yaml
      apiVersion: v1
      kind: Secret
      metadata: { name: cert, namespace: team }
    `));

  test("a patch names the object that it is for", () =>
    checkDefinition(
      `
      #- kustomization.yaml
      patches: [{ path: larger.yaml }]
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #- larger.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: da$0ta }
      spec: { resources: { requests: { storage: 2Gi } } }
    `,
      ["claim.yaml:3: data"],
    ));
});
