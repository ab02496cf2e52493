import assert from "node:assert/strict";
import { pageProtocolVersion } from "../../src/protocol/page-messages.ts";

suite("what VS Code keeps of the simulation page", () => {
  test("is taken up by the version that kept it alone", async () => {
    let kept: unknown;
    const api = {
      getState: () => kept,
      setState: (state: unknown) => {
        kept = state;
      },
    };
    Object.assign(globalThis, { acquireVsCodeApi: () => api });
    const { savedView, saveView } = await import("../../src/webview/host.ts");
    assert.deepEqual(savedView(), {});
    saveView({ environment: "a", moment: 3 });
    assert.deepEqual(savedView(), { environment: "a", moment: 3 });
    kept = { environment: "a", steps: [{ type: "unheard of" }], version: pageProtocolVersion - 1 };
    assert.deepEqual(savedView(), {});
    kept = { environment: "a", steps: [{ type: "unheard of" }] };
    assert.deepEqual(savedView(), {});
  });
});
