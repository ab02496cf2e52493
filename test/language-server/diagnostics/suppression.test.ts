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
  test("a comment at the end of the line", () =>
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

  test("a comment at the start, for the document", () =>
    checkPredicted(claim("# claimcheck-ignore pvc-class-empty: made by hand", "")));

  test("a comment after others at the start, with any line endings", () => {
    const head = "# Copyright\n      # claimcheck-ignore pvc-class-empty: made by hand";
    return checkPredicted(claim(head, "").replaceAll("\n", "\r\n"));
  });

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

  test("another rule's finding stays, and the useless comment is reported", () =>
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

const emptyClass = claim("", "").trimStart();

suite("useless suppressions", () => {
  const useless = "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-suppression: Nothing here is reported by";
  const namespace = (top: string, above: string, behind: string): string => `
      apiVersion: v1
      kind: List
      items:
        ${top}
        - apiVersion: v1
          kind: Namespace
          metadata:
            ${above}
            name: shop ${behind}
    `;

  test("at the end of a line", () =>
    checkPredicted(
      namespace("", "", `# claimcheck-ignore pv-released\n      #                ${useless}`),
    ));

  test("above a line", () =>
    checkPredicted(namespace("", `# claimcheck-ignore pv-released\n      #     ${useless}`, "")));

  test("a line below the finding is too far away", () =>
    checkPredicted(`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
      #                   ^^ pvc-class-empty
        accessModes: [ReadWriteOnce] # claimcheck-ignore pvc-class-empty
      #                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-suppression
        resources: { requests: { storage: 1Gi } }
    `));

  test("the rule that reports them can be switched off", () =>
    checkPredicted(`
      #- claimcheck.yaml
      rules: { unused-suppression: off }
      suppressions: [{ rule: pv-released }]
      #- all.yaml
      ${namespace("", "", "# claimcheck-ignore pv-released").trimStart()}`));
});

suite("findings that the project file accepts", () => {
  test("a rule is off in the whole project", () =>
    checkPredicted(`
      #- claimcheck.yaml
      rules: { pvc-class-empty: off }
      #- claim.yaml
      ${emptyClass}`));

  test("a rule's findings in some files", () =>
    checkPredicted(`
      #- claimcheck.yaml
      suppressions:
        - { rule: pvc-class-empty, files: legacy/**, reason: made by hand }
      #- legacy/old/claim.yaml
      ${emptyClass}
      #- claim.yaml
      ${claim("", "").replace("name: data", "name: other").trimStart().replace('storageClassName: "" ', 'storageClassName: ""\n      #                   ^^ pvc-class-empty')}`));

  test("a rule's findings in all files", () =>
    checkPredicted(`
      #- claimcheck.yaml
      suppressions: [{ rule: pvc-class-empty }]
      #- claim.yaml
      ${emptyClass}`));

  test("suppressions that accept nothing are reported at their line", () =>
    checkPredicted(`
      #- claimcheck.yaml
      suppressions:
        - { rule: pvc-class-empty, files: [legacy/**] }
      #           ^^^^^^^^^^^^^^^ unused-suppression: Nothing here is reported by “pvc-class-empty”
        - { rule: no-such-rule }
      #           ^^^^^^^^^^^^ unused-suppression: No rule has the id “no-such-rule”
      #- claim.yaml
      ${claim("", "").trimStart().replace('storageClassName: "" ', 'storageClassName: ""\n      #                   ^^ pvc-class-empty')}`));

  test("an invalid suppression is a mistake in the project file", () =>
    checkPredicted(`
      #- claimcheck.yaml
      suppressions:
        - { rules: pvc-unused }
      #   ^^^^^^^^^^^^^^^^^^^^^ project-file: Suppressions are a list of mappings
    `));
});
