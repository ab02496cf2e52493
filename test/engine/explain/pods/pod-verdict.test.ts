import assert from "node:assert/strict";
import { dueText, type Verdict } from "../../../../src/engine/explain/verdict.ts";
import { verdicts } from "../../../../src/engine/explain/verdicts.ts";
import type { ClusterProfile, Step } from "../../../../src/engine/scenario.ts";
import { play } from "../../../support/play.ts";
import {
  advance,
  applied,
  boundClaim,
  clusterOf,
  deletePods,
  fault,
  nodeA,
  podWithClaim,
} from "../../kubelet/node-fixture.ts";

function podVerdict(...steps: readonly Step[]): Verdict | undefined {
  return podVerdictIn(clusterOf(), ...steps);
}

function podVerdictIn(
  cluster: Partial<ClusterProfile>,
  ...steps: readonly Step[]
): Verdict | undefined {
  const { simulation } = play("", { cluster, steps });
  return verdicts(simulation.trace).find((v) => v.ref === "Pod/default/p");
}

const pod = applied(boundClaim(), podWithClaim("p"));

suite("verdict on a pod", () => {
  test("names a volume that cannot be unmounted and keeps a deleted pod, though no event does", () => {
    const verdict = podVerdict(
      fault("NodeUnpublishVolume", "Internal"),
      ...pod,
      advance(10),
      deletePods("p"),
      advance(10),
    );
    assert.equal(verdict?.kind, "fails");
    assert.equal(verdict?.headline, "stays Terminating: a volume cannot be unmounted");
    assert.match(verdict?.message ?? "", /NodeUnpublishVolume refused$/);
    assert.deepEqual(verdict?.chain[1], { ref: "PersistentVolume//pv", text: "is still mounted" });
  });

  test("blames the field of an invalid image name, and says what is wrong with it", () => {
    const spec = "{ nodeName: node-a, containers: [{ name: main, image: App }] }";
    const verdict = podVerdict(
      ...applied(`{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: ${spec} }`),
      advance(30),
    );
    assert.deepEqual(verdict?.root, { ref: "Pod/default/p", field: "spec.containers[0].image" });
    assert.equal(verdict?.headline, 'does not start on node-a: container "main" cannot start');
    assert.match(verdict?.message ?? "", /repository name \(library\/App\) must be lowercase$/);
  });

  test("blames an unreadable preference, which keeps a pod from nodes that it could choose among", () => {
    const verdict = podVerdictIn(
      clusterOf([], [nodeA, { ...nodeA, name: "node-b" }]),
      ...applied(`
        kind: Pod
        metadata: { name: p }
        spec:
          containers: [{ name: main, image: app }]
          affinity:
            nodeAffinity:
              preferredDuringSchedulingIgnoredDuringExecution:
                - weight: 1
                  preference: { matchExpressions: [{ key: cpus, operator: Gt, values: [many] }] }
      `),
      advance(10),
    );
    assert.equal(
      verdict?.headline,
      "stays Pending: a preference of its node affinity cannot be read",
    );
    assert.equal(
      verdict?.root?.field,
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution",
    );
  });

  test("lets a pod wait for a slow attach", () => {
    const slow: Step = {
      type: "fault",
      fault: { driver: "block.csi.test", call: "ControllerPublishVolume", delayMs: 12_000 },
    };
    const verdict = podVerdict(slow, ...pod, advance(8));
    assert.equal(verdict?.headline, "waits on node-a for a volume to be attached");
  });

  test("says that a pod that tolerates its node's taint for a time is evicted after it, unless the taint is removed", () => {
    const bearing = applied(`
      kind: Pod
      metadata: { name: p }
      spec:
        containers: [{ name: c, image: app }]
        tolerations: [{ key: upkeep, operator: Exists, effect: NoExecute, tolerationSeconds: 600 }]`);
    const taint = (taints: readonly Readonly<Record<string, string>>[]): Step => ({
      type: "patch",
      object: { kind: "Node", name: "node-a" },
      patch: { spec: { taints } },
    });
    const tainted = [...bearing, advance(10), taint([{ key: "upkeep", effect: "NoExecute" }])];
    const evicted = podVerdict(...tainted, advance(100));
    assert.equal(evicted?.kind, "will-happen");
    assert.equal(evicted?.headline, "runs on node-a and is evicted for a taint of the node");
    assert.equal(Math.round((evicted?.withinMs ?? 0) / 1000), 500);
    assert.equal(podVerdict(...tainted, advance(100), taint([]), advance(10))?.kind, "healthy");
    assert.equal(podVerdict(...tainted, advance(700))?.kind, undefined);
  });

  const verdictOf = (spec: string, seconds = 30): Verdict | undefined =>
    podVerdict(
      ...applied(`
        kind: Pod
        metadata: { name: p }
        spec: ${spec}`),
      advance(seconds),
    );

  test("blames the limit on storage that an evicted pod exceeded", () => {
    const rootOf = (file: string, limits: string, sizeLimit: string): string | undefined => {
      const command = `[sh, -c, "dd if=/dev/zero of=${file} bs=1M count=9; sleep infinity"]`;
      const app = `{ name: app, image: app, command: ${command}, resources: { limits: ${limits} }, volumeMounts: [{ name: v, mountPath: /v }] }`;
      const volumes = `[{ name: other, emptyDir: {} }, { name: v, emptyDir: ${sizeLimit} }]`;
      const spec = `{ nodeName: node-a, containers: [{ name: side, image: app }, ${app}], volumes: ${volumes} }`;
      const verdict = verdictOf(spec, 90);
      assert.equal(verdict?.headline, "has failed: Evicted");
      assert.equal(
        verdict?.fixes[0]?.text,
        `raise ${verdict?.root?.field}, or write less, or to a claim`,
      );
      return verdict?.root?.field;
    };
    const limit = "spec.containers[1].resources.limits[ephemeral-storage]";
    assert.equal(rootOf("/v/x", "{}", "{ sizeLimit: 1Mi }"), "spec.volumes[1].emptyDir.sizeLimit");
    assert.equal(rootOf("/v/x", "{ ephemeral-storage: 2Mi }", "{}"), limit);
    assert.equal(rootOf("/x", "{ ephemeral-storage: 2Mi }", "{ sizeLimit: 1Mi }"), limit);
  });
  const headlineOf = (spec: string): string | undefined => verdictOf(spec)?.headline;
  const ends = (name: string, code: number, more = ""): string =>
    `{ name: ${name}, image: app, env: [{ name: FAKE_EXIT, value: "${code}@1" }]${more} }`;
  const main = "{ name: main, image: app }";

  test("names a container that keeps ending, with its last exit code", () => {
    assert.equal(
      headlineOf(`{ initContainers: [${ends("schema", 3)}], containers: [${main}] }`),
      'does not start on node-a: init container "schema" keeps exiting with exit code 3',
    );
    const sidecar = ends("proxy", 1, ", restartPolicy: Always");
    assert.equal(
      headlineOf(`{ initContainers: [${sidecar}], containers: [${main}] }`),
      'is not ready on node-a: sidecar "proxy" keeps exiting with exit code 1',
    );
  });

  test("does not say that a pod is starting if a container has ended for good", () => {
    const never = (code: number): string =>
      `{ restartPolicy: Never, containers: [${main}, ${ends("side", code)}] }`;
    assert.equal(
      headlineOf(never(3)),
      'is not ready on node-a: container "side" has ended with exit code 3 and is not started again',
    );
    assert.equal(
      headlineOf(never(0)),
      'runs on node-a, where container "side" has ended with exit code 0',
    );
  });

  test("names the container that failed in a failed pod", () => {
    assert.equal(
      headlineOf(`{ restartPolicy: Never, containers: [${ends("main", 7)}] }`),
      'has failed: container "main" ended with exit code 7',
    );
  });

  test("points at the container that does not run", () => {
    const field = (spec: string): string | undefined => verdictOf(spec)?.root?.field;
    assert.equal(
      field(`{ initContainers: [${ends("a", 0)}, ${ends("b", 1)}], containers: [${main}] }`),
      "spec.initContainers[1]",
    );
    assert.equal(
      field(`{ restartPolicy: Never, containers: [${main}, ${ends("side", 3)}] }`),
      "spec.containers[1]",
    );
    assert.equal(
      field(`{ restartPolicy: Never, containers: [${ends("main", 7)}] }`),
      "spec.containers[0]",
    );
  });

  test("names the deadline's field for a pod whose time is up", () => {
    const verdict = verdictOf(`{ activeDeadlineSeconds: 5, containers: [${main}] }`);
    assert.equal(verdict?.headline, "has failed: DeadlineExceeded");
    assert.equal(verdict?.root?.field, "spec.activeDeadlineSeconds");
    assert.equal(verdict?.fixes[0]?.text, "raise spec.activeDeadlineSeconds, or leave it out");
  });

  test("says that a pod was evicted, though its phase is Succeeded", () => {
    const mount = "volumeMounts: [{ name: v, mountPath: /v }]";
    const writer = `{ name: writer, image: app, command: [dd, if=/dev/zero, of=/v/x, bs=1M, count=9], ${mount} }`;
    const volume = "{ name: v, emptyDir: { sizeLimit: 1Mi } }";
    const verdict = verdictOf(
      `{ restartPolicy: Never, containers: [${writer}, ${main}], volumes: [${volume}] }`,
      90,
    );
    assert.equal(verdict?.kind, "fails");
    assert.equal(
      verdict?.headline,
      "was evicted, and has succeeded only because its containers exited with 0",
    );
    assert.equal(verdict?.message, 'Usage of EmptyDir volume "v" exceeds the limit "1Mi". ');
  });

  const probed = (container: string, ...steps: readonly Step[]): Verdict | undefined => {
    const spec = `{ nodeName: node-a, containers: [{ name: app, image: app, ${container} }] }`;
    return podVerdict(...applied(`{ kind: Pod, metadata: { name: p }, spec: ${spec} }`), ...steps);
  };

  test("says how long a pod waits for its probes, and for which", () => {
    const readiness = "readinessProbe: { exec: { command: [ls] }, initialDelaySeconds: 60 }";
    const startup = "startupProbe: { exec: { command: [ls] }, periodSeconds: 20 }";
    const waits = probed(`${startup}, ${readiness}`, advance(10));
    assert.equal(waits?.kind, "will-happen");
    assert.equal(waits.headline, "runs on node-a and is not ready yet");
    assert.equal(
      waits.message,
      'container "app" must pass its startup probe (every 20 s) and its readiness probe (every 10 s from 60 s after the container\'s start); probes are assumed to succeed',
    );
    assert.equal(dueText(waits), "within 1 min");
    assert.equal(probed(readiness, advance(80))?.headline, "runs on node-a");
  });

  test("blames a probe of a port that the container does not have", () => {
    const asks = (ports: string, probe = "readiness"): Verdict | undefined =>
      probed(`ports: [${ports}], ${probe}Probe: { httpGet: { port: http } }`, advance(20));
    const lines = (verdict: Verdict | undefined): readonly string[] =>
      (verdict?.fixes ?? []).map(({ text, at, value }) => `${text}: ${at?.field} ${value ?? ""}`);
    const one = asks("{ containerPort: 80 }");
    assert.equal(one?.kind, "fails");
    assert.equal(
      one.headline,
      'is not ready on node-a: container "app" has no port "http", which its readiness probe asks',
    );
    const field = "spec.containers[0].readinessProbe.httpGet.port";
    assert.deepEqual(one.root, { ref: "Pod/default/p", field });
    assert.deepEqual(lines(one), [
      'name port 80 "http": spec.containers[0].ports[0].name http',
      `ask port 80: ${field} 80`,
    ]);
    assert.deepEqual(lines(asks("{ containerPort: 80, name: web }")), [
      `ask port web: ${field} web`,
    ]);
    assert.deepEqual(lines(asks("{ containerPort: 80, name: web }, { containerPort: 81 }")), [
      `ask one of the container's ports: web, 81: ${field} `,
    ]);
    assert.deepEqual(lines(asks("")), [
      `ask the port by its number, or add a port that is named "http": ${field} `,
    ]);
    assert.match(asks("", "startup")?.headline ?? "", /"http", which its startup probe asks$/);
    assert.equal(asks("", "liveness")?.kind, "healthy");
  });
});
