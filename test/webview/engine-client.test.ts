/** If the engine cannot run, the page says so instead of waiting forever for its first message. */
import assert from "node:assert/strict";
import { startEngine } from "../../src/webview/engine-client.ts";

class FakeWorker extends EventTarget {
  static last: FakeWorker | undefined;
  readonly sent: unknown[] = [];

  constructor() {
    super();
    FakeWorker.last = this;
  }

  postMessage(message: unknown): void {
    this.sent.push(message);
  }
}

suite("the engine of the simulation page", () => {
  const { fetch } = globalThis;
  let failures: string[];
  const listener = { receive: () => {}, fail: (text: string) => failures.push(text) };

  setup(() => {
    failures = [];
    Object.assign(globalThis, { Worker: FakeWorker });
  });
  teardown(() => {
    Reflect.deleteProperty(globalThis, "Worker");
    globalThis.fetch = fetch;
  });

  const serve = (body: string, status: number): void => {
    globalThis.fetch = () => Promise.resolve(new Response(body, { status }));
  };

  test("is not started if its script cannot be fetched", async () => {
    serve("<h1>Not Found</h1>", 404);
    await assert.rejects(
      startEngine("https://files.example/worker.js", listener),
      /worker\.js: 404/,
    );
  });

  test("reports errors that its script throws", async () => {
    serve("", 200);
    await startEngine("https://files.example/worker.js", listener);
    const error = Object.assign(new Event("error"), { message: "SyntaxError: unexpected end" });
    FakeWorker.last?.dispatchEvent(error);
    assert.deepEqual(failures, ["SyntaxError: unexpected end"]);
  });

  test("receives the page's requests", async () => {
    serve("", 200);
    const ask = await startEngine("https://files.example/worker.js", listener);
    ask({ type: "login", run: 1, seq: 2 });
    assert.deepEqual(FakeWorker.last?.sent, [{ type: "login", run: 1, seq: 2 }]);
  });
});
