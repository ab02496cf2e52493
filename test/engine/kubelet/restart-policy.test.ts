/** Restart policies of single containers, and rules that restart all containers. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import type { PodCondition, PodStatus } from "../../../src/engine/api/types.ts";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";
import { check } from "../../support/check.ts";
import { type Played, play } from "../../support/play.ts";
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
  test("overrides the pod's", () => {
    check(pod(`containers: [${container("a", 1, never)}, ${container("b", 0, never)}]`, "Failed"), {
      cluster,
    });
    check(pod(`containers: [${container("a", 0, never)}]`, "Succeeded"), { cluster });
    check(pod(`${never}containers: [${container("a", 1, always)}]`, "Running"), { cluster });
    const onFailure = "restartPolicy: OnFailure, ";
    check(pod(`${never}containers: [${container("a", 1, onFailure)}]`, "Running"), { cluster });
    check(pod(`${never}containers: [${container("a", 0, onFailure)}]`, "Succeeded"), { cluster });
  });

  test("does not affect other containers", () => {
    const spec = `containers: [${container("a", 1, never)}, ${container("b", 1)}]`;
    const played = play(pod(spec, "Running"), { cluster });
    const statuses = played.get("Pod", "p")?.status?.containerStatuses ?? [];
    const counts = statuses.map(({ restartCount }) => restartCount > 0);
    assert.deepEqual(counts, [false, true]);
  });

  test("applies only if none of its rules about exit codes matches", () => {
    const one = (code: number, rule: string): string =>
      `containers: [${container("a", code, rule)}]`;
    check(pod(one(42, onCodes("In", 1, 42)), "Running"), { cluster });
    check(pod(one(2, onCodes("In", 1, 42)), "Failed"), { cluster });
    check(pod(one(2, onCodes("NotIn", 1, 42)), "Running"), { cluster });
    check(pod(one(42, onCodes("NotIn", 1, 42)), "Failed"), { cluster });
  });

  test("decides whether a failed init container is restarted", () => {
    const app = "containers: [{ name: app, image: app }]";
    const init = (policy: string): string => `initContainers: [${container("one", 1, policy)}]`;
    check(pod(`${init(never)}, ${app}`, "Failed"), { cluster });
    const retried = "restartPolicy: OnFailure, ";
    check(pod(`${never}${init(retried)}, ${app}`, "Pending"), { cluster });
  });
});

suite("kubelet: a rule that restarts all containers", () => {
  const rule =
    "restartPolicyRules: [{ action: RestartAllContainers, exitCodes: { operator: In, values: [42] } }], ";
  const started = (name: string): string => `{ name: ${name}, image: app }`;
  const ends = (name: string, atSecond: number): string =>
    `{ name: ${name}, image: app, ${never}${rule}env: [{ name: FAKE_EXIT, value: "42@${atSecond}" }] }`;
  const restarting = {
    exitCode: 137,
    reason: "RestartingAllContainers",
    message: "The container is removed because RestartAllContainers in place",
  };
  const spec = `${never}initContainers: [${container("first", 0)}], containers: [${ends("source", 100)}, ${started("other")}]`;
  const run = (version: KubernetesVersion, of = spec): Played =>
    play(`{kind: Pod, metadata: {name: p}, spec: {nodeName: node-a, ${of}}}`, {
      cluster,
      version,
      steps: [{ type: "advance", ms: 130_000 }],
    });
  const statusOf = (played: Played): PodStatus => played.get("Pod", "p")?.status ?? {};
  const condition = ({ conditions }: PodStatus, of: string): PodCondition | undefined => {
    const { lastTransitionTime: _, ...rest } = conditions?.find(({ type }) => type === of) ?? {};
    return rest as PodCondition;
  };

  test("kills running containers, and begins with the init containers again, without a back-off", () => {
    const played = run("1.36");
    const { initContainerStatuses = [], containerStatuses = [], phase } = statusOf(played);
    const all = [...initContainerStatuses, ...containerStatuses];
    assert.deepEqual(
      all.map(({ name, restartCount }) => [name, restartCount]),
      [
        ["first", 1],
        ["other", 1],
        ["source", 1],
      ],
    );
    assert.deepEqual(
      all.map(({ lastState }) => lastState?.terminated),
      [restarting, restarting, restarting],
    );
    assert.equal(phase, "Running");
    assert.deepEqual(played.events("Killing"), ["killing"]);
    assert.deepEqual(played.events("BackOff"), []);
    assert.deepEqual(condition(statusOf(played), "AllContainersRestarting"), {
      type: "AllContainersRestarting",
      status: "False",
    });
  });

  test("sets a condition, and makes the pod Pending while an init container runs again", () => {
    const written = run("1.36").simulation.trace.entries.flatMap((entry) =>
      entry.type === "write" && entry.after?.kind === "Pod"
        ? [(entry.after as KubeObject<"Pod">).status ?? {}]
        : [],
    );
    const during = written.filter(
      (status) => condition(status, "AllContainersRestarting")?.status === "True",
    );
    assert.equal(during.length, 1);
    const [status = {}] = during;
    assert.deepEqual(condition(status, "AllContainersRestarting"), {
      type: "AllContainersRestarting",
      status: "True",
      reason: "RestartAllContainersStarted",
      message: "container exited with restart policy rule",
    });
    const removed = written.flatMap(({ containerStatuses = [] }) =>
      containerStatuses.filter((c) => c.state?.waiting?.reason === "RestartingAllContainers"),
    );
    assert.ok(removed.length > 0);
    assert.ok(removed.every(({ restartCount }) => restartCount === 1));
    const phases = written.slice(written.indexOf(status)).map(({ phase }) => phase);
    assert.deepEqual(
      phases.filter((phase, i) => phase !== phases[i - 1]),
      ["Running", "Pending", "Running"],
    );
    assert.equal(condition(written.at(-2) ?? {}, "Initialized")?.status, "True");
  });

  test("does not apply once the pod has ended", () => {
    for (const [code, phase, reason] of [
      [0, "Succeeded", "PodCompleted"],
      [1, "Failed", "PodFailed"],
    ] as const) {
      const env = `env: [{ name: FAKE_EXIT, value: "${code}@50" }]`;
      const app = `{ name: app, image: app, ${never}${rule}${env} }`;
      const status = statusOf(run("1.36", `${never}containers: [${app}]`));
      assert.equal(status.phase, phase);
      assert.deepEqual(condition(status, "AllContainersRestarting"), {
        type: "AllContainersRestarting",
        status: "False",
        reason,
      });
    }
  });

  test("is refused by the API server of 1.35, which does not know the action", () => {
    assert.equal(run("1.35").get("Pod", "p"), undefined);
  });

  test("restarts the init containers if one of them has the rule", () => {
    const init = `initContainers: [${container("first", 0)}, ${ends("second", 100)}]`;
    const played = run("1.36", `${never}${init}, containers: [${started("app")}]`);
    const { initContainerStatuses = [], containerStatuses = [], phase } = statusOf(played);
    const counts = [...initContainerStatuses, ...containerStatuses].map((c) => c.restartCount);
    assert.deepEqual(counts, [1, 1, 0]);
    assert.equal(phase, "Pending");
  });
});
