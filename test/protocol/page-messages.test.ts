import { strict as assert } from "node:assert";
import { isFromPage, isToPage, pageProtocolVersion } from "../../src/protocol/page-messages.ts";

suite("messages between extension and page", () => {
  const version = pageProtocolVersion;

  test("messages of this version are accepted", () => {
    assert.equal(isToPage({ type: "nothing", version, text: "" }), true);
    assert.equal(isFromPage({ type: "ready", version }), true);
  });

  test("other versions, unknown types and non-messages are not", () => {
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

  test("messages of the page with a missing or wrong field are not", () => {
    const whole = [
      { type: "reveal", version, ref: "Pod/default/web", field: undefined },
      { type: "unreadable", version },
      { type: "reveal", version, ref: "Pod/default/web", field: "spec" },
      { type: "choose", version, environment: "a" },
      { type: "shown", version, environment: "a", hash: "1", entryCount: 2 },
      { type: "selected", version, environment: "a", ref: "Pod/default/web" },
      { type: "selected", version, environment: "a", ref: undefined },
      { type: "save", version, environment: "a", steps: [] },
      { type: "failed", version, text: "" },
    ];
    for (const message of whole) {
      assert.equal(isFromPage(message), true, message.type);
      for (const field of Object.keys(message))
        assert.equal(isFromPage({ ...message, [field]: {} }), false, `${message.type} ${field}`);
    }
    assert.equal(isFromPage({ type: "choose", version }), false);
  });

  test("each side accepts only messages of the other", () => {
    assert.equal(isToPage({ type: "ready", version }), false);
    assert.equal(isFromPage({ type: "scenario", version }), false);
  });
});
