import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { optimizeLater, serverExecArgv } from "../../src/protocol/server-process.ts";

suite("the set-up of a process that runs the engine", () => {
  test("V8 gets the switch to optimize later if it has only one optimizing compiler", () => {
    assert.deepEqual(optimizeLater("11.3.244.8-node.30"), ["--interrupt-budget=200000"]);
    assert.deepEqual(optimizeLater("12.4.254.21-node.33"), []);
    assert.deepEqual(optimizeLater("13.6.233.10-node.28"), []);
  });

  test("this V8 knows all switches that it gets", () => {
    const switches = [...serverExecArgv, ...optimizeLater(process.versions.v8)];
    const { status, stderr } = spawnSync(process.execPath, [...switches, "-e", "0"], {
      encoding: "utf8",
    });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
  });
});
