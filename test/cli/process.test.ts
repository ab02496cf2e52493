import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";

const root: string = join(import.meta.dirname, "../..");

const program: readonly string[] = [
  process.execPath,
  "--import",
  join(root, "test/support/typescript.mjs"),
  join(root, "src/cli/main.ts"),
];

suite("the process of the command line", () => {
  test("output to a full disk is reported without a stack trace, with exit code 3", function () {
    if (process.platform !== "linux") return;
    this.timeout(20_000);
    const [node = "", ...args] = program;
    const { status, stderr } = spawnSync(node, [...args, "--help"], {
      stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
      encoding: "utf8",
    });
    assert.match(stderr, /^claimcheck: cannot write: ENOSPC/);
    assert.equal(status, 3);
  });

  test("non-blocking standard input is read to its end", function () {
    if (process.platform !== "linux") return;
    this.timeout(20_000);
    // More than a pipe holds, so that the pipe is empty at times.
    const input = `${"# a comment\n".repeat(300_000)}apiVersion: v1\nkind: [`;
    const script = 'dd iflag=nonblock count=0 2>/dev/null; exec "$@" check -';
    const { status, stdout, stderr } = spawnSync("sh", ["-c", script, "sh", ...program], {
      input,
      encoding: "utf8",
    });
    assert.equal(stderr, "");
    assert.match(stdout, /^-:300002:7 error yaml-syntax/);
    assert.equal(status, 1);
  });
});
