import assert from "node:assert/strict";
import { plannedWrites } from "../../../src/engine/node/planned-writes.ts";

function writes(...command: readonly string[]): Readonly<Record<string, bigint>> {
  return Object.fromEntries(plannedWrites({ name: "app", command }));
}

suite("what a container writes", () => {
  test("a server writes no known amount", () => {
    assert.deepEqual(writes("nginx"), {});
    assert.deepEqual(writes("sh", "-c", "cat /etc/passwd > /cache/x"), {});
  });

  test("fallocate, dd with a count and head of endless files are taken into account", () => {
    assert.deepEqual(writes("fallocate", "-l", "2M", "/cache/a"), { "/cache/a": 2n << 20n });
    assert.deepEqual(writes("sh", "-c", "dd if=/dev/zero of=/cache/b bs=1MB count=3 && sleep 5"), {
      "/cache/b": 3_000_000n,
    });
    assert.deepEqual(
      writes("sh", "-c", "head -c 10KiB /dev/urandom >/cache/c; head -c 5 /dev/zero > /d"),
      {
        "/cache/c": 10_240n,
        "/d": 5n,
      },
    );
  });

  test("dd without a count and invalid sizes are not", () => {
    assert.deepEqual(writes("dd", "if=/dev/sda", "of=/cache/b", "bs=1M"), {});
    assert.deepEqual(writes("fallocate", "-l", "much", "/cache/a"), {});
  });
});
