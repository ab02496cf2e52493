/** Which containers of a pod are due, by what has become of those before them. */
import assert from "node:assert/strict";
import type { Container, Pod } from "../../../src/engine/api/types.ts";
import { containersToStart } from "../../../src/engine/kubelet/container-actions.ts";
import type { ContainerRecord } from "../../../src/engine/node/container-runtime.ts";

const now = 1000;

type Life = "runs" | "done" | "failed";

const side = (name: string): Container => ({ name, image: "app", restartPolicy: "Always" });
const once = (name: string): Container => ({ name, image: "app" });

/** The names of those that are due; the pod's own container is `app`. */
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

suite("containers that are due", () => {
  const sides = [side("a"), side("b")];

  test("one after the other, a sidecar's successor once it runs", () => {
    assert.deepEqual(due(sides, {}), ["a"]);
    assert.deepEqual(due(sides, { a: "runs" }), ["b"]);
    assert.deepEqual(due(sides, { a: "runs", b: "runs" }), ["app"]);
    assert.deepEqual(due([once("a"), once("b")], { a: "done" }), ["b"]);
    assert.deepEqual(due([once("a"), once("b")], { a: "runs" }), []);
  });

  test("or once it has answered its startup probe, if it has one", () => {
    const probed = [{ ...side("a"), startupProbe: { exec: { command: ["ls"] } } }, side("b")];
    assert.deepEqual(due(probed, { a: "runs" }, "Always", false), []);
    assert.deepEqual(due(probed, { a: "runs" }, "Always", true), ["b"]);
    assert.deepEqual(due(sides, { a: "runs" }, "Always", false), ["b"]);
    assert.deepEqual(due(probed, { a: "runs", app: "failed" }, "Always", false), []);
  });

  test("what has not begun yet waits for the sidecar before it to run again", () => {
    assert.deepEqual(due(sides, { a: "failed" }), ["a"]);
    assert.deepEqual(due(sides, { a: "runs", b: "failed" }), ["b"]);
    assert.deepEqual(due(sides, { a: "done", b: "failed" }, "Never"), ["a", "b"]);
  });

  test("but not for an earlier one, which starts again beside it", () => {
    assert.deepEqual(due(sides, { a: "failed", b: "runs" }), ["a", "app"]);
    assert.deepEqual(due([side("a"), once("b")], { a: "failed", b: "done" }), ["a", "app"]);
    assert.deepEqual(due([...sides, once("c")], { a: "failed", b: "runs" }), ["a", "c"]);
    assert.deepEqual(due([side("a"), once("b")], { a: "failed", b: "runs" }), ["a"]);
    assert.deepEqual(due([side("a"), once("b")], { a: "failed", b: "failed" }), ["a", "b"]);
  });

  test("while the pod's containers run only sidecars start again beside them", () => {
    assert.deepEqual(due(sides, { a: "failed", b: "failed", app: "runs" }, "Never"), ["a", "b"]);
    assert.deepEqual(due([once("a"), side("b")], { b: "runs", app: "failed" }), ["app"]);
  });

  test("once they have all ended they wait for the last sidecar, and for no other, to run again", () => {
    assert.deepEqual(due(sides, { a: "runs", b: "failed", app: "failed" }), ["b"]);
    assert.deepEqual(due(sides, { a: "failed", b: "runs", app: "failed" }), ["a", "app"]);
    const probed = [{ ...side("a"), startupProbe: { exec: { command: ["ls"] } } }];
    assert.deepEqual(due(probed, { a: "runs", app: "failed" }, "Always", false), []);
    assert.deepEqual(due(probed, { a: "runs", app: "failed" }, "Always", true), ["app"]);
  });

  test("an init container that has failed is tried again as the pod's policy says", () => {
    assert.deepEqual(due([once("a")], { a: "failed" }), ["a"]);
    assert.deepEqual(due([once("a")], { a: "failed" }, "OnFailure"), ["a"]);
    assert.deepEqual(due([once("a")], { a: "failed" }, "Never"), []);
  });
});
