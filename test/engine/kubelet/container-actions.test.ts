/** Which containers of a pod have to be started, depending on the state of the others. */
import assert from "node:assert/strict";
import type { Container, Pod } from "../../../src/engine/api/types.ts";
import { containersToStart } from "../../../src/engine/kubelet/container-actions.ts";
import type { ContainerRecord } from "../../../src/engine/node/container-runtime.ts";

const now = 1000;

type Life = "runs" | "done" | "failed";

const side = (name: string): Container => ({ name, image: "app", restartPolicy: "Always" });
const once = (name: string): Container => ({ name, image: "app" });

/** Returns the names of the containers to start; the pod's regular container is `app`. */
function due(
  initContainers: readonly Container[],
  lives: Readonly<Record<string, Life>>,
  restartPolicy = "Always",
  haveAnswered = true,
): readonly string[] {
  const metadata = { name: "p", namespace: "default", uid: "p" } as Pod["metadata"];
  const spec = { restartPolicy, initContainers, containers: [once("app")] };
  const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata, spec };
  const containers = Object.entries(lives).map(
    ([name, life]): ContainerRecord => ({
      name,
      image: "app",
      id: name,
      isInit: name !== "app",
      restartCount: 0,
      startedAt: 0,
      exitCode: life === "failed" ? 1 : 0,
      ...(life !== "runs" && { finishesAt: now - 1 }),
    }),
  );
  const sandbox = { uid: "p", namespace: "default", name: "p", ip: "", ready: true, containers };
  return containersToStart(pod, sandbox, now, () => haveAnswered).map(
    ({ container }) => container.name,
  );
}

suite("containers to start", () => {
  const sides = [side("a"), side("b")];

  test("are init containers one after the other; the one after a sidecar as soon as that runs", () => {
    assert.deepEqual(due(sides, {}), ["a"]);
    assert.deepEqual(due(sides, { a: "runs" }), ["b"]);
    assert.deepEqual(due(sides, { a: "runs", b: "runs" }), ["app"]);
    assert.deepEqual(due([once("a"), once("b")], { a: "done" }), ["b"]);
    assert.deepEqual(due([once("a"), once("b")], { a: "runs" }), []);
  });

  test("wait for a sidecar's startup probe if it has one", () => {
    const probed = [{ ...side("a"), startupProbe: { exec: { command: ["ls"] } } }, side("b")];
    assert.deepEqual(due(probed, { a: "runs" }, "Always", false), []);
    assert.deepEqual(due(probed, { a: "runs" }, "Always", true), ["b"]);
    assert.deepEqual(due(sides, { a: "runs" }, "Always", false), ["b"]);
    assert.deepEqual(due(probed, { a: "runs", app: "failed" }, "Always", false), []);
  });

  test("that have not started yet wait for the sidecar just before them to run again", () => {
    assert.deepEqual(due(sides, { a: "failed" }), ["a"]);
    assert.deepEqual(due(sides, { a: "runs", b: "failed" }), ["b"]);
    assert.deepEqual(due(sides, { a: "done", b: "failed" }, "Never"), ["a", "b"]);
  });

  test("do not wait for an earlier sidecar, which restarts at the same time", () => {
    assert.deepEqual(due(sides, { a: "failed", b: "runs" }), ["a", "app"]);
    assert.deepEqual(due([side("a"), once("b")], { a: "failed", b: "done" }), ["a", "app"]);
    assert.deepEqual(due([...sides, once("c")], { a: "failed", b: "runs" }), ["a", "c"]);
    assert.deepEqual(due([side("a"), once("b")], { a: "failed", b: "runs" }), ["a"]);
    assert.deepEqual(due([side("a"), once("b")], { a: "failed", b: "failed" }), ["a", "b"]);
  });

  test("are, while the regular containers run, only sidecars", () => {
    assert.deepEqual(due(sides, { a: "failed", b: "failed", app: "runs" }, "Never"), ["a", "b"]);
    assert.deepEqual(due([once("a"), side("b")], { b: "runs", app: "failed" }), ["app"]);
  });

  test("wait, once all regular containers have ended, only for the last sidecar to run again", () => {
    assert.deepEqual(due(sides, { a: "runs", b: "failed", app: "failed" }), ["b"]);
    assert.deepEqual(due(sides, { a: "failed", b: "runs", app: "failed" }), ["a", "app"]);
    const probed = [{ ...side("a"), startupProbe: { exec: { command: ["ls"] } } }];
    assert.deepEqual(due(probed, { a: "runs", app: "failed" }, "Always", false), []);
    assert.deepEqual(due(probed, { a: "runs", app: "failed" }, "Always", true), ["app"]);
  });

  test("include a failed init container if the pod's restart policy allows that", () => {
    assert.deepEqual(due([once("a")], { a: "failed" }), ["a"]);
    assert.deepEqual(due([once("a")], { a: "failed" }, "OnFailure"), ["a"]);
    assert.deepEqual(due([once("a")], { a: "failed" }, "Never"), []);
  });
});
