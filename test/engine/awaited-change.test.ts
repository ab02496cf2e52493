/** A cluster is at rest once nothing changes any more and no further change is certain to come. */
import assert from "node:assert/strict";
import { type Played, play } from "../support/play.ts";
import { runs } from "../support/workloads.ts";
import { applied, clusterOf } from "./kubelet/node-fixture.ts";

function settled(manifest: string, within: number): Played {
  const steps = [...applied(manifest), { type: "settle", limitMs: within * 1000 } as const];
  return play("", { cluster: clusterOf([]), steps });
}

suite("a cluster at rest", () => {
  test("has waited for minReadySeconds of each StatefulSet pod, after which the next one is created", () => {
    const pods = (waitSeconds: number, within: number): number => {
      const spec = `{ serviceName: web, replicas: 3, minReadySeconds: ${waitSeconds}, ${runs("web")} }`;
      return settled(`{ kind: StatefulSet, metadata: { name: web }, spec: ${spec} }`, within).list(
        "Pod",
      ).length;
    };
    assert.deepEqual([pods(40, 200), pods(40, 60)], [3, 2]);
  });

  test("has waited for minReadySeconds of Deployments and DaemonSets too", () => {
    const spec = `{ minReadySeconds: 40, ${runs("web")} }`;
    const deployment = `{ kind: Deployment, metadata: { name: web }, spec: ${spec} }`;
    const set = `{ kind: DaemonSet, metadata: { name: web }, spec: ${spec} }`;
    assert.equal(settled(deployment, 75).get("Deployment", "web")?.status?.availableReplicas, 1);
    assert.equal(settled(set, 75).get("DaemonSet", "web")?.status?.numberAvailable, 1);
  });

  test("does not wait again once the pods have been ready for minReadySeconds", () => {
    const spec = `{ minReadySeconds: 40, ${runs("web")} }`;
    const settle = { type: "settle", limitMs: 200_000 } as const;
    const endAfter = (...steps: readonly (typeof settle)[]): number => {
      const deployment = `{ kind: Deployment, metadata: { name: web }, spec: ${spec} }`;
      const cluster = clusterOf([]);
      return play("", { cluster, steps: [...applied(deployment), ...steps] }).simulation.now;
    };
    assert.ok(endAfter(settle, settle) - endAfter(settle) < 40_000);
  });

  test("has waited for init containers that end by themselves within the limit", () => {
    const phase = (seconds: number, restartPolicy = ""): string | undefined => {
      const init = `{ name: first, image: app, command: [sleep, "${seconds}"], ${restartPolicy} }`;
      const spec = `{ nodeName: node-a, initContainers: [${init}], containers: [{ name: app, image: app }] }`;
      const played = settled(`{ kind: Pod, metadata: { name: p }, spec: ${spec} }`, 75);
      return `${played.get("Pod", "p")?.status?.phase} ${Math.round(played.simulation.now / 1000)} s`;
    };
    assert.equal(phase(40), "Running 79 s");
    assert.equal(phase(100), "Pending 38 s");
    assert.equal(phase(40, "restartPolicy: Always"), "Running 38 s");
    const main = "{ name: app, image: app, command: [sleep, '50'] }";
    const spec = `{ nodeName: node-a, initContainers: [{ name: first, image: app }], containers: [${main}] }`;
    const end = settled(`{ kind: Pod, metadata: { name: p }, spec: ${spec} }`, 75).simulation.now;
    assert.equal(Math.round(end / 1000), 39);
  });

  test("has waited for probes that run within the limit, once for those that cannot run", () => {
    const at = (port: string, seconds: number, within: number): string => {
      const probe = `readinessProbe: { tcpSocket: { port: ${port} }, initialDelaySeconds: ${seconds} }`;
      const spec = `{ nodeName: node-a, containers: [{ name: app, image: app, ${probe} }] }`;
      const played = settled(`{ kind: Pod, metadata: { name: p }, spec: ${spec} }`, within);
      const ready = played.get("Pod", "p")?.status?.containerStatuses?.[0]?.ready;
      const told = played.events("Unhealthy").length;
      return `${ready} ${told} ${Math.round(played.simulation.now / 1000)} s`;
    };
    assert.equal(at("80", 45, 200), "true 0 89 s");
    assert.equal(at("80", 150, 75), "false 0 38 s");
    assert.equal(at("http", 45, 200), "false 1 89 s");
    const probe = "readinessProbe: { tcpSocket: { port: 80 }, initialDelaySeconds: 100 }";
    const pod = `{ kind: Pod, metadata: { name: p }, spec: { nodeName: node-a, containers: [{ name: app, image: app, ${probe} }] } }`;
    const { simulation } = play("", {
      cluster: clusterOf([]),
      steps: [
        ...applied(pod),
        { type: "advance", ms: 20_000 },
        { type: "node", name: "node-a", kubelet: "down" },
        { type: "settle" },
      ],
    });
    assert.equal(Math.round(simulation.now / 1000), 58);
  });
});
