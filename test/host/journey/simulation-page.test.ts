import { strict as assert } from "node:assert";
import { simulate } from "../../../src/engine/simulation.ts";
import { traceHash } from "../../../src/engine/trace/hash.ts";
import { pageProtocolVersion, type ToPage } from "../../../src/protocol/page-messages.ts";
import { exampleScenario } from "./example-scenario.ts";
import { openPage, type PageHost } from "./page-host.ts";

const version = pageProtocolVersion;

function scenarioMessage(name: string): ToPage {
  const reply = exampleScenario(name);
  return { type: "scenario", version, reply, environments: [reply.environment] };
}

suite("simulation page in a browser", function () {
  this.timeout(60_000);
  let host: PageHost;

  setup(async () => {
    host = await openPage();
    await host.next("ready");
  });

  teardown(() => host.close());

  for (const example of ["cloud-disk-dynamic", "statefulset-move", "all-pending"]) {
    test(`${example} has the trace hash that Node computes`, async () => {
      const { scenario } = exampleScenario(example);
      await host.send(scenarioMessage(example));
      const shown = await host.next("shown");
      const trace = simulate(scenario);
      assert.equal(shown.entryCount, trace.entries.length);
      assert.equal(shown.hash, traceHash(trace.entries));
      assert.deepEqual(host.complaints, []);
    });
  }

  test("the slider's keys go back and forth in time", async () => {
    await host.send(scenarioMessage("cloud-disk-dynamic"));
    const { entryCount } = await host.next("shown");
    const slider = host.page.getByRole("slider", { name: "Step" });
    await host.page.getByText(`step ${entryCount} of ${entryCount}`).waitFor();
    await slider.focus();
    await slider.press("Home");
    await host.page.getByText(`step 1 of ${entryCount}`).waitFor();
    await slider.press("ArrowRight");
    await host.page.getByText(`step 2 of ${entryCount}`).waitFor();
    assert.deepEqual(host.complaints, []);
  });

  test("a workspace without manifests says so", async () => {
    await host.send({ type: "nothing", version, text: "No file holds a Kubernetes object." });
    await host.page.getByText("No file holds a Kubernetes object.").waitFor();
  });

  test("a message of another version changes nothing", async () => {
    const other = { type: "nothing", version: 0, text: "from another time" };
    await host.page.evaluate((message) => window.postMessage(message, "*"), other);
    await host.send(scenarioMessage("all-pending"));
    await host.next("shown");
    assert.equal(await host.page.getByText("from another time").count(), 0);
  });
});
