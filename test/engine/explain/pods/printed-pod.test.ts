import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import { printedPod } from "../../../../src/engine/explain/pods/printed-pod.ts";

type Pod = KubeObject<"Pod">;

const container = (name: string, state: object, more: object = {}): object => ({
  name,
  image: "i",
  imageID: "",
  ready: false,
  restartCount: 0,
  state,
  ...more,
});
const running = (name: string, more: object = {}): object =>
  container(name, { running: {} }, { ready: true, ...more });

/** `READY STATUS RESTARTS` of a pod with two containers, an init container and a sidecar. */
function printed(status: object, metadata: object = {}): string {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "default", ...metadata },
    spec: {
      initContainers: [
        { name: "first", image: "i" },
        { name: "beside", image: "i", restartPolicy: "Always" },
      ],
      containers: [
        { name: "a", image: "i" },
        { name: "b", image: "i" },
      ],
    },
    status,
  } as unknown as Pod;
  const { ready, status: text, restartCount, lastRestart } = printedPod(pod);
  return [ready, text, restartCount, ...(lastRestart === undefined ? [] : [lastRestart])].join(" ");
}

const done = container("first", { terminated: { exitCode: 0, reason: "Completed" } });
const beside = running("beside", { started: true });
const initialized = { type: "Initialized", status: "True" };

suite("pods as kubectl prints them", () => {
  test("have their phase or their own reason as the status", () => {
    assert.equal(printed({ phase: "Pending" }), "0/3 Pending 0");
    assert.equal(printed({ phase: "Failed", reason: "Evicted" }), "0/3 Evicted 0");
    const gated = { type: "PodScheduled", status: "False", reason: "SchedulingGated" };
    assert.equal(printed({ phase: "Pending", conditions: [gated] }), "0/3 SchedulingGated 0");
  });

  test("have the state of their init containers as the status", () => {
    const told = (...initContainerStatuses: object[]): string =>
      printed({ phase: "Pending", initContainerStatuses });
    assert.equal(told(container("first", { running: {} })), "0/3 Init:0/2 0");
    assert.equal(
      told(container("first", { waiting: { reason: "PodInitializing" } })),
      "0/3 Init:0/2 0",
    );
    assert.equal(
      told(
        container(
          "first",
          { waiting: { reason: "CrashLoopBackOff" } },
          {
            restartCount: 2,
            lastState: { terminated: { exitCode: 1, finishedAt: "2026-01-01T00:01:00Z" } },
          },
        ),
      ),
      "0/3 Init:CrashLoopBackOff 2 2026-01-01T00:01:00Z",
    );
    assert.equal(
      told(container("first", { terminated: { exitCode: 3 } })),
      "0/3 Init:ExitCode:3 0",
    );
    assert.equal(told(done, container("beside", { running: {} })), "0/3 Init:1/2 0");
  });

  test("count sidecars and their restarts, but not those of finished init containers", () => {
    const first = { ...done, restartCount: 4 };
    const phase = "Running";
    const all = [first, { ...beside, restartCount: 1 }];
    assert.equal(
      printed({
        phase,
        initContainerStatuses: all,
        containerStatuses: [running("a", { restartCount: 2 }), running("b")],
      }),
      "3/3 Running 3",
    );
  });

  test("have the reason of the first container that waits or has ended as the status", () => {
    const told = (a: object, b: object, ready = "False"): string =>
      printed({
        phase: "Running",
        conditions: [initialized, { type: "Ready", status: ready }],
        initContainerStatuses: [done, beside],
        containerStatuses: [a, b],
      });
    const waiting = container("b", { waiting: { reason: "ImagePullBackOff" } });
    assert.equal(told(running("a"), waiting), "2/3 ImagePullBackOff 0");
    const killed = container("a", { terminated: { exitCode: 137, signal: 9 } });
    assert.equal(told(killed, waiting), "1/3 Signal:9 0");
    const completed = container("b", { terminated: { exitCode: 0, reason: "Completed" } });
    assert.equal(told(running("a"), completed), "2/3 NotReady 0");
    assert.equal(told(running("a"), completed, "True"), "2/3 Running 0");
  });

  test("are Terminating in deletion, but not once they have ended", () => {
    const deleted = { deletionTimestamp: "2026-01-01T00:00:00Z" };
    assert.equal(printed({ phase: "Running" }, deleted), "0/3 Terminating 0");
    assert.equal(printed({ phase: "Running", reason: "NodeLost" }, deleted), "0/3 Unknown 0");
    assert.equal(printed({ phase: "Succeeded" }, deleted), "0/3 Succeeded 0");
  });
});
