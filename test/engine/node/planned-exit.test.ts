import assert from "node:assert/strict";
import type { Container, Pod } from "../../../src/engine/api/types.ts";
import { ignoresSignal, plannedExit } from "../../../src/engine/node/planned-exit.ts";

function exit(container: Partial<Container>, restartPolicy = "Always", isInit = false): unknown {
  const pod = { spec: { restartPolicy, containers: [] } } as unknown as Pod;
  return plannedExit(pod, { name: "app", ...container }, isInit);
}

suite("when a container ends by itself", () => {
  test("a server runs on", () => {
    assert.equal(exit({}), undefined);
    assert.equal(exit({ command: ["nginx"] }), undefined);
    assert.equal(exit({}, "Never"), undefined);
  });

  test("an init container, and a command that is run once, are done at once", () => {
    assert.deepEqual(exit({}, "Always", true), { code: 0, afterMs: 300 });
    assert.deepEqual(exit({ command: ["sh", "-c", "echo hi"] }, "Never"), {
      code: 0,
      afterMs: 300,
    });
  });

  test("a sidecar runs on", () => {
    assert.equal(exit({ restartPolicy: "Always" }, "Never", true), undefined);
  });

  test("sleeps and exits are believed", () => {
    assert.deepEqual(exit({ command: ["sleep", "90"] }), { code: 0, afterMs: 90_000 });
    assert.deepEqual(exit({ command: ["sh", "-c", "sleep 2; exit 3"] }, "Never"), {
      code: 3,
      afterMs: 2000,
    });
    assert.deepEqual(exit({ args: ["exit 7"] }, "OnFailure"), { code: 7, afterMs: 300 });
  });

  test("sleeps have units and add up", () => {
    assert.deepEqual(exit({ command: ["sleep", "1d"] }), { code: 0, afterMs: 86_400_000 });
    assert.deepEqual(exit({ command: ["sleep", "1h", "30m"] }), { code: 0, afterMs: 5_400_000 });
    assert.deepEqual(exit({ command: ["sh", "-c", "sleep 1 && cat /cache && sleep 3600s"] }), {
      code: 0,
      afterMs: 3_601_000,
    });
  });

  const recorded = (command: string): unknown => {
    const pod = { spec: { restartPolicy: "Never", containers: [] } } as unknown as Pod;
    return plannedExit(pod, { name: "app", command: ["sh", "-c", command] }, false, true);
  };

  test("an exit behind `||` is not reached, except where the recordings' runtime runs it", () => {
    const guarded = "test -e /data || exit 1";
    assert.deepEqual(exit({ command: ["sh", "-c", guarded] }, "Never"), { code: 0, afterMs: 300 });
    assert.equal(exit({ command: ["sh", "-c", guarded] }), undefined);
    assert.deepEqual(exit({ command: ["touch /data && exit 0 || exit 1"] }), {
      code: 0,
      afterMs: 300,
    });
    assert.deepEqual(recorded(guarded), { code: 1, afterMs: 300 });
  });

  test("an exit in a branch or a trap is not reached either", () => {
    for (const script of [
      "if [ ! -d /data ]; then exit 1; fi; exec server",
      "case $HOSTNAME in\n*-0) exit 2;;\nesac\nexec server",
      "test -e /data || { echo missing; exit 1; }; exec server",
      "trap 'exit 3' TERM; exec server",
    ]) {
      assert.equal(exit({ command: ["sh", "-c", script] }), undefined, script);
    }
    assert.deepEqual(exit({ command: ["if ready; then echo yes; fi; exit 4"] }), {
      code: 4,
      afterMs: 300,
    });
  });

  test("what waits forever does not end where it is run once either, except in the recordings", () => {
    for (const script of [
      "tail -f /dev/null",
      "date; sleep infinity",
      "while true; do date; sleep 5; done",
      "while [ true ]; do date; sleep 5; done | tee /data/log",
      "while [[ 1 ]]; do date; sleep 5; done",
      "while (( 1 )); do date; sleep 5; done",
      "while(true); do date; sleep 5; done",
      "while sleep 5; do date; done",
      "test -d /data || exit 1; trap 'exit 0' TERM; while :; do sleep 5; done",
    ]) {
      assert.equal(exit({ command: ["sh", "-c", script] }, "Never"), undefined, script);
      assert.notEqual(recorded(script), undefined, script);
    }
    for (const waiting of [
      "while true; do test -e /data && break; sleep 2; done",
      "while [ 1 -gt $(ls /data | wc -l) ]; do sleep 2; done",
      "while sleep 2 && ! test -e /data; do date; done",
    ]) {
      assert.deepEqual(
        exit({ command: ["sh", "-c", waiting] }, "OnFailure"),
        { code: 0, afterMs: 2000 },
        waiting,
      );
    }
  });

  test("a shell without a script waits for what is typed, where somebody could type", () => {
    for (const command of [["/bin/bash"], ["sh", "-l"], ["cat"]]) {
      assert.equal(exit({ command, tty: true }, "Never"), undefined, command.join(" "));
      assert.equal(exit({ command, stdin: true }, "Never"), undefined, command.join(" "));
      assert.notEqual(exit({ command }, "Never"), undefined, command.join(" "));
    }
    assert.notEqual(exit({ command: ["cat", "/data/log"], tty: true }, "Never"), undefined);
    assert.notEqual(exit({ command: ["bash", "-c", "date"], tty: true }, "Never"), undefined);
  });

  test("loops of a server run on although they sleep", () => {
    assert.equal(exit({ command: ["sh", "-c", "while true; do date; sleep 5; done"] }), undefined);
    assert.equal(exit({ command: ["sh", "-c", "sleep 5; tail -f /dev/null"] }), undefined);
    assert.equal(exit({ command: ["sleep", "infinity"] }), undefined);
  });

  test("what is always restarted and starts something after its sleep runs on, except in the recordings", () => {
    for (const script of [
      "sleep 10 && nginx -g 'daemon off;'",
      "echo waiting; sleep 5\nexec java -jar app.jar",
      "until ready; do sleep 1; done; server",
    ]) {
      assert.equal(exit({ command: ["sh", "-c", script] }), undefined, script);
      assert.notEqual(exit({ command: ["sh", "-c", script] }, "Never"), undefined, script);
    }
    const late = { name: "app", command: ["sh", "-c", "sleep 10 && nginx"] };
    const pod = { spec: { restartPolicy: "Always", containers: [] } } as unknown as Pod;
    assert.deepEqual(plannedExit(pod, late, false, true), { code: 0, afterMs: 10_000 });
    for (const script of [
      "sleep 30; echo done",
      "date; sleep 30;",
      "sleep 30 && touch /data/ready",
    ])
      assert.deepEqual(exit({ command: ["/bin/bash", "-ec", script] }), {
        code: 0,
        afterMs: 30_000,
      });
  });

  test("FAKE_EXIT decides over all", () => {
    const env = [{ name: "FAKE_EXIT", value: "2@1.5" }];
    assert.deepEqual(exit({ env, command: ["sleep", "9"] }), { code: 2, afterMs: 1500 });
  });
});

suite("who leaves the signal to end unanswered", () => {
  const ignores = (command: readonly string[], spec: object = {}): boolean =>
    ignoresSignal({ spec } as unknown as Pod, { name: "app", command });

  test("shells and plain programs, as the first process of their container", () => {
    assert.ok(ignores(["sh", "-c", "echo hi; sleep 60"]));
    assert.ok(ignores(["/bin/bash", "-ec", "while true; do date; done"]));
    assert.ok(ignores(["sh", "-c", "dd if=/dev/zero of=/v/x && exec sleep infinity"]));
    assert.ok(ignores(["sleep", "3600"]));
    assert.ok(ignores(["tail", "-f", "/dev/null"]));
    const pod = { spec: {} } as unknown as Pod;
    assert.ok(ignoresSignal(pod, { name: "app", command: ["sh"], args: ["-c", "sleep 60"] }));
    assert.ok(!ignoresSignal(pod, { name: "app", command: ["sh"], args: ["-c", "exec server"] }));
  });

  test("not servers, not shells with a trap, and none that is not the first process", () => {
    assert.ok(!ignores([]));
    assert.ok(!ignores(["nginx", "-g", "daemon off;"]));
    assert.ok(!ignores(["sh", "-c", "trap 'exit 0' TERM; sleep 60 & wait"]));
    assert.ok(!ignores(["sh", "-c", "date > /v/started; nginx -g 'daemon off;'"]));
    assert.ok(!ignores(["sh", "-c", "for f in /etc/conf/*; do cp $f /v; done; exec server"]));
    assert.ok(!ignores(["sleep", "3600"], { shareProcessNamespace: true }));
    assert.ok(!ignores(["sleep", "3600"], { hostPID: true }));
  });
});
