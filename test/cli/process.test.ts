import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";

const root: string = join(import.meta.dirname, "../..");

suite("the process of the command line", () => {
  test("output that finds no room is no bug of Claimcheck and makes the exit code 3", function () {
    if (process.platform !== "linux") return;
    this.timeout(20_000);
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        "--import",
        join(root, "test/support/typescript.mjs"),
        join(root, "src/cli/main.ts"),
        "--help",
      ],
      { stdio: ["ignore", openSync("/dev/full", "w"), "pipe"], encoding: "utf8" },
    );
    assert.match(stderr, /^claimcheck: cannot write: ENOSPC/);
    assert.equal(status, 3);
  });
});
