import { checkDiagnostics } from "../../support/language-features.ts";

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
