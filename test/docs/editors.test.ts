import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as messages from "../../src/protocol/messages.ts";

suite("docs/editors.md", () => {
  test("describes exactly the server's own requests and notifications", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/editors.md"), "utf8");
    const told = [...page.matchAll(/`(claimcheck\/\w+)`/g)].map(([, method]) => method);
    const known = Object.values(messages).filter(
      (value) => typeof value === "string" && value.startsWith("claimcheck/"),
    );
    assert.deepEqual([...new Set(told)].sort(), [...known].sort());
  });
});
