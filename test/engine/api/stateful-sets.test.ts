/** Validation of StatefulSets and ControllerRevisions, and of their updates. */
import assert from "node:assert/strict";
import { create, field, patchStored, refusal, replace } from "./answer.ts";

const template = (size: string, modes = "[ReadWriteOnce]"): string =>
  `{ metadata: { name: data }, spec: { accessModes: ${modes}, resources: { requests: { storage: ${size} } } } }`;

const set = (
  spec = "",
  more: { readonly labels?: string; readonly pod?: string; readonly claims?: string } = {},
): string => `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  selector: { matchLabels: { app: db } }
  serviceName: db
  template:
    metadata: { labels: ${more.labels ?? "{ app: db }"} }
    spec: { containers: [{ name: app, image: busybox }], ${more.pod ?? ""} }
  volumeClaimTemplates: [${more.claims ?? ""}]
  ${spec}`;

const asked = (...given: Parameters<typeof set>): string => refusal(create(set(...given)));

suite("A StatefulSet", () => {
  test("must not have negative numbers", () => {
    const negative = "Invalid value: -1: must be greater than or equal to 0";
    assert.equal(asked("replicas: -1"), `spec.replicas: ${negative}`);
    assert.equal(asked("minReadySeconds: -1"), `spec.minReadySeconds: ${negative}`);
    assert.equal(asked("ordinals: { start: -1 }"), `spec.ordinals.start: ${negative}`);
    assert.equal(
      asked("updateStrategy: { type: RollingUpdate, rollingUpdate: { partition: -1 } }"),
      `spec.updateStrategy.rollingUpdate.partition: ${negative}`,
    );
    assert.equal(asked("replicas: 0\n  minReadySeconds: 0"), "accepted");
  });

  test("has its template validated like a pod's, then its labels once more", () => {
    const fields = asked("", { labels: "{ app: db, tier: a b }", pod: "dnsPolicy: Some" })
      .split("\n")
      .map((line) => line.slice(0, line.indexOf(":")));
    assert.deepEqual(fields, [
      "spec.template.labels",
      "spec.template.spec.dnsPolicy",
      "spec.template.labels",
    ]);
  });

  test("has its pods' annotations validated twice", () => {
    const annotated = (annotation: string): string =>
      asked("", { labels: `{ app: db }, annotations: { ${annotation} }` });
    const complaint =
      'spec.template.annotations[kubernetes.io/config.mirror]: Invalid value: "a": must set spec.nodeName if mirror pod annotation is set';
    assert.equal(annotated("kubernetes.io/config.mirror: a"), `${complaint}\n${complaint}`);
    assert.equal(annotated("kubernetes.io/config.source: a"), "accepted");
  });

  test("must have known policies", () => {
    assert.equal(
      asked("podManagementPolicy: Some"),
      `spec.podManagementPolicy: Invalid value: "Some": must be 'OrderedReady' or 'Parallel'`,
    );
    assert.equal(
      asked("persistentVolumeClaimRetentionPolicy: { whenDeleted: Keep, whenScaled: Lose }"),
      [
        'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Keep": supported values: "Retain", "Delete"',
        'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Lose": supported values: "Retain", "Delete"',
      ].join("\n"),
    );
    assert.equal(
      asked("updateStrategy: { type: Some }"),
      `spec.updateStrategy: Invalid value: {"Type":"Some","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`,
    );
    assert.equal(
      asked("updateStrategy: { type: OnDelete, rollingUpdate: { partition: 1 } }"),
      `spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
    );
  });

  test("must select its template's pods, which are always restarted", () => {
    assert.equal(
      asked("", { labels: "{ app: other }" }),
      'spec.template.metadata.labels: Invalid value: {"app":"other"}: `selector` does not match template `labels`',
    );
    assert.equal(
      refusal(create(set().replace("{ matchLabels: { app: db } }", "{}"))),
      "spec.selector: Invalid value: {}: empty selector is invalid for statefulset",
    );
    assert.equal(
      asked("", { pod: "restartPolicy: Never" }),
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    );
    assert.equal(
      asked("", { pod: "activeDeadlineSeconds: 5" }),
      "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported",
    );
  });

  test("ignores hostname and subdomain in its template", () => {
    const named = set("", { pod: "hostname: A_B, subdomain: C_D" });
    assert.equal(refusal(create(named)), "accepted");
    assert.equal(refusal(replace(set(), named)), "accepted");
  });

  test("must have valid claim templates and a label as service name", () => {
    assert.equal(
      asked("", { claims: template("1Gi", "[]") }),
      "spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required",
    );
    assert.match(
      refusal(create(set().replace("serviceName: db", "serviceName: D_B"))),
      /^spec\.serviceName: Invalid value: "D_B": a lowercase RFC 1123 label must consist/,
    );
  });

  test("can change its replicas, template, update strategy and retention policies", () => {
    for (const spec of [
      "replicas: 3",
      "minReadySeconds: 3",
      "ordinals: { start: 3 }",
      "revisionHistoryLimit: 3",
      "updateStrategy: { type: OnDelete }",
      "persistentVolumeClaimRetentionPolicy: { whenDeleted: Delete, whenScaled: Delete }",
    ])
      assert.equal(refusal(replace(set(), set(spec))), "accepted", spec);
    const labelled = set("", { labels: "{ app: db, tier: back }" });
    assert.equal(refusal(replace(set(), labelled)), "accepted");
  });

  test("keeps maxUnavailable only if it was stored with it, and validates it", () => {
    // Upstream: dropStatefulSetDisabledFields, maxUnavailableInUse, validateRollingUpdateStatefulSet.
    const path = "spec.updateStrategy.rollingUpdate.maxUnavailable";
    const rolling = (fields: string): string => `updateStrategy: { rollingUpdate: { ${fields} } }`;
    const made = create(set(rolling("maxUnavailable: 0")));
    assert.deepEqual(field(made, "spec.updateStrategy.rollingUpdate"), { partition: 0 });
    const stored = set(rolling("maxUnavailable: 2")).replace("name: db", "name: db, namespace: x");
    const changed = (amount: string): ReturnType<typeof patchStored> =>
      patchStored(stored, `spec: { ${rolling(`maxUnavailable: ${amount}`)} }`);
    assert.equal(field(changed("30%"), path), "30%");
    assert.equal(field(changed("null"), path), undefined);
    assert.equal(refusal(changed("0%")), `${path}: Invalid value: "0%": cannot be 0`);
    assert.equal(
      refusal(changed("101%")),
      `${path}: Invalid value: "101%": must not be greater than 100%`,
    );
    assert.equal(
      refusal(changed("-1")),
      `${path}: Invalid value: -1: must be greater than or equal to 0`,
    );
    const without = set().replace("name: db", "name: db, namespace: x");
    const added = patchStored(without, `spec: { ${rolling("maxUnavailable: 0")} }`);
    assert.equal(field(added, path), undefined);
  });

  test("keeps its claim templates, service name and pod management policy", () => {
    const immutable =
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
    const change = (before: string, after: string): string => refusal(replace(before, after));
    const sized = (size: string): string => set("", { claims: template(size) });
    assert.equal(change(sized("1Gi"), sized("2Gi")), immutable);
    assert.equal(change(set(), sized("1Gi")), immutable);
    assert.equal(change(set(), set().replace("serviceName: db", "serviceName: other")), immutable);
    assert.equal(change(set(), set("podManagementPolicy: Parallel")), immutable);
    assert.equal(
      change(set(), set("replicas: -1")),
      "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
    );
  });
});

suite("A ControllerRevision", () => {
  const revision = (data: string, number = 1): string =>
    `{ apiVersion: apps/v1, kind: ControllerRevision, metadata: { name: r }, data: ${data}, revision: ${number} }`;

  test("must have a JSON object as data", () => {
    assert.equal(refusal(create(revision("{}"))), "accepted");
    assert.equal(refusal(create(revision("null"))), "data: Required value: data is mandatory");
    for (const other of ["true", "0.5", "[]", "text"])
      assert.equal(
        refusal(create(revision(other))),
        "data: Required value: data must be a valid JSON object",
        other,
      );
    assert.equal(
      refusal(create(revision("null", -1))),
      [
        "revision: Invalid value: -1: must be greater than or equal to 0",
        "data: Required value: data is mandatory",
      ].join("\n"),
    );
  });

  test("can change its number, but not its data", () => {
    const change = (after: string): string => refusal(replace(revision("{ a: b }"), after));
    assert.equal(change(revision("{ a: b }", 2)), "accepted");
    assert.equal(
      change(revision("{ a: c }")),
      'data: Invalid value: {"a":"c"}: field is immutable',
    );
    assert.equal(change(revision("null")), "data: Invalid value: null: field is immutable");
    assert.equal(
      change(revision("{ a: b }", -1)),
      "revision: Invalid value: -1: must be greater than or equal to 0",
    );
  });
});
