/** A page whose engine cannot run says so, where it would wait for ever. */
import { strict as assert } from "node:assert";
import { pageProtocolVersion } from "../../../src/protocol/page-messages.ts";
import { exampleScenario } from "./example-scenario.ts";
import { openPage, type PageHost } from "./page-host.ts";

suite("simulation page without an engine", function () {
  this.timeout(60_000);
  let host: PageHost | undefined;

  teardown(() => host?.close());

  test("tells and shows that the worker's script cannot be read", async () => {
    host = await openPage(null);
    const { text } = await host.next("failed");
    assert.match(text, /engine-worker\.js: 404/);
    assert.match((await host.page.getByRole("alert").textContent()) ?? "", /The simulation failed/);
  });

  test("tells and shows what the worker's script throws, whatever is to be simulated", async () => {
    host = await openPage('throw new Error("no memory");');
    await host.next("ready");
    const { text } = await host.next("failed");
    assert.match(text, /no memory/);
    const reply = await exampleScenario("all-pending");
    const environments = [reply.environment];
    await host.send({ type: "scenario", version: pageProtocolVersion, reply, environments });
    assert.match((await host.page.getByRole("alert").textContent()) ?? "", /no memory/);
  });
});
