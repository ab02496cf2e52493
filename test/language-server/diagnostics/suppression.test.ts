import { checkPredicted } from "../../support/language-features.ts";

const claim = (head: string, line: string): string => `
      ${head}
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: "" ${line}
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `;

suite("accepted findings", () => {
  test("a comment behind the line", () =>
    checkPredicted(claim("", "# claimcheck-ignore pvc-class-empty: made by hand")));

  test("a comment on the line above", () =>
    checkPredicted(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        # claimcheck-ignore pvc-class-empty
        storageClassName: ""
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `));

  test("a comment before everything else, for the document", () =>
    checkPredicted(claim("# claimcheck-ignore pvc-class-empty: made by hand", "")));

  test("an annotation, for the object", () =>
    checkPredicted(`
      apiVersion: v1
      kind: List
      items:
        - apiVersion: v1
          kind: PersistentVolumeClaim
          metadata:
            name: a
            annotations: { claimcheck.dev/ignore: "pvc-class-empty, pvc-unused" }
      #                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-suppression: Nothing here is reported by “pvc-unused”
          spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
        - apiVersion: v1
          kind: PersistentVolumeClaim
          metadata: { name: b }
          spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #                             ^^ pvc-class-empty
    `));

  test("another rule's finding stays, and the useless comment is told", () =>
    checkPredicted(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: "" # claimcheck-ignore pvc-no-candidate, no-such-rule
      #                   ^^ pvc-class-empty
      #                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-suppression: No rule has the id “no-such-rule”
      #                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-suppression: Nothing here is reported by “pvc-no-candidate”
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
    `));
});
