/** Containers that say themselves whether they are started again. */
import assert from "node:assert/strict";
import { check } from "../../support/check.ts";
import { play } from "../../support/play.ts";
import { testWithFaults as test } from "../../support/same-end.ts";
import { clusterOf } from "./node-fixture.ts";

const cluster = clusterOf([]);

function pod(spec: string, mark: string): string {
  return `
    kind: Pod
    metadata: { name: p }        #=> ${mark} node-a
    spec: { nodeName: node-a, ${spec} }`;
}

function container(name: string, code: number, policy = ""): string {
  const exit = `env: [{ name: FAKE_EXIT, value: "${code}@1" }]`;
  return `{ name: ${name}, image: app, ${policy}${exit} }`;
}

const never = "restartPolicy: Never, ";
const always = "restartPolicy: Always, ";

function onCodes(operator: string, ...codes: readonly number[]): string {
  const exitCodes = `{ operator: ${operator}, values: [${codes.join()}] }`;
  return `${never}restartPolicyRules: [{ action: Restart, exitCodes: ${exitCodes} }], `;
}

suite("kubelet: a container's own restart policy", () => {
  test("counts for more than its pod's", () => {
    check(pod(`containers: [${container("a", 1, never)}, ${container("b", 0, never)}]`, "Failed"), {
      cluster,
    });
    check(pod(`containers: [${container("a", 0, never)}]`, "Succeeded"), { cluster });
    check(pod(`${never}containers: [${container("a", 1, always)}]`, "Running"), { cluster });
    const onFailure = "restartPolicy: OnFailure, ";
    check(pod(`${never}containers: [${container("a", 1, onFailure)}]`, "Running"), { cluster });
    check(pod(`${never}containers: [${container("a", 0, onFailure)}]`, "Succeeded"), { cluster });
  });

  test("leaves the other containers to their pod's", () => {
    const spec = `containers: [${container("a", 1, never)}, ${container("b", 1)}]`;
    const played = play(pod(spec, "Running"), { cluster });
    const statuses = played.get("Pod", "p")?.status?.containerStatuses ?? [];
    const counts = statuses.map(({ restartCount }) => restartCount > 0);
    assert.deepEqual(counts, [false, true]);
  });

  test("comes after its rules about exit codes", () => {
    const one = (code: number, rule: string): string =>
      `containers: [${container("a", code, rule)}]`;
    check(pod(one(42, onCodes("In", 1, 42)), "Running"), { cluster });
    check(pod(one(2, onCodes("In", 1, 42)), "Failed"), { cluster });
    check(pod(one(2, onCodes("NotIn", 1, 42)), "Running"), { cluster });
    check(pod(one(42, onCodes("NotIn", 1, 42)), "Failed"), { cluster });
  });

  test("decides whether a failed init container is tried again", () => {
    const app = "containers: [{ name: app, image: app }]";
    const init = (policy: string): string => `initContainers: [${container("one", 1, policy)}]`;
    check(pod(`${init(never)}, ${app}`, "Failed"), { cluster });
    const retried = "restartPolicy: OnFailure, ";
    check(pod(`${never}${init(retried)}, ${app}`, "Pending"), { cluster });
  });
});
