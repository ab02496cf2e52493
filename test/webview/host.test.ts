import assert from "node:assert/strict";
import { pageProtocolVersion } from "../../src/protocol/page-messages.ts";
import { givePageApi, pageApi } from "./page-api.ts";

suite("what VS Code keeps of the simulation page", () => {
  test("is restored only by the version that saved it", async () => {
    givePageApi();
    const { savedView, saveView } = await import("../../src/webview/host.ts");
    assert.deepEqual(savedView(), {});
    saveView({ environment: "a", moment: 3 });
    assert.deepEqual(savedView(), { environment: "a", moment: 3 });
    pageApi.kept = {
      environment: "a",
      steps: [{ type: "unheard of" }],
      version: pageProtocolVersion - 1,
    };
    assert.deepEqual(savedView(), {});
    pageApi.kept = { environment: "a", steps: [{ type: "unheard of" }] };
    assert.deepEqual(savedView(), {});
  });
});
