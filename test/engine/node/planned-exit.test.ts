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

  test("an init container and a command that runs once end at once", () => {
    assert.deepEqual(exit({}, "Always", true), { code: 0, afterMs: 300 });
    assert.deepEqual(exit({ command: ["sh", "-c", "echo hi"] }, "Never"), {
      code: 0,
      afterMs: 300,
    });
  });

  test("a sidecar runs on", () => {
    assert.equal(exit({ restartPolicy: "Always" }, "Never", true), undefined);
  });

  test("sleep and exit in a command are taken into account", () => {
    assert.deepEqual(exit({ command: ["sleep", "90"] }), { code: 0, afterMs: 90_000 });
    assert.deepEqual(exit({ command: ["sh", "-c", "sleep 2; exit 3"] }, "Never"), {
      code: 3,
      afterMs: 2000,
    });
    assert.deepEqual(exit({ args: ["exit 7"] }, "OnFailure"), { code: 7, afterMs: 300 });
  });

  test("durations of sleep have units and add up", () => {
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

  test("an exit after `||` is not reached, except by the runtime of the recordings", () => {
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

  test("a command that waits forever does not end even if it runs once, except in the recordings", () => {
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

  test("a shell without a script waits for input if it has a terminal or stdin", () => {
    for (const command of [["/bin/bash"], ["sh", "-l"], ["cat"]]) {
      assert.equal(exit({ command, tty: true }, "Never"), undefined, command.join(" "));
      assert.equal(exit({ command, stdin: true }, "Never"), undefined, command.join(" "));
      assert.notEqual(exit({ command }, "Never"), undefined, command.join(" "));
    }
    assert.notEqual(exit({ command: ["cat", "/data/log"], tty: true }, "Never"), undefined);
    assert.notEqual(exit({ command: ["bash", "-c", "date"], tty: true }, "Never"), undefined);
  });

  test("endless loops run on even if they sleep", () => {
    assert.equal(exit({ command: ["sh", "-c", "while true; do date; sleep 5; done"] }), undefined);
    assert.equal(exit({ command: ["sh", "-c", "sleep 5; tail -f /dev/null"] }), undefined);
    assert.equal(exit({ command: ["sleep", "infinity"] }), undefined);
  });

  test("with restart policy Always a command that starts something after its sleep runs on, except in the recordings", () => {
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

  test("FAKE_EXIT overrides everything", () => {
    const env = [{ name: "FAKE_EXIT", value: "2@1.5" }];
    assert.deepEqual(exit({ env, command: ["sleep", "9"] }), { code: 2, afterMs: 1500 });
  });
});

suite("a container that ignores SIGTERM", () => {
  const ignores = (command: readonly string[], spec: object = {}): boolean =>
    ignoresSignal({ spec } as unknown as Pod, { name: "app", command });

  test("has a shell or a plain program as its first process", () => {
    assert.ok(ignores(["sh", "-c", "echo hi; sleep 60"]));
    assert.ok(ignores(["/bin/bash", "-ec", "while true; do date; done"]));
    assert.ok(ignores(["sh", "-c", "dd if=/dev/zero of=/v/x && exec sleep infinity"]));
    assert.ok(ignores(["sleep", "3600"]));
    assert.ok(ignores(["tail", "-f", "/dev/null"]));
    const pod = { spec: {} } as unknown as Pod;
    assert.ok(ignoresSignal(pod, { name: "app", command: ["sh"], args: ["-c", "sleep 60"] }));
    assert.ok(!ignoresSignal(pod, { name: "app", command: ["sh"], args: ["-c", "exec server"] }));
  });

  test("is not one with a server, a shell with a trap, or a shared process namespace", () => {
    assert.ok(!ignores([]));
    assert.ok(!ignores(["nginx", "-g", "daemon off;"]));
    assert.ok(!ignores(["sh", "-c", "trap 'exit 0' TERM; sleep 60 & wait"]));
    assert.ok(!ignores(["sh", "-c", "date > /v/started; nginx -g 'daemon off;'"]));
    assert.ok(!ignores(["sh", "-c", "for f in /etc/conf/*; do cp $f /v; done; exec server"]));
    assert.ok(!ignores(["sleep", "3600"], { shareProcessNamespace: true }));
    assert.ok(!ignores(["sleep", "3600"], { hostPID: true }));
  });
});
