import assert from "node:assert/strict";
import type { Container, Pod } from "../../../src/engine/api/types.ts";
import { plannedExit } from "../../../src/engine/node/planned-exit.ts";

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

  test("an exit behind `||` is not reached, except where the recordings' runtime runs it", () => {
    const guarded = { name: "app", command: ["sh", "-c", "test -e /data || exit 1"] };
    assert.deepEqual(exit(guarded, "Never"), { code: 0, afterMs: 300 });
    assert.equal(exit(guarded), undefined);
    assert.deepEqual(exit({ command: ["touch /data && exit 0 || exit 1"] }), {
      code: 0,
      afterMs: 300,
    });
    const pod = { spec: { restartPolicy: "Never", containers: [] } } as unknown as Pod;
    assert.deepEqual(plannedExit(pod, guarded, false, true), { code: 1, afterMs: 300 });
  });

  test("loops of a server run on although they sleep", () => {
    assert.equal(exit({ command: ["sh", "-c", "while true; do date; sleep 5; done"] }), undefined);
    assert.equal(exit({ command: ["sh", "-c", "sleep 5; tail -f /dev/null"] }), undefined);
    assert.equal(exit({ command: ["sleep", "infinity"] }), undefined);
  });

  test("FAKE_EXIT decides over all", () => {
    const env = [{ name: "FAKE_EXIT", value: "2@1.5" }];
    assert.deepEqual(exit({ env, command: ["sleep", "9"] }), { code: 2, afterMs: 1500 });
  });
});
