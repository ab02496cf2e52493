/** What a pod's status says, and what becomes of status fields that others write. */
import assert from "node:assert/strict";
import type { Json } from "../../../src/engine/api/json.ts";
import type { ContainerStatus, PodStatus } from "../../../src/engine/api/types.ts";
import { hasStaleReadiness } from "../../../src/engine/kubelet/pod-conditions.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { type Played, play } from "../../support/play.ts";
import { testWithFaults as test } from "../../support/same-end.ts";
import { advance, clusterOf, deletePods, settle } from "./node-fixture.ts";

const cluster = clusterOf([]);

function pod(spec: string, mark = "Running node-a"): string {
  return `
    kind: Pod
    metadata: { name: p }        #=> ${mark}
    spec: { nodeName: node-a, ${spec} }`;
}

const app = "containers: [{ name: app, image: app }]";

function saying(status: Json): Step {
  const object = { kind: "Pod", name: "p" } as const;
  return { type: "patch", object, patch: { status }, subresource: "status" };
}

function statusOf(played: Played): PodStatus {
  return played.get("Pod", "p")?.status ?? assert.fail("no pod");
}

/** Returns the successive statuses of the pod. */
function written(played: Played): readonly PodStatus[] {
  return played.simulation.trace.entries.flatMap((e) =>
    e.type === "write" && e.after?.kind === "Pod" && e.after.status !== undefined
      ? [e.after.status]
      : [],
  );
}

function container(played: Played, name = "app"): ContainerStatus {
  const { containerStatuses = [], initContainerStatuses = [] } = statusOf(played);
  const all = [...initContainerStatuses, ...containerStatuses];
  return all.find((c) => c.name === name) ?? assert.fail(name);
}

suite("kubelet: a pod status that others change", () => {
  test("is corrected within ten seconds", () => {
    const wrong = saying({ phase: "Pending", message: "who knows" });
    const after = (seconds: number): string => {
      const { phase, message } = statusOf(
        play(pod(app, seconds < 10 ? "Pending node-a" : undefined), {
          cluster,
          steps: [wrong, advance(seconds)],
        }),
      );
      return `${phase} ${message}`;
    };
    assert.equal(after(9), "Pending who knows");
    assert.equal(after(11), "Running undefined");
  });

  test("keeps conditions of others, and gets the kubelet's own back", () => {
    const { conditions: own = [] } = statusOf(play(pod(app), { cluster }));
    const seen = { type: "example.com/seen", status: "True" };
    const conditionsAfter = (...said: readonly object[]): readonly string[] => {
      const steps = [saying({ conditions: said as Json }), advance(30)];
      const { conditions = [] } = statusOf(play(pod(app), { cluster, steps }));
      return conditions.map(({ type }) => type);
    };
    const types = own.map(({ type }) => type);
    assert.deepEqual(conditionsAfter(...own, seen), [...types, seen.type]);
    assert.deepEqual(conditionsAfter(seen), [seen.type, ...types]);
  });

  test("keeps another's reason if the kubelet processes the pod before it corrects the status", () => {
    const patch = { metadata: { labels: { seen: "yes" } } };
    const touch: Step = { type: "patch", object: { kind: "Pod", name: "p" }, patch };
    const steps = [saying({ reason: "Odd" }), touch, advance(30)];
    assert.equal(statusOf(play(pod(app), { cluster, steps })).reason, "Odd");
  });

  test("keeps phase and another's reason while the pod's containers stop", () => {
    const slow = `activeDeadlineSeconds: 20, containers: [{ name: app, image: app, lifecycle: { preStop: { sleep: { seconds: 8 } } } }]`;
    const played = play(pod(slow, "Failed node-a"), {
      cluster,
      steps: [advance(1), saying({ reason: "Odd", message: "not the kubelet's" }), advance(60)],
    });
    const ending = written(played).filter(({ conditions = [] }) =>
      conditions.some((c) => c.reason === "PodFailed"),
    );
    assert.equal(ending[0]?.phase, "Running");
    assert.deepEqual([ending[0]?.reason, ending[0]?.message], ["Odd", "not the kubelet's"]);
    assert.equal(statusOf(played).reason, "DeadlineExceeded");
  });

  test("is corrected even after the pod has ended, and the pod can be deleted", () => {
    const once = `restartPolicy: Never, containers: [{ name: app, image: app, env: [{ name: FAKE_EXIT, value: "0@5" }] }]`;
    const ended = [advance(20), saying({ phase: "Running" })];
    const played = play(pod(once, "Succeeded node-a"), { cluster, steps: [...ended, advance(15)] });
    assert.equal(statusOf(played).phase, "Succeeded");
    play(pod(once, "gone"), { cluster, steps: [...ended, deletePods("p"), advance(15)] });
  });
});

suite("kubelet: container statuses", () => {
  test("are sorted by name, those of init containers are in the pod's order", () => {
    const two = (names: readonly string[]): string =>
      names.map((name) => `{ name: ${name}, image: app }`).join(", ");
    const spec = `initContainers: [${two(["z", "y"])}], containers: [${two(["web", "app", "log"])}]`;
    const { initContainerStatuses = [], containerStatuses = [] } = statusOf(
      play(pod(spec), { cluster }),
    );
    assert.deepEqual(
      initContainerStatuses.map(({ name }) => name),
      ["z", "y"],
    );
    assert.deepEqual(
      containerStatuses.map(({ name }) => name),
      ["app", "log", "web"],
    );
  });

  const waitingReason = (status: PodStatus | undefined): string | undefined =>
    status?.containerStatuses?.[0]?.state?.waiting?.reason;

  test("list a container's mounts, started or not, and whether they are recursively read-only", () => {
    const mounts = (extra: string): unknown => {
      const mount = `volumeMounts: [{ name: v, mountPath: /v${extra} }]`;
      const spec = `containers: [{ name: app, image: app, ${mount} }], volumes: [{ name: v, emptyDir: {} }]`;
      const told = written(play(pod(spec), { cluster })).flatMap(({ containerStatuses = [] }) =>
        containerStatuses.map(({ volumeMounts }) => volumeMounts),
      );
      assert.deepEqual(told[0], told.at(-1));
      return told[0];
    };
    const writable = { mountPath: "/v", name: "v" };
    const recursive = (recursiveReadOnly: string) => ({
      ...writable,
      readOnly: true,
      recursiveReadOnly,
    });
    assert.deepEqual(mounts(""), [writable]);
    assert.deepEqual(mounts(", readOnly: true"), [recursive("Disabled")]);
    assert.deepEqual(mounts(", readOnly: true, recursiveReadOnly: IfPossible"), [
      recursive("Enabled"),
    ]);
    assert.equal(container(play(pod(app), { cluster })).volumeMounts, undefined);
  });

  test("that are not ready are named in the pod's order, and that message is not stale", () => {
    const lacking = "env: [{ name: A, valueFrom: { configMapKeyRef: { name: none, key: a } } }]";
    const spec = `readinessGates: [{ conditionType: example.com/open }], containers: [{ name: web, image: app, ${lacking} }, { name: app, image: app, ${lacking} }]`;
    const played = play(pod(spec, "Pending node-a"), { cluster });
    const ready = statusOf(played).conditions?.find((c) => c.type === "Ready");
    assert.equal(ready?.message, "containers with unready status: [web app]");
    const found = played.get("Pod", "p");
    assert.equal(found && hasStaleReadiness(found), false);
  });

  test("say PodInitializing if the pod has init containers, otherwise ContainerCreating", () => {
    const first = (spec: string): PodStatus | undefined =>
      written(play(pod(spec), { cluster })).find((s) => s.containerStatuses !== undefined);
    assert.equal(waitingReason(first(app)), "ContainerCreating");
    assert.equal(first(app)?.initContainerStatuses, undefined);
    const withInit = first(
      `initContainers: [{ name: one, image: app, command: ["true"] }], ${app}`,
    );
    assert.equal(waitingReason(withInit), "PodInitializing");
  });

  test("have the IDs of image and container once the container runs", () => {
    const played = play(pod(app), { cluster });
    const [before] =
      written(played).find((s) => s.containerStatuses !== undefined)?.containerStatuses ?? [];
    const { imageID, containerID, restartCount } = before ?? {};
    assert.deepEqual([imageID, containerID, restartCount], ["", undefined, 0]);
    const after = container(played);
    assert.notEqual(after.imageID, "");
    assert.match(after.containerID ?? "", /^containerd:\/\/./);
    assert.deepEqual([after.ready, after.started, after.restartCount], [true, true, 0]);
  });

  test("of an ended container have exit reason and times, and are not ready", () => {
    const exits = (code: number): ContainerStatus => {
      const env = `env: [{ name: FAKE_EXIT, value: "${code}@5" }]`;
      const played = play(
        pod(
          `restartPolicy: Never, containers: [{ name: app, image: app, ${env} }]`,
          `${code === 0 ? "Succeeded" : "Failed"} node-a`,
        ),
        { cluster, steps: [advance(20), settle] },
      );
      return container(played);
    };
    const { state, ready } = exits(0);
    assert.deepEqual([state?.terminated?.reason, ready], ["Completed", false]);
    const { startedAt = "", finishedAt = "" } = state?.terminated ?? {};
    assert.equal(Date.parse(finishedAt) - Date.parse(startedAt), 5000);
    assert.deepEqual(exits(3).state?.terminated?.reason, "Error");
  });

  test("of an init container are ready once it has succeeded, of a sidecar while it runs", () => {
    const played = play(
      pod(
        `initContainers: [{ name: one, image: app, command: [sleep, "3"] }, { name: side, image: app, restartPolicy: Always }], ${app}`,
      ),
      { cluster },
    );
    const told = ["one", "side"].map((name) => {
      const { ready, started } = container(played, name);
      return [ready, started];
    });
    assert.deepEqual(told, [
      [true, false],
      [true, true],
    ]);
    const whileItRuns = written(played).flatMap(({ initContainerStatuses: init = [] }) =>
      init[0]?.state?.running === undefined ? [] : [init[0].ready],
    );
    assert.deepEqual([...new Set(whileItRuns)], [false]);
  });

  test("have the container's previous run as last state", () => {
    const crashes = (name: string, code: number): string =>
      `{ name: ${name}, image: app, env: [{ name: FAKE_EXIT, value: "${code}@3" }] }`;
    const played = play(pod(`containers: [${crashes("a", 3)}, ${crashes("b", 4)}]`), {
      cluster,
      steps: [advance(60)],
    });
    const lasts = (name: string): readonly string[] => {
      const told = written(played).flatMap(({ containerStatuses = [] }) => {
        const { lastState } = containerStatuses.find((c) => c.name === name) ?? {};
        const { exitCode, startedAt } = lastState?.terminated ?? {};
        return exitCode === undefined ? [] : [`${exitCode} ${startedAt}`];
      });
      return [...new Set(told)];
    };
    for (const [name, code] of Object.entries({ a: 3, b: 4 })) {
      assert.ok(lasts(name).length > 1);
      assert.ok(lasts(name).every((last) => last.startsWith(`${code} `)));
    }
  });

  test("a pod with hostNetwork has the node's address", () => {
    const { podIP, podIPs, hostIP } = statusOf(play(pod(`hostNetwork: true, ${app}`), { cluster }));
    assert.notEqual(hostIP, undefined);
    assert.equal(podIP, hostIP);
    assert.deepEqual(podIPs, [{ ip: hostIP }]);
  });

  const crashing = (seconds = 1): string =>
    `{ name: app, image: app, env: [{ name: FAKE_EXIT, value: "1@${seconds}" }] }`;
  const lost = {
    exitCode: 137,
    reason: "ContainerStatusUnknown",
    message: "The container could not be located when the pod was terminated",
  };

  test("a container in back-off when its pod's deadline passes counts as lost, with its crash as last state", () => {
    const spec = `activeDeadlineSeconds: 60, containers: [${crashing()}]`;
    const played = play(pod(spec, "Failed node-a"), { cluster, steps: [advance(120)] });
    const { state, lastState } = container(played);
    assert.deepEqual(state, { terminated: lost });
    assert.equal(lastState?.terminated?.exitCode, 1);
  });

  test("a container in back-off is reported as terminated once its pod is deleted", () => {
    const other = "{ name: other, image: app, lifecycle: { preStop: { sleep: { seconds: 20 } } } }";
    const spec = `containers: [${crashing()}, ${other}]`;
    const played = play(pod(spec, "deleted, still Running node-a"), {
      cluster,
      steps: [advance(30), deletePods("p"), advance(5)],
    });
    const { state } = container(played);
    assert.deepEqual([state?.waiting, state?.terminated?.exitCode], [undefined, 1]);
    assert.notEqual(container(played, "other").state?.running, undefined);
  });

  test("a sidecar that exits with 0 gets a back-off too, but is reported as Completed", () => {
    const side =
      'initContainers: [{ name: side, image: app, restartPolicy: Always, env: [{ name: FAKE_EXIT, value: "0@1" }] }]';
    const played = play(pod(`${side}, ${app}`), { cluster, steps: [advance(60)] });
    assert.equal(played.events("BackOff").length, 1);
    for (const { initContainerStatuses: [side] = [] } of written(played))
      assert.notEqual(side?.state?.waiting?.reason, "CrashLoopBackOff");
    const { state } = container(played, "side");
    assert.equal(state?.terminated?.reason, "Completed");
  });

  test("a container that never started counts as lost if the last init container is a sidecar that had started", () => {
    const broken =
      "{ name: app, image: app, env: [{ name: A, valueFrom: { configMapKeyRef: { name: none, key: a } } }] }";
    const ended = (init: string): ContainerStatus =>
      container(
        play(
          pod(
            `activeDeadlineSeconds: 20, initContainers: [${init}], containers: [${broken}]`,
            "Failed node-a",
          ),
          { cluster, steps: [advance(60)] },
        ),
      );
    const side = "{ name: side, image: app, restartPolicy: Always }";
    assert.deepEqual(ended(side).state, { terminated: lost });
    const asleep = '{ name: one, image: app, command: [sleep, "60"] }';
    assert.equal(ended(`${side}, ${asleep}`).state?.waiting?.reason, "PodInitializing");
  });
});
