import assert from "node:assert/strict";
import type { LanguageService } from "../../../src/language-server/service.ts";
import type { Environment } from "../../../src/language-server/workspace/environment.ts";
import { findingsOf } from "../../support/findings.ts";
import {
  checkDefinition,
  checkDiagnostics,
  checkPredicted,
  loadFixture,
} from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

function environmentOf(service: LanguageService): Environment {
  const [environment] = service.environments();
  assert.ok(environment !== undefined);
  return environment;
}

const claim = `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }`;
const larger = `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { resources: { requests: { storage: 2Gi } } }`;
/** Without a kustomization, the patch is refused as an object, and is a second definition of the claim. */
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
  ] as const)
    test(`${what} are not objects of their own`, () =>
      checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      ${list}
      #- claim.yaml${claim}
      #- overlay/larger.yaml${larger}
    `));

  for (const name of ["kustomization.yaml", "kustomization.yml", "Kustomization"])
    test(`a file named ${name} is a kustomization`, () =>
      checkDiagnostics(`
      #- ${name}
      resources: [claim.yaml]
      patches: [{ path: larger.yaml }]
      #- claim.yaml${claim}
      #- larger.yaml${larger}
    `));

  test("patches that no kustomization names are treated as objects", () =>
    checkDiagnostics(`
      #- claim.yaml${claim.replace("{ name: data }", "{ name: data }\n      #                 ^^^^ duplicate-object")}
      #- larger.yaml${misread}
    `));

  test("YAML mistakes in a patch are reported", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ path: larger.yaml }]
      #- claim.yaml${claim}
      #- larger.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: data
        name: data
      # ^^^^ yaml-duplicate-key
    `));
});

suite("findings of patched objects", () => {
  test("are at the patch if that wrote the field, else at the object", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ path: broken.yaml }]
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, labels: { a b: c } }
      #                                 ^^^ api-refused: metadata.labels
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #- broken.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: [Everybody]
      #               ^^^^^^^^^ api-refused: spec.accessModes: Unsupported value
    `));

  test("are at the line of an inline patch", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches:
        - patch: |-
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: { name: data }
            spec: { sise: 1Gi }
      #             ^^^^ api-refused: unknown field "spec.sise"
      #- claim.yaml${claim}
    `));

  test("are at the key of an unknown field, with the field that was meant", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ path: patch.yaml }]
      #- claim.yaml${claim}
      #- patch.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accesModes: [ReadWriteMany]
      # ^^^^^^^^^^ api-refused: unknown field "spec.accesModes"; did you mean “accessModes”?
    `));

  test("are at the value of an operation", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches:
        - target: { kind: PersistentVolumeClaim }
          path: modes.json
      #- claim.yaml${claim}
      #- modes.json
      [
        { "op": "add", "path": "/spec/accessModes/-", "value": "Everybody" }
      #                                                        ^^^^^^^^^^^ api-refused: spec.accessModes: Unsupported value
      ]
    `));

  test("compare patched fields with other objects", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ path: class.yaml }]
      #- claim.yaml${claim}
      #- class.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fast }
      #                         ^^^^ pvc-class-missing
    `));

  test("predict their outcome, at the patch that is to blame", () =>
    checkPredicted(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ path: static.yaml }]
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #- static.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "" }
      #                         ^^ pvc-class-empty
    `));

  test("are accepted by an annotation that a patch adds", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ path: unknown.yaml }]
      #- claim.yaml${claim}
      #- unknown.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, annotations: { claimcheck.dev/ignore: api-refused } }
      spec: { sise: 1Gi }
    `));

  test("are absent for an object that a patch removes", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ patch: "{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, $patch: delete }" }]
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: {}
    `));
});

suite("an edit of patched files", () => {
  test("updates the findings at the object when the patch changes, and the other way", async () => {
    const service = await loadFixture(
      readFixture(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ path: larger.yaml }]
      #- claim.yaml${claim}
      #- larger.yaml${larger}
    `),
      true,
    );
    const codes = (name: string): readonly string[] =>
      findingsOf(service, memoryUri(name)).map(({ code }) => code);
    const edit = async (name: string, from: string, to: string): Promise<readonly string[]> => {
      const text = service.file(memoryUri(name))?.manifest.text ?? "";
      service.takeChanged(environmentOf(service));
      service.setEditorText(memoryUri(name), text.replace(from, to));
      await service.predict(environmentOf(service));
      return service.takeChanged(environmentOf(service));
    };
    assert.deepEqual(codes("claim.yaml"), ["pvc-class-empty"]);
    const byPatch = await edit("larger.yaml", "spec: {", "spec: { storageClassName: '',");
    assert.ok(byPatch.includes(memoryUri("claim.yaml")));
    assert.deepEqual([codes("claim.yaml"), codes("larger.yaml")], [[], ["pvc-class-empty"]]);
    const byObject = await edit("claim.yaml", "name: data", "name: orders");
    assert.ok(byObject.includes(memoryUri("larger.yaml")));
    assert.deepEqual(
      [codes("claim.yaml"), codes("larger.yaml")],
      [["pvc-class-empty"], ["kustomize-patch"]],
    );
  });
});

const incomplete = `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, labels: { tier: fast } }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce] }`;
const size =
  '[{"op": "add", "path": "/spec/resources", "value": {"requests": {"storage": "1Gi"}}}]';

suite("objects that a patch completes", () => {
  for (const [what, target] of [
    ["with a pattern", "{ kind: Persistent.*, name: da.a }"],
    ["for a label", "{ labelSelector: 'tier in (fast, slow)' }"],
    ["for a group, a version and a namespace", "{ version: v1, namespace: default }"],
  ] as const)
    test(`by operations ${what} are not refused for missing fields`, () =>
      checkDiagnostics(`
      #- base/kustomization.yaml
      resources: [claim.yaml]
      #- base/claim.yaml${incomplete}
      #- overlay/kustomization.yaml
      resources: [../base]
      patches: [{ target: ${target}, patch: '${size}' }]
    `));

  test("in a component of the kustomization are not refused for missing fields", () =>
    checkDiagnostics(`
      #- claim.yaml${incomplete}
      #- kustomization.yaml
      resources: [claim.yaml]
      components: [sizes]
      #- sizes/kustomization.yaml
      kind: Component
      patches: [{ target: { name: data }, patch: '${size}' }]
    `));

  test("are refused if the patch is for others", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches:
        - { target: { kind: Pod }, patch: '${size}' }
      #             ^^^^^^^^^^^^^ kustomize-patch: The target selects nothing
        - { target: { name: dat }, patch: '${size}' }
      #             ^^^^^^^^^^^^^ kustomize-patch: The target selects nothing
        - { target: { labelSelector: tier = slow }, patch: '${size}' }
      #             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ kustomize-patch: The target selects nothing
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, labels: { tier: fast } }
      spec: { resources: {}, storageClassName: "", accessModes: [ReadWriteOnce] }
      #       ^^^^^^^^^ api-refused: spec.resources[storage]: Required value
    `));

  test("are not reported missing by pods if the patch cannot be applied", () =>
    checkPredicted(`
      #- kustomization.yaml
      resources: [claim.yaml, pod.yaml]
      patches: [{ target: { name: data }, patch: "- op: add" }]
      #                                          ^^^^^^^^^^^ kustomize-patch: kustomize refuses the patch: add operation failed to decode path: missing value
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

suite("patches that kustomize refuses", () => {
  test("are reported with its message if their object does not exist", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ path: larger.yaml }]
      #- claim.yaml${claim}
      #- larger.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: date }
      #                 ^^^^ kustomize-patch: kustomize refuses the patch: no matches for Id PersistentVolumeClaim.v1.[noGrp]/date.[noNs]; failed to find unique target for patch PersistentVolumeClaim.v1.[noGrp]/date.[noNs]
      spec: { resources: { requests: { storage: 2Gi } } }
    `));

  test("are not reported if some of its resources cannot be read", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml, https://example.com/base]
      #                       ^^^^^^^^^^^^^^^^^^^^^^^^ kustomize-patch: Not judged: what is at this address is not fetched. Copy it into the workspace, as \`kustomize localize\` does, and name the copy here
      patches: [{ path: larger.yaml }]
      #- claim.yaml${claim}
      #- larger.yaml${larger.replace("name: data", "name: date")}
    `));

  test("are reported at the operation that does not apply", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches:
        - target: { kind: PersistentVolumeClaim }
          patch: |-
            - { op: test, path: /spec/storageClassName, value: "" }
            - { op: remove, path: /spec/volumeName }
      #                           ^^^^^^^^^^^^^^^^ kustomize-patch: kustomize refuses the patch: error in remove for path: '/spec/volumeName': Unable to remove nonexistent key: volumeName: missing value
      #- claim.yaml${claim}
    `));

  test("are reported if operations have no target, or one target has two patches", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches:
        - patch: '${size}'
      #   ^^^^^^^^^^^^^^^^^${"^".repeat(size.length - 8)} kustomize-patch: kustomize refuses the patch: must specify a target for JSON patch [patch: "[{\\"op\\": \\"add\\", \\"path\\": \\"/spec/resources\\", \\"value\\": {\\"request…"]
        - target: { name: data }
      #           ^^^^^^^^^^^^^^ kustomize-patch: kustomize refuses the patch: Multiple Strategic-Merge Patches in one \`patches\` entry
          path: two.yaml
      #- claim.yaml${claim}
      #- two.yaml${larger}
      ---${larger}
    `));
});

suite("patches that cannot be read", () => {
  test("are reported where they are named", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ path: none.yaml }, { path: chart.yaml, target: { name: data } }]
      #                 ^^^^^^^^^ kustomize-patch: The patch is not applied: none.yaml is not among the files that are read
      #                                      ^^^^^^^^^^ kustomize-patch: The patch is not applied: chart.yaml is a template
      patchesStrategicMerge: [older.yaml]
      #                       ^^^^^^^^^^ kustomize-patch: The patch is not applied: older.yaml is not among the files that are read
      #- claim.yaml${claim}
      #- chart.yaml
      apiVersion: v1
      kind: {{ .Values.kind }}
      #     ^^^^^^^^^^^^^^^^^^ helm-template
    `));

  test("may add what the objects of their target lack", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ path: none.yaml, target: { name: data } }]
      #                 ^^^^^^^^^ kustomize-patch: The patch is not applied
      #- claim.yaml${incomplete}
    `));
});

suite("resources of a kustomization", () => {
  test("that do not exist are reported where they are named, even if there is no other file", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [gone.yaml, ../base]
      #           ^^^^^^^^^ kustomize-patch: Not judged: gone.yaml is not among the files that are read
      #                      ^^^^^^^ kustomize-patch: Not judged: ../base is not among the files that are read
      components: [part]
      #            ^^^^ kustomize-patch: Not judged: part is not among the files that are read
    `));

  test("that are misspelled get a suggestion of the file or folder that was meant", () =>
    checkDiagnostics(`
      #- app/kustomization.yaml
      resources: [claims.yaml, "../bse", ../claim.yaml]
      #           ^^^^^^^^^^^ kustomize-patch: Not judged: claims.yaml is not among the files that are read; did you mean “claim.yaml”?
      #                        ^^^^^^^^ kustomize-patch: Not judged: ../bse is not among the files that are read; did you mean “../base”?
      #                                  ^^^^^^^^^^^^^ kustomize-patch: Not judged: ../claim.yaml is not among the files that are read
      patches: [{ path: owner.yml, target: { name: data } }]
      #                 ^^^^^^^^^ kustomize-patch: The patch is not applied: owner.yml is not among the files that are read; did you mean “owner.yaml”?
      #- app/claim.yaml${claim}
      #- app/owner.yaml
      [{ op: add, path: /metadata/labels, value: { owner: me } }]
      #- base/kustomization.yaml
      resources: []
    `));

  test("that are a folder without a kustomization are reported as well", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [base]
      #           ^^^^ kustomize-patch: Not judged: base is not among the files that are read
      #- base/claim.yaml${claim}
    `));

  test("are found if their names have characters that URIs encode", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [a+b@c.yaml, (d)]
      patches: [{ path: p+q.yaml }]
      #- a+b@c.yaml${claim}
      #- p+q.yaml${larger}
      #- (d)/kustomization.yaml
      resources: [e%.yaml]
      #- (d)/e%.yaml
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: a }
    `));

  test("that do not exist may contain the object of a patch", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [gone.yaml]
      #           ^^^^^^^^^ kustomize-patch: Not judged
      patches: [{ path: two.yaml }]
      #- two.yaml${larger}
    `));

  test("that add an object twice, or are outside the folder, are reported with kustomize's message", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml, base, claim.yaml]
      #                       ^^^^ kustomize-patch: kustomize refuses the resource: may not add resource with an already registered id: PersistentVolumeClaim.v1.[noGrp]/data.[noNs]
      #                             ^^^^^^^^^^ kustomize-patch: kustomize refuses the resource: may not add resource with an already registered id: PersistentVolumeClaim.v1.[noGrp]/data.[noNs]
      #- claim.yaml${claim}
      #- base/kustomization.yaml
      resources: [../claim.yaml]
      #           ^^^^^^^^^^^^^ kustomize-patch: kustomize refuses the file: security; it is not in or below the kustomization's folder.
    `));

  test("may include the same base twice, under two names", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [a, b]
      #- a/kustomization.yaml
      resources: [../base]
      namePrefix: a-
      #- b/kustomization.yaml
      resources: [../base]
      namePrefix: b-
      #- base/kustomization.yaml
      resources: [claim.yaml]
      #- base/claim.yaml${claim}
    `));
});

suite("overlays that build different objects from the same files", () => {
  const overlays = `
      #- base/kustomization.yaml
      resources: [claim.yaml]
      #- base/claim.yaml${incomplete}
      #- overlays/dev/kustomization.yaml
      resources: [../../base]
      patches: [{ path: size.yaml }]
      #- overlays/dev/size.yaml${larger}
      #- overlays/prod/kustomization.yaml
      resources: [../../base]
      patches: [{ path: size.yaml }]
      #         ^^^^^^^^^^^^^^^^^^^ kustomize-patch: Not judged: overlays/dev builds PersistentVolumeClaim data differently
      #- overlays/prod/size.yaml${larger.replace("2Gi", "20Gi").replace("spec: {", "spec: { sise: 1,")}`;

  test("are judged one at a time, with a finding in the others", () => checkDiagnostics(overlays));

  test("are chosen by the project file", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      kustomization: overlays/prod${overlays
        .replace(/ *# +\^.*\n/, "")
        .replace(
          "patches: [{ path: size.yaml }]",
          "patches: [{ path: size.yaml }]\n      #         ^^^^^^^^^^^^^^^^^^^ kustomize-patch: Not judged: overlays/prod builds PersistentVolumeClaim data differently",
        )
        .replace(
          /(spec: \{ sise: 1,.*)/,
          '$1\n      #       ^^^^ api-refused: unknown field "spec.sise"',
        )}
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
    test(`supply the selector: ${labels}`, () =>
      checkDiagnostics(`
      #- kustomization.yaml
      resources: [app.yaml]
      ${labels}
      #- app.yaml${workload}
    `));

  test("without includeSelectors do not supply it", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [app.yaml]
      labels: [{ pairs: { app: web } }]
      #- app.yaml${workload.replace("selector: {}", "selector: {}\n        #         ^^ api-refused: spec.selector")}
    `));
});

suite("an overlay that is not judged", () => {
  test("has one finding, however much it builds differently", () =>
    checkDiagnostics(`
      #- base/kustomization.yaml
      resources: [claim.yaml]
      #- base/claim.yaml${claim}
      #- overlays/dev/kustomization.yaml
      resources: [../../base]
      namespace: dev
      #- overlays/prod/kustomization.yaml
      resources: [../../base]
      namespace: prod
      #          ^^^^ kustomize-patch: Not judged: overlays/dev builds PersistentVolumeClaim data differently, and only one
      namePrefix: prod-
      labels: [{ pairs: { env: prod } }]
      patches: [{ path: size.yaml }]
      #- overlays/prod/size.yaml${larger}
    `));
});

suite("overlays that rename objects", () => {
  const pod = `
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]`;

  test("are judged one at a time, together with their own files", () =>
    checkDiagnostics(`
      #- base/kustomization.yaml
      resources: [claim.yaml]
      #- base/claim.yaml${claim}
      #- overlays/dev/kustomization.yaml
      resources: [../../base]
      namespace: dev
      #- overlays/prod/kustomization.yaml
      resources: [../../base, pod.yaml]
      namespace: prod
      #          ^^^^ kustomize-patch: Not judged: overlays/dev builds PersistentVolumeClaim data differently
      #- overlays/prod/pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      #                 ^^^ kustomize-patch: Not judged: it belongs to overlays/prod, and overlays/dev is judged. \`kustomization: overlays/prod\` in claimcheck.yaml chooses the other one
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
    `));

  test("have the finding at the kustomization that renames, not at one that includes it", () =>
    checkDiagnostics(`
      #- base/kustomization.yaml
      resources: [claim.yaml]
      commonLabels: { app: shop }
      #- base/claim.yaml${claim}
      #- a/kustomization.yaml
      resources: [../base]
      #- b/inner/kustomization.yaml
      resources: [../../base]
      namespace: other
      #          ^^^^^ kustomize-patch: Not judged: a builds PersistentVolumeClaim data differently, and only one of the two is judged. \`kustomization: b\` in claimcheck.yaml chooses this one
      #- b/kustomization.yaml
      resources: [inner]
    `));

  test("are both judged if one kustomization includes both", () =>
    checkDiagnostics(`
      #- base/kustomization.yaml
      resources: [claim.yaml, pod.yaml]
      #- base/claim.yaml${claim}
      #- base/pod.yaml${pod}
      #- a/kustomization.yaml
      resources: [../base]
      namePrefix: a-
      #- b/kustomization.yaml
      resources: [../base]
      namePrefix: b-
      #- kustomization.yaml
      resources: [a, b]
    `));
});

suite("an object that a kustomization builds under two names", () => {
  test("has findings at the overlay that causes each", () =>
    checkDiagnostics(`
      #- base/kustomization.yaml
      resources: [claim.yaml]
      #- base/claim.yaml${claim}
      #- a/kustomization.yaml
      resources: [../base]
      namePrefix: a-
      #- b/kustomization.yaml
      resources: [../base]
      namePrefix: b-
      patches: [{ path: class.yaml }]
      #- b/class.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fast }
      #                         ^^^^ pvc-class-missing
      #- kustomization.yaml
      resources: [a, b]
    `));
});

suite("replicas of a kustomization", () => {
  const deployment = `
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
            volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { accessModes: [ReadWriteOncePod], resources: { requests: { storage: 1Gi } } }`;

  test("count for pods that cannot share a claim", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [web.yaml, claim.yaml]
      replicas: [{ name: web, count: 3 }]
      #- web.yaml${deployment.replace(/(.*claimName: data.*)/, "$1\n      #                                                              ^^^^ rwop-replicas")}
    `));

  test("are refused at their line", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [web.yaml]
      replicas: [{ name: web, count: -1 }]
      #                              ^^ api-refused: spec.replicas: Invalid value: -1
      #- web.yaml
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: c, image: i }] }
    `));

  test("are refused if no workload has the name", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      replicas: [{ name: data, count: 3 }]
      #                  ^^^^ kustomize-patch: kustomize refuses the entry: resource with name data does not match a config with the following GVK [Deployment.[noVer].[noGrp] StatefulSet.[noVer].[noGrp] ReplicaSet.[noVer].[noGrp] ReplicationController.[noVer].[noGrp]]
      #- claim.yaml${claim}
    `));
});

suite("names in a kustomization", () => {
  const pod = `
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i }]
        volumes: [{ name: v, configMap: { name: settings } }, { name: w, secret: { secretName: cert } }]`;

  test("of generated objects, and of objects in the same namespace, are not reported missing", () =>
    checkDiagnostics(`
      #- base/kustomization.yaml
      resources: [pod.yaml]
      configMapGenerator: [{ name: settings }]
      #- base/pod.yaml${pod}
      #- overlay/kustomization.yaml
      namespace: team
      namePrefix: my-
      resources: [../base, cert.yaml]
      #- overlay/cert.yaml
      apiVersion: v1
      kind: Secret
      metadata: { name: cert, namespace: team }
    `));

  test("of generated objects have the keys of their sources", () =>
    checkPredicted(`
      #- kustomization.yaml
      resources: [pods.yaml]
      configMapGenerator:
        - { name: settings, literals: [color=red], files: [conf/app.properties] }
        - { name: variables, envs: [.env] }
      #- pods.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: works }
      spec:
        containers:
          - name: c
            image: i
            env:
              - { name: A, valueFrom: { configMapKeyRef: { name: settings, key: color } } }
              - { name: B, valueFrom: { configMapKeyRef: { name: settings, key: app.properties } } }
              - { name: C, valueFrom: { configMapKeyRef: { name: variables, key: ANY } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: waits }
      spec:
        containers:
          - name: c
            image: i
            env: [{ name: A, valueFrom: { configMapKeyRef: { name: settings, key: colour } } }]
      #                                                                           ^^^^^^ pod-does-not-start: Pod waits does not start
    `));

  test("are suggested as the files have them", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml, pod.yaml]
      namePrefix: dev-
      #- claim.yaml${claim}
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: date } }]
      #                                                          ^^^^ pod-claim-missing: PersistentVolumeClaim “date” does not exist in namespace default; did you mean “data”?
    `));

  test("are not changed in references that kustomize does not know", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml, snapshot.yaml]
      namespace: default
      namePrefix: dev-
      #- claim.yaml${claim}
      #- snapshot.yaml
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: night }
      spec: { source: { persistentVolumeClaimName: data } }
      #                                            ^^^^ datasource-missing: Source PersistentVolumeClaim “data” does not exist in namespace default: kustomize makes “dev-data” of “data”, and does not follow the name to this field
    `));

  test("are refused at the name in the file", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [namespace.yaml]
      namespace: Shop
      #          ^^^^ api-refused: metadata.name: Invalid value: "Shop"
      #- namespace.yaml
      apiVersion: v1
      kind: Namespace
      metadata: { name: shop }
    `));

  test("of namespaces put a claim under the namespace's quota", () =>
    checkPredicted(`
      #- kustomization.yaml
      resources: [claim.yaml, quota.yaml]
      namespace: shop
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } }
      #                                                                       ^^^ quota-exceeded
      #- quota.yaml
      apiVersion: v1
      kind: Namespace
      metadata: { name: any }
      ---
      apiVersion: v1
      kind: ResourceQuota
      metadata: { name: all, namespace: shop }
      spec: { hard: { requests.storage: 1Gi } }
    `));

  test("in a patch lead to its object", () =>
    checkDefinition(
      `
      #- kustomization.yaml
      resources: [claim.yaml]
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
