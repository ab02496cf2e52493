/** How a pod ends: what its status says while its containers stop, and who has to stop first. */
import assert from "node:assert/strict";
import type { Pod } from "../../../src/engine/api/types.ts";
import { type Played, play } from "../../support/play.ts";
import { testWithFaults as test } from "../../support/same-end.ts";
import { advance, clusterOf } from "./node-fixture.ts";

const cluster = clusterOf([]);
const slowStop = "lifecycle: { preStop: { sleep: { seconds: 6 } } }";

function pod(spec: string, mark: string): string {
  return `
    kind: Pod
    metadata: { name: p }        #=> ${mark}
    spec: { nodeName: node-a, ${spec} }`;
}

/** What was written of the pod, one after the other, each as often as it changed. */
function written(played: Played, of: (pod: Pod) => string | undefined): readonly string[] {
  const told = played.simulation.trace.entries.flatMap((e) =>
    e.type === "write" && e.after?.kind === "Pod" ? [of(e.after) ?? "-"] : [],
  );
  return told.filter((text, i) => text !== told[i - 1]);
}

function readyReason({ status }: Pod): string | undefined {
  return status?.conditions?.find((c) => c.type === "Ready")?.reason;
}

suite("kubelet: how a pod ends", () => {
  test("a pod has not ended before its containers have, though it is said to be no longer ready", () => {
    const played = play(
      pod(
        `activeDeadlineSeconds: 10, containers: [{ name: app, image: app, ${slowStop} }]`,
        "Failed node-a",
      ),
      { cluster, steps: [advance(30)] },
    );
    const ends = written(played, ({ status }) => {
      const [app] = status?.containerStatuses ?? [];
      return [status?.phase, status?.reason, ...Object.keys(app?.state ?? {})].join(" ");
    });
    assert.ok(!ends.some((end) => end.startsWith("Failed") && end.endsWith("running")), `${ends}`);
    assert.equal(ends.at(-1), "Failed DeadlineExceeded terminated");
    const notReady = (p: Pod): string => `${p.status?.phase} ${readyReason(p) ?? "ready"}`;
    assert.ok(written(played, notReady).includes("Running PodFailed"));
  });

  test("that the kubelet disrupts a pod is told with its end", () => {
    const played = play(
      pod(
        `containers: [{ name: app, image: app, ${slowStop}, command: [sh, -c, "dd if=/dev/zero of=/v/x bs=1M count=9; sleep infinity"], volumeMounts: [{ name: v, mountPath: /v }] }],
         volumes: [{ name: v, emptyDir: { sizeLimit: 1Mi } }]`,
        "Failed node-a",
      ),
      { cluster, steps: [advance(90)] },
    );
    const disrupted = written(played, ({ status }) => {
      const target = status?.conditions?.find((c) => c.type === "DisruptionTarget");
      return `${status?.phase} ${target?.reason ?? "-"}`;
    });
    assert.deepEqual(disrupted, ["Pending -", "Running -", "Failed TerminationByKubelet"]);
    const { entries } = played.simulation.trace;
    const evicted = entries.find((e) => e.type === "event" && e.reason === "Evicted");
    const ended = entries.find(
      (e) => e.type === "write" && e.after?.kind === "Pod" && e.after.status?.phase === "Failed",
    );
    // An evicted pod gets no more than a second.
    assert.equal(Math.floor(((ended?.at ?? 0) - (evicted?.at ?? 0)) / 1000), 1);
  });

  test("sidecars stop once the other containers have ended, and until then the pod runs", () => {
    const side = `initContainers: [{ name: side, image: app, restartPolicy: Always, ${slowStop} }]`;
    const played = play(
      pod(
        `restartPolicy: Never, ${side}, containers: [{ name: app, image: app, command: [sleep, "5"] }]`,
        "Succeeded node-a",
      ),
      { cluster, steps: [advance(30)] },
    );
    assert.deepEqual(played.events("Killing"), ["Stopping container side"]);
    const states = written(played, (p) => {
      const { initContainerStatuses: init = [], containerStatuses = [], phase } = p.status ?? {};
      const [side, app] = [...init, ...containerStatuses].map(
        ({ state }) => Object.keys(state ?? {})[0],
      );
      return `${phase} side ${side} app ${app} ${readyReason(p) ?? "ready"}`;
    });
    assert.deepEqual(states.slice(-4), [
      "Running side running app running ready",
      "Running side running app terminated ContainersNotReady",
      "Running side terminated app terminated PodCompleted",
      "Succeeded side terminated app terminated PodCompleted",
    ]);
  });

  test("a sidecar that crashes is started again for as long as another container runs", () => {
    const side =
      'initContainers: [{ name: side, image: app, restartPolicy: Always, env: [{ name: FAKE_EXIT, value: "1@3" }] }]';
    const played = play(
      pod(
        `restartPolicy: OnFailure, ${side}, containers: [{ name: app, image: app, command: [sleep, "20"] }]`,
        "Succeeded node-a",
      ),
      { cluster, steps: [advance(60)] },
    );
    assert.ok((played.get("Pod", "p")?.status?.initContainerStatuses?.[0]?.restartCount ?? 0) > 0);
  });
});
