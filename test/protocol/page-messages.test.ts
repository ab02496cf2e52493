import { strict as assert } from "node:assert";
import { isFromPage, isToPage, pageProtocolVersion } from "../../src/protocol/page-messages.ts";

suite("messages between extension and page", () => {
  const version = pageProtocolVersion;

  test("messages of this version are taken", () => {
    assert.equal(isToPage({ type: "nothing", version, text: "" }), true);
    assert.equal(isFromPage({ type: "ready", version }), true);
  });

  test("other versions, other types and what is no message are not", () => {
    for (const message of [
      { type: "ready", version: version + 1 },
      { type: "unknown", version },
      { version },
      "ready",
      null,
      undefined,
    ]) {
      assert.equal(isFromPage(message), false);
      assert.equal(isToPage(message), false);
    }
  });

  test("what one side sends the other does not", () => {
    assert.equal(isToPage({ type: "ready", version }), false);
    assert.equal(isFromPage({ type: "scenario", version }), false);
  });
});
