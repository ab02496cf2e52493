/** If the engine cannot run or breaks, the page says so instead of waiting forever. */
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pageProtocolVersion } from "../../../src/protocol/page-messages.ts";
import { barriersIn } from "./accessibility.ts";
import { exampleScenario } from "./example-scenario.ts";
import { openPage, type PageHost } from "./page-host.ts";

suite("simulation page without an engine", function () {
  this.timeout(60_000);
  let host: PageHost | undefined;

  teardown(() => host?.close());

  test("reports and shows that the worker's script cannot be read", async () => {
    host = await openPage(null);
    const { text } = await host.next("failed");
    assert.match(text, /engine-worker\.js: 404/);
    assert.match((await host.page.getByRole("alert").textContent()) ?? "", /The simulation failed/);
  });

  test("reports what the worker's script throws, and shows it even when a scenario arrives", async () => {
    host = await openPage('throw new Error("no memory");');
    await host.next("ready");
    const { text } = await host.next("failed");
    assert.match(text, /no memory/);
    const reply = await exampleScenario("all-pending");
    const environments = [reply.environment];
    await host.send({ type: "scenario", version: pageProtocolVersion, reply, environments });
    assert.match((await host.page.getByRole("alert").textContent()) ?? "", /no memory/);
  });

  test("lets the user take back a What If step that breaks the engine while the failure is shown", async () => {
    host = await openPage(brokenBy("advance"));
    await host.next("ready");
    const reply = await exampleScenario("all-pending");
    const environments = [reply.environment];
    await host.send({ type: "scenario", version: pageProtocolVersion, reply, environments });
    const before = await host.next("shown");
    const { page } = host;
    await page.getByRole("tab", { name: "What If" }).click();
    await page.locator("#action").selectOption("advance");
    await page.locator("#do").click();
    await host.next("failed");
    await page.getByRole("alert").getByText("no such thing").waitFor();
    assert.equal(await page.getByText("made nothing worse").count(), 0);
    assert.deepEqual(host.complaints, []);
    assert.deepEqual(await barriersIn(page.mainFrame(), false), []);
    await page.getByRole("button", { name: "Undo: Let 600 s pass" }).click();
    assert.equal((await host.next("shown")).hash, before.hash);
    assert.equal(await page.getByRole("alert").count(), 0);
    await page.locator("#do:visible").waitFor();
  });
});

/** The built engine, except that any run with a step of this type fails. */
function brokenBy(step: string): string {
  const built = join(import.meta.dirname, "..", "..", "..", "dist", "webview", "engine-worker.js");
  return `addEventListener("message", (event) => {
    const { type, run, scenario } = event.data;
    if (type !== "simulate" || !scenario.steps.some((step) => step.type === "${step}")) return;
    event.stopImmediatePropagation();
    postMessage({ type: "failed", run, text: "no such thing" });
  });
  ${readFileSync(built, "utf8")}`;
}
