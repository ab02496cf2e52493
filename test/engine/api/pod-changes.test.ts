/** Which updates of pods are accepted. */
import assert from "node:assert/strict";
import { create, patch, patchStored, refusal } from "./answer.ts";

const pod = (spec = ""): string => `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: app, image: busybox }], ${spec} }`;

/** The first error of such a patch of a pod's spec. */
const change = (before: string, spec: string): string =>
  refusal(patch(before, `spec: { ${spec} }`)).split("\n")[0] ?? "";

suite("Updates of a pod", () => {
  test("can change the images of its containers, but nothing else about them", () => {
    const containers = (list: string): string => change(pod(), `containers: [${list}]`);
    assert.equal(containers("{ name: app, image: other, imagePullPolicy: Always }"), "accepted");
    assert.equal(
      containers("{ name: app, image: busybox }, { name: b, image: busybox }"),
      "spec.containers: Forbidden: pod updates may not add or remove containers",
    );
    assert.match(
      containers("{ name: app, image: busybox, command: [sh] }"),
      /^spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`/,
    );
  });

  test("can set a deadline or bring it forward", () => {
    const path = "spec.activeDeadlineSeconds: Invalid value";
    const ending = pod("activeDeadlineSeconds: 5");
    assert.equal(change(pod(), "activeDeadlineSeconds: 5"), "accepted");
    assert.equal(change(ending, "activeDeadlineSeconds: 4"), "accepted");
    assert.equal(
      change(ending, "activeDeadlineSeconds: 6"),
      `${path}: 6: must be less than or equal to previous value`,
    );
    assert.equal(
      change(ending, "activeDeadlineSeconds: null"),
      `${path}: null: must not update from a positive integer to nil value`,
    );
  });

  test("can add tolerations and change their tolerationSeconds", () => {
    const bearing = (...times: readonly string[]): string => {
      const own = times.map((time) => `{ key: a, operator: Exists, effect: NoExecute${time} }`);
      const added = ["not-ready", "unreachable"].map(
        (state) =>
          `{ key: node.kubernetes.io/${state}, operator: Exists, effect: NoExecute, tolerationSeconds: 300 }`,
      );
      return `tolerations: [${[...own, ...added].join(", ")}]`;
    };
    assert.equal(change(pod(), bearing("")), "accepted");
    assert.equal(change(pod(bearing("")), bearing(", tolerationSeconds: 5")), "accepted");
    assert.equal(
      change(pod(bearing("")), bearing()),
      "spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds",
    );
  });

  test("can remove scheduling gates, but not add any", () => {
    const gated = (...names: readonly string[]): string =>
      `schedulingGates: [${names.map((name) => `{ name: ${name} }`).join(", ")}]`;
    assert.equal(change(pod(gated("a", "b")), gated("b")), "accepted");
    assert.equal(change(pod(gated("a")), "schedulingGates: null"), "accepted");
    assert.match(
      change(pod(gated("a")), gated("a", "b")),
      /^spec\.schedulingGates\[1\].*: Forbidden: only deletion is allowed, but found new scheduling gate 'b'$/,
    );
    const once = refusal(patchStored(pod(gated("a")), `spec: { ${gated("b", "b", "a")} }`));
    assert.match(once, /spec\.schedulingGates\[1\]\.name: Forbidden/);
    assert.doesNotMatch(once, /spec\.schedulingGates\[0\]\.name: Forbidden/);
  });

  test("cannot change ephemeral containers, which cannot be created either", () => {
    const looking = "ephemeralContainers: [{ name: dbg, image: b, targetContainerName: app }]";
    assert.equal(refusal(patchStored(pod(looking), "metadata: { labels: { a: b } }")), "accepted");
    const made = (container: string): string =>
      refusal(create(pod(`ephemeralContainers: [${container}]`)));
    const onCreate = "spec.ephemeralContainers: Forbidden: cannot be set on create";
    const path = "spec.ephemeralContainers[0]";
    assert.equal(made("{ name: dbg, image: b, resources: {} }"), onCreate);
    assert.equal(
      made(
        `{ name: app, image: " b", targetContainerName: x, ports: [], lifecycle: {}, resources: { limits: {} } }`,
      ),
      [
        `${path}.image: Invalid value: " b": must not have leading or trailing whitespace`,
        `${path}.name: Duplicate value: "app"`,
        `${path}.targetContainerName: Not found: "x"`,
        `${path}.ports: Forbidden: cannot be set for an Ephemeral Container`,
        `${path}.resources: Forbidden: cannot be set for an Ephemeral Container`,
        `${path}.lifecycle: Forbidden: cannot be set for an Ephemeral Container`,
        onCreate,
      ].join("\n"),
    );
    assert.equal(
      made("{ name: dbg, image: b, volumeMounts: [{ name: v, mountPath: /v, subPath: s }] }"),
      [
        `${path}.volumeMounts[0].name: Not found: "v"`,
        `${path}.volumeMounts[0].subPath: Forbidden: cannot be set for an Ephemeral Container`,
        onCreate,
      ].join("\n"),
    );
  });

  test("cannot change volumes", () => {
    assert.match(
      change(pod(), "volumes: [{ name: data, emptyDir: {} }]"),
      /^spec: Forbidden: pod updates may not change fields other than/,
    );
  });
});
