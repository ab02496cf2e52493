import { strict as assert } from "node:assert";
import type { Locator } from "playwright-core";
import type { Manifest } from "../../../src/engine/scenario.ts";
import { Simulation } from "../../../src/engine/simulation.ts";
import { traceHash } from "../../../src/engine/trace/hash.ts";
import { pageProtocolVersion, type ToPage } from "../../../src/protocol/page-messages.ts";
import { withSteps } from "../../../src/protocol/what-if.ts";
import { barriersIn } from "./accessibility.ts";
import { exampleScenario, importedScenario } from "./example-scenario.ts";
import { openPage, type PageHost } from "./page-host.ts";

const version = pageProtocolVersion;

async function scenarioMessage(name: string): Promise<ToPage> {
  const reply = await exampleScenario(name);
  return { type: "scenario", version, reply, environments: [reply.environment] };
}

/** The scenario of an example, with more manifests than its files have. */
async function withManifests(name: string, ...more: readonly Manifest[]): Promise<ToPage> {
  const reply = await exampleScenario(name);
  const [apply, ...rest] = reply.scenario.steps;
  assert.ok(apply?.type === "apply");
  const steps = [{ ...apply, manifests: [...apply.manifests, ...more] }, ...rest];
  const changed = { ...reply, scenario: { ...reply.scenario, steps } };
  return { type: "scenario", version, reply: changed, environments: [reply.environment] };
}

const snapshot: readonly Manifest[] = [
  {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshotClass",
    metadata: { name: "disks" },
    driver: "diskplugin.csi.alibabacloud.com",
    deletionPolicy: "Delete",
  },
  {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshot",
    metadata: { name: "before-upgrade" },
    spec: {
      volumeSnapshotClassName: "disks",
      source: { persistentVolumeClaimName: "disk-pvc" },
    },
  },
];

const nightly: Manifest = {
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: { name: "backup" },
  spec: {
    schedule: "0 3 * * *",
    jobTemplate: {
      spec: {
        template: {
          spec: {
            restartPolicy: "Never",
            containers: [{ name: "main", image: "backup" }],
            volumes: [{ name: "data", persistentVolumeClaim: { claimName: "disk-pvc" } }],
          },
        },
      },
    },
  },
};

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
      const { scenario } = await exampleScenario(example);
      await host.send(await scenarioMessage(example));
      const shown = await host.next("shown");
      const trace = new Simulation(scenario).run();
      assert.equal(shown.entryCount, trace.entries.length);
      assert.equal(shown.hash, traceHash(trace.entries));
      assert.deepEqual(host.complaints, []);
    });
  }

  test("the slider's keys go back and forth in time", async () => {
    await host.send(await scenarioMessage("cloud-disk-dynamic"));
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

  test("an object that does not exist yet leads to the moment when it is created", async () => {
    const { page } = host;
    await host.send(await scenarioMessage("cloud-disk-dynamic"));
    await host.next("shown");
    await page.locator("#outcome tr[data-ref^='PersistentVolume/']").click();
    await page.getByRole("slider", { name: "Step" }).press("Home");
    await page.locator("#comes").waitFor();
    assert.equal(await page.getByRole("heading", { name: "History" }).count(), 0);
    await page.locator("#comes button").press("Enter");
    await page.locator("#history").getByText("created it").waitFor();
    assert.equal(await page.locator("#comes").count(), 0);
    assert.deepEqual(host.complaints, []);
  });

  test("arrow keys select objects, Enter opens the file", async () => {
    await host.send(await scenarioMessage("all-pending"));
    await host.next("shown");
    const rows = host.page.locator("#outcome tr[data-ref]");
    await rows.first().click();
    await host.page.keyboard.press("ArrowDown");
    await host.page.keyboard.press("Enter");
    const second = await rows.nth(1).getAttribute("data-ref");
    assert.equal((await host.next("reveal")).ref, second);
    await host.page.keyboard.press("End");
    await host.page.keyboard.press("Enter");
    const last = await rows.last().getAttribute("data-ref");
    assert.equal((await host.next("reveal")).ref, last);
  });

  test("the first Tab goes to the top of the page, wherever the selected object is", async () => {
    const { page } = host;
    await page.setViewportSize({ width: 400, height: 500 });
    await host.send(await scenarioMessage("statefulset-move"));
    await host.next("shown");
    await inSight(page.locator("vscode-tab-panel:visible"), page.locator("#outcome tr.selected"));
    await page.keyboard.press("Tab");
    const first = page.locator("vscode-toolbar-button").first();
    assert.ok(await first.evaluate((button) => button.contains(document.activeElement)));
  });

  test("Space chooses a tab as Enter does", async () => {
    const { page } = host;
    await host.send(await scenarioMessage("statefulset-move"));
    await host.next("shown");
    await page.getByRole("tab", { name: "Outcome" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
    await page.locator("#timeline:visible").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.locator("#graph:visible").waitFor();
  });

  test("an event leads to its moment", async () => {
    await host.send(await scenarioMessage("all-pending"));
    await host.next("shown");
    await host.page.getByRole("tab", { name: "Events" }).click();
    const event = host.page.locator("#events tbody tr").first();
    const time = (await event.locator("button").first().textContent()) ?? "";
    await event.locator("button").first().click();
    await host.page.locator("#moment-time", { hasText: time }).waitFor();
    assert.deepEqual(host.complaints, []);
  });

  for (const width of [250, 330, 400, 520, 1000])
    test(`at ${width} px nothing is cut off in any tab or beside it`, async () => {
      const { page } = host;
      await page.setViewportSize({ width, height: 700 });
      await host.send(await scenarioMessage("statefulset-move"));
      await host.next("shown");
      for (const tab of await page.getByRole("tab").all()) {
        await tab.click();
        const panel = page.locator("vscode-tab-panel:visible");
        await panel.locator("table, #graph, #nodes details, form").first().waitFor();
        assert.equal(await beyondEdge(panel), 0, (await tab.textContent()) ?? "");
        assert.equal(await beyondEdge(page.locator("aside")), 0);
        assert.deepEqual(await barriersIn(page.mainFrame(), false), []);
      }
    });

  test("on a very low page, as after zooming in, tables and selected object keep some lines, and the page scrolls", async () => {
    const { page } = host;
    await page.setViewportSize({ width: 300, height: 400 });
    await host.send(await scenarioMessage("statefulset-move"));
    await host.next("shown");
    await page.locator("#outcome tr[data-ref]").first().click();
    for (const part of ["vscode-tab-panel:visible", "aside"]) {
      const { height } = (await page.locator(part).boundingBox()) ?? { height: 0 };
      assert.ok(height > 100, `${part}: ${height} px`);
    }
    await page.getByRole("button", { name: "Open YAML" }).click();
    assert.ok((await host.next("reveal")).ref.endsWith("data-db-0"));
    assert.ok((await page.evaluate(() => window.scrollY)) > 0);
    assert.deepEqual(await barriersIn(page.mainFrame(), false), []);
  });

  for (const width of [250, 330, 400, 520])
    test(`at ${width} px the times above the lanes do not overlap`, async () => {
      const { page } = host;
      await page.setViewportSize({ width, height: 700 });
      await host.send(await scenarioMessage("statefulset-move"));
      await host.next("shown");
      await page.getByRole("tab", { name: "Timeline" }).click();
      const times = page.locator(".scale span[aria-hidden]");
      await times.first().waitFor();
      const boxes = await times.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).filter((box) => box.width > 0),
      );
      assert.ok(boxes.length >= 2);
      for (const [i, { left }] of boxes.entries())
        if (i > 0) assert.ok(left > (boxes[i - 1]?.right ?? 0), `time ${i + 1}`);
    });

  test("when the page grows wide, the tables and the selected object get half each", async () => {
    const { page } = host;
    await page.setViewportSize({ width: 480, height: 700 });
    await host.send(await scenarioMessage("statefulset-move"));
    await host.next("shown");
    const widths = (): Promise<readonly number[]> =>
      page.evaluate(() =>
        ["main", "aside"].map((part) => document.querySelector(part)?.clientWidth ?? 0),
      );
    const [before = 0] = await widths();
    assert.ok(before > 400);
    await page.setViewportSize({ width: 1400, height: 700 });
    await page.locator("vscode-split-layout[split=vertical]").waitFor();
    const [tables = 0, selected = 0] = await widths();
    assert.ok(Math.abs(tables - selected) < 10, `${tables} and ${selected} px`);
  });

  test("snapshots and workloads have rows with the status that kubectl shows, and lanes", async () => {
    const { page } = host;
    await host.send(await withManifests("cloud-disk-dynamic", ...snapshot, nightly));
    await host.next("shown");
    const row = (kind: string): Locator => page.locator(`#outcome tr[data-ref^='${kind}/']`);
    await row("VolumeSnapshot").filter({ hasText: "ReadyToUse" }).getByText("Healthy").waitFor();
    await row("CronJob").filter({ hasText: "0 active" }).getByText("On its way").waitFor();
    await row("CronJob").click();
    await page.locator("#reason").getByText("makes its first Job when its time comes").waitFor();
    await page.getByRole("tab", { name: "Timeline" }).click();
    const lane = page.locator("#timeline tr[data-ref^='VolumeSnapshot/'] .stretch");
    assert.deepEqual(await lane.allTextContents(), ["Pending", "ReadyToUse"]);
    assert.deepEqual(host.complaints, []);
  });

  test("a CronJob leads to the form that creates a Job from it ahead of schedule", async () => {
    const { page } = host;
    const message = await withManifests("cloud-disk-dynamic", nightly);
    assert.ok(message.type === "scenario");
    await host.send(message);
    await host.next("shown");
    await page.locator("#outcome tr[data-ref='CronJob/default/backup']").click();
    await page.getByRole("button", { name: "Create Job…" }).press("Enter");
    const name = page.getByRole("textbox", { name: "Job name" });
    await page.waitForFunction(() => document.activeElement?.id === "what-if-job");
    assert.equal(await name.inputValue(), "backup-manual");
    await page.getByText("The CronJob will warn about a Job that it did not create").waitFor();
    await page.keyboard.press("Enter");
    const { hash } = await host.next("shown");
    const job = { namespace: "default", name: "backup-manual", from: "backup" };
    const steps = [{ type: "createJob", ...job }] as const;
    assert.equal(
      hash,
      traceHash(new Simulation(withSteps(message.reply.scenario, steps)).run().entries),
    );
    await page.locator("#reason").getByText("Job backup-manual has 1 of 1 pods").waitFor();
    assert.equal(await name.inputValue(), "backup-manual-2");
    await page.getByRole("tab", { name: "Outcome" }).click();
    await page.locator("#outcome tr[data-ref='Job/default/backup-manual']").waitFor();
    await page.getByRole("tab", { name: "What If" }).click();
    await page.getByRole("button", { name: "Save as Scenario" }).click();
    assert.deepEqual((await host.next("save")).steps, steps);
    await page.getByRole("button", { name: "Undo" }).click();
    await host.next("shown");
    await page.locator("#reason").getByText("makes its first Job when its time comes").waitFor();
    assert.deepEqual(host.complaints, []);
  });

  test("only an existing CronJob offers to create a Job from it", async () => {
    const { page } = host;
    await host.send(await withManifests("cloud-disk-dynamic", nightly));
    await host.next("shown");
    await page.locator("#outcome tr[data-ref^='PersistentVolumeClaim/']").click();
    await page.locator("#reason").waitFor();
    assert.equal(await page.locator("#create-job").count(), 0);
    await page.locator("#outcome tr[data-ref^='CronJob/']").click();
    await page.locator("#create-job").waitFor();
    await page.getByRole("tab", { name: "What If" }).click();
    await page.locator("#action").selectOption("delete");
    await page.locator("#what-if-object").selectOption("CronJob/default/backup");
    await page.locator("#do").click();
    await host.next("shown");
    await page.getByRole("tab", { name: "Outcome" }).click();
    await page.locator("#outcome tr[data-ref^='CronJob/']").click();
    await page.getByText("does not exist at this moment").waitFor();
    assert.equal(await page.locator("#create-job").count(), 0);
  });

  test("in a narrow page the graph shows the selected object first, wherever it stands", async () => {
    const { page } = host;
    await page.setViewportSize({ width: 400, height: 700 });
    await host.send(await withManifests("cloud-disk-dynamic", nightly));
    await host.next("shown");
    for (const kind of ["VolumeAttachment", "CronJob"]) {
      await page.getByRole("tab", { name: "Outcome" }).click();
      await page.locator(`#outcome tr[data-ref^='${kind}/']`).click();
      await page.getByRole("tab", { name: "Graph" }).click();
      await page.locator(`#graph .selected[data-ref^='${kind}/']`).waitFor();
      await page.waitForFunction(() => {
        const [frame, box] = [".graph", "#graph .selected"].map((found) =>
          document.querySelector(found)?.getBoundingClientRect(),
        );
        if (frame === undefined || box === undefined) return false;
        return box.left >= frame.left && box.right <= frame.right;
      });
    }
  });

  test("the graph of a CronJob leads to the claim that its pods will use", async () => {
    const { page } = host;
    await host.send(await withManifests("cloud-disk-dynamic", nightly));
    await host.next("shown");
    await page.locator("#outcome tr[data-ref^='CronJob/']").click();
    await page.getByRole("tab", { name: "Graph" }).click();
    await page.locator("#graph [data-ref^='PersistentVolumeClaim/']").getByText("Bound").waitFor();
    assert.equal(await page.locator("#graph path.wanted").count(), 1);
    await page.getByText("As a table").click();
    const claim = /makes pods that use \(not yet\) PersistentVolumeClaim default\/disk-pvc/;
    await page.getByRole("row", { name: claim }).waitFor();
  });

  test("in a narrow column a name breaks after its namespace or a hyphen", async () => {
    const { page } = host;
    await page.setViewportSize({ width: 330, height: 700 });
    await host.send(await scenarioMessage("statefulset-move"));
    await host.next("shown");
    await page.getByRole("tab", { name: "Timeline" }).click();
    const claim = page.locator("#timeline tr[data-ref^='PersistentVolumeClaim/'] th").first();
    const ends = await lineEnds(claim);
    assert.ok(ends.length > 0);
    for (const letter of ends) assert.match(letter, /[/-]/);
  });

  test("in a narrow table the name of a volume's claim breaks after its namespace", async () => {
    const { page } = host;
    await page.setViewportSize({ width: 480, height: 700 });
    const spec = {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "",
      capacity: { storage: "1Gi" },
      nfs: { server: "nas", path: "/export" },
      claimRef: { namespace: "default", name: "warehouse" },
    };
    const name = "volume-with-a-name-as-long-as-those-that-provisioners-make";
    const volume = { apiVersion: "v1", kind: "PersistentVolume", metadata: { name }, spec };
    await host.send(await withManifests("statefulset-move", volume));
    await host.next("shown");
    const claim = page.locator(`#outcome tr[data-ref$='${name}'] td[data-title]`);
    assert.deepEqual(await lineEnds(claim), ["/"]);
  });

  test("in half a window an event's object breaks between words, and nothing is cut off", async () => {
    const { page } = host;
    await page.setViewportSize({ width: 650, height: 700 });
    await host.send(await scenarioMessage("statefulset-move"));
    await host.next("shown");
    await page.getByRole("tab", { name: "Events" }).click();
    const object = page.locator("#events .link", { hasText: "persistentvolumeclaim/" }).first();
    const rowCount = await object.evaluate((link) => {
      const text = document.createRange();
      text.selectNodeContents(link);
      return new Set(Array.from(text.getClientRects(), ({ top }) => top)).size;
    });
    assert.ok(rowCount <= 3, `${rowCount} rows`);
    const events = page.locator("vscode-tab-panel", { has: page.locator("#events") });
    assert.equal(await beyondEdge(events), 0);
  });

  test("the page says that a cluster has no nodes, and that there are no events yet", async () => {
    const reply = await exampleScenario("all-pending");
    const { cluster } = reply.scenario;
    const scenario = { ...reply.scenario, cluster: { ...cluster, nodes: [] } };
    const { page } = host;
    await host.send({
      type: "scenario",
      version,
      reply: { ...reply, scenario },
      environments: [reply.environment],
    });
    await host.next("shown");
    await page.getByRole("tab", { name: "Nodes" }).click();
    await page.getByText("This cluster has no nodes.").waitFor();
    await page.getByRole("slider", { name: "Step" }).press("Home");
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByText("No events yet.").waitFor();
    assert.equal(await page.locator("#events").count(), 0);
  });

  test("a node shows its disks and mounts as a shell on it would", async () => {
    await host.send(await scenarioMessage("cloud-disk-dynamic"));
    await host.next("shown");
    await host.page.getByRole("tab", { name: "Nodes" }).click();
    const node = host.page.locator("#nodes details", { hasText: "/globalmount" }).first();
    await node.locator("summary").click();
    await node.getByText("$ lsblk").waitFor();
  });

  test("a node is shown as it is at the chosen moment", async () => {
    await host.send(await scenarioMessage("cloud-disk-dynamic"));
    await host.next("shown");
    const { page } = host;
    await page.getByRole("tab", { name: "Nodes" }).click();
    const nodes = page.locator("#nodes details");
    const mounted = nodes.filter({ hasText: "/globalmount" });
    await mounted.first().waitFor();
    const slider = page.getByRole("slider", { name: "Step" });
    await slider.press("Home");
    await page.locator("#nodes[aria-busy=false]").waitFor();
    await page.locator("#nodes").getByText("What a login to a node shows at +0.000s.").waitFor();
    assert.equal(await nodes.count(), 3);
    assert.equal(await mounted.count(), 0);
    await slider.press("End");
    await mounted.first().waitFor();
    assert.deepEqual(host.complaints, []);
  });

  test("a mark says what it stands for, and leads to its moment, its object and its event", async () => {
    await host.send(await scenarioMessage("all-pending"));
    await host.next("shown");
    const { page } = host;
    const warnings = page.getByRole("button", { name: /^Warning: / });
    const first = warnings.first();
    const text = (await first.getAttribute("title")) ?? "";
    const [time = "", reason = ""] = text.split(" ");
    await first.click();
    await page.locator("#moment-time", { hasText: time }).waitFor();
    await page.locator("#moment-text", { hasText: reason }).waitFor();
    const about = / on \S+ (\S+): /.exec(text)?.[1] ?? "";
    await page.locator("#selected-name", { hasText: about }).waitFor();
    await page.locator("#history tr[aria-current]", { hasText: reason }).waitFor();
    await page.getByRole("tab", { name: "Events" }).click();
    const entry = page.locator("#events tr[aria-current]", { hasText: reason });
    await inSight(page.locator("vscode-tab-panel", { has: page.locator("#events") }), entry);
    assert.deepEqual(host.complaints, []);
  });

  test("Tab reaches the marks, arrow keys go from one to the next", async () => {
    await host.send(await scenarioMessage("all-pending"));
    await host.next("shown");
    const { page } = host;
    const marks = page.getByRole("toolbar", { name: "Steps and warnings" }).getByRole("button");
    assert.equal(await marks.and(page.locator("[tabindex='0']")).count(), 1);
    await marks.and(page.locator("[tabindex='0']")).focus();
    await page.keyboard.press("Home");
    await page.locator("#moment-text", { hasText: "step 1: " }).waitFor();
    await page.keyboard.press("ArrowRight");
    const second = (await marks.nth(1).getAttribute("title")) ?? "";
    await page.locator("#moment-time", { hasText: second.split(" ")[0] ?? "" }).waitFor();
    assert.equal(await marks.nth(1).getAttribute("aria-current"), "step");
    assert.equal(await marks.nth(1).evaluate((mark) => mark === document.activeElement), true);
  });

  test("the timeline shows the statuses of each object, and a click on it leads to the moment there", async () => {
    await host.send(await scenarioMessage("cloud-disk-dynamic"));
    await host.next("shown");
    const { page } = host;
    await page.getByRole("tab", { name: "Timeline" }).click();
    const lane = page.locator("#timeline tr", { hasText: "default/web" });
    const statuses = lane.locator(".stretch");
    assert.deepEqual(await statuses.allTextContents(), ["Pending", "ContainerCreating", "Running"]);
    const title = (await statuses.nth(1).getAttribute("title")) ?? "";
    const status = await statuses.nth(1).boundingBox();
    const all = await lane.locator(".lane").boundingBox();
    assert.ok(status !== null && all !== null);
    await lane.locator(".lane").click({ position: { x: status.x - all.x + 1, y: 5 } });
    await page.locator("#moment-time", { hasText: title.split(" ")[2] ?? "" }).waitFor();
    await page.locator("#selected-name", { hasText: "default/web" }).waitFor();
    await page.locator("#history tr[aria-current]").waitFor();
    assert.deepEqual(host.complaints, []);
  });

  test("arrow keys go from lane to lane, and along a lane from one entry to the next", async () => {
    await host.send(await scenarioMessage("all-pending"));
    await host.next("shown");
    const { page } = host;
    await page.getByRole("tab", { name: "Timeline" }).click();
    const lanes = page.locator("#timeline tr[data-ref]");
    assert.equal(await lanes.and(page.locator("[tabindex='0']")).count(), 1);
    await lanes.and(page.locator("[tabindex='0']")).focus();
    await page.keyboard.press("End");
    const last = (await lanes.last().locator("th").textContent()) ?? "";
    await page.locator("#selected-name", { hasText: last }).waitFor();
    const pod = page.locator("#timeline tr[data-ref^='Pod/'] th").last();
    const name = (await pod.textContent()) ?? "";
    await pod.click();
    await page.keyboard.press("ArrowLeft");
    await page.locator("#moment-text", { hasText: `FailedScheduling on Pod ${name}` }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.locator("#moment-text", { hasText: `created Pod ${name}` }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.locator("#moment-text", { hasText: `FailedScheduling on Pod ${name}` }).waitFor();
    await page.keyboard.press("Enter");
    assert.equal((await host.next("reveal")).ref, `Pod/${name}`);
  });

  test("the graph shows what the selected object depends on at the chosen moment, and leads on", async () => {
    await host.send(await scenarioMessage("cloud-disk-dynamic"));
    await host.next("shown");
    const { page } = host;
    await page.locator("#outcome tr[data-ref^='PersistentVolumeClaim/']").click();
    await page.getByRole("tab", { name: "Graph" }).click();
    const box = (kind: string): Locator => page.locator(`#graph [data-ref^='${kind}/']`);
    await box("PersistentVolumeClaim").getByText("Bound").waitFor();
    await box("Node").waitFor();
    assert.equal(await page.locator("#graph path.wanted").count(), 0);
    await box("PersistentVolumeClaim").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    const volume = await box("PersistentVolume").getAttribute("data-ref");
    await page.locator("#selected-name", { hasText: volume?.split("/").at(-1) ?? "" }).waitFor();
    await page.getByText("As a table").click();
    await page.getByRole("row", { name: /is bound to PersistentVolume disk-/ }).waitFor();
    await page.getByRole("slider", { name: "Step" }).press("Home");
    await box("PersistentVolume").getByText("does not exist").waitFor();
    assert.equal(await box("Node").count(), 0);
    assert.deepEqual(host.complaints, []);
  });

  test("the filter by name applies to outcome, timeline and events, and ends with the environment", async () => {
    const { page } = host;
    const claims = Array.from({ length: 30 }, (_, i) => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: `scratch-${i}` },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }));
    await host.send(await withManifests("all-pending", ...claims));
    await host.next("shown");
    await page.getByRole("searchbox", { name: "Filter by name" }).fill("scratch-2");
    const found = await page.locator("#outcome tr[data-ref]").count();
    assert.equal(found, 11);
    await page.getByRole("tab", { name: "Timeline" }).click();
    assert.equal(await page.locator("#timeline tr[data-ref]").count(), found);
    await page.getByRole("tab", { name: "Events" }).click();
    const events = page.locator("#events tbody tr");
    assert.equal(await events.filter({ hasText: "scratch-2" }).count(), await events.count());
    await page.getByRole("tab", { name: "Timeline" }).click();
    await page.getByRole("searchbox", { name: "Filter by name" }).fill("nothing");
    await page.getByText("No name contains “nothing”.").and(page.locator(":visible")).waitFor();
    // Another environment has other names, so the filter is cleared.
    await host.send(await scenarioMessage("nas-static"));
    await host.next("shown");
    await page.locator("#timeline tr[data-ref]").first().waitFor();
  });

  test("the legend explains only the marks that this run has", async () => {
    await host.send(await scenarioMessage("all-pending"));
    await host.next("shown");
    const legend = host.page.getByRole("list", { name: "Marks" });
    assert.deepEqual(
      (await legend.getByRole("listitem").allTextContents()).map((text) => text.trim()),
      ["Your step", "Warning"],
    );
  });

  test("a rule that a candidate fails has Kubernetes' name, and ours in its tooltip", async () => {
    await host.send(await scenarioMessage("all-pending"));
    await host.next("shown");
    const { page } = host;
    await page.locator("#outcome tr[data-ref^='Pod/']").first().click();
    const rule = page.locator("#candidates td[title]").first();
    assert.match((await rule.textContent()) ?? "", /\((?:[A-Z][a-z]+)+\)$/);
    assert.match((await rule.getAttribute("title")) ?? "", /^[a-z-]+$/);
  });

  test("another environment can be chosen", async () => {
    const reply = await exampleScenario("all-pending");
    const other = (await exampleScenario("nas-static")).environment;
    const environments = [reply.environment, other];
    await host.send({ type: "scenario", version, reply, environments });
    await host.next("shown");
    await host.page.getByRole("combobox", { name: "Environment" }).selectOption(other.id);
    assert.equal((await host.next("choose")).environment, other.id);
  });

  test("a cluster that no file names is marked as assumed", async () => {
    const reply = await exampleScenario("nas-static");
    const cluster = host.page.locator("#cluster");
    for (const profileFrom of ["project", "default"] as const) {
      const environment = { ...reply.environment, profileFrom };
      const message: ToPage = { type: "scenario", version, environments: [environment], reply };
      await host.send({ ...message, reply: { ...reply, environment } });
      await host.next("shown");
      const text = (await cluster.textContent()) ?? "";
      assert.equal(text.includes("(assumed)"), profileFrom === "default", text);
    }
  });

  test("an imported cluster exists from the start; objects that stay as they were are listed on request", async () => {
    const reply = await importedScenario("cloud-disk-dynamic", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "other" },
      spec: { containers: [{ name: "c", image: "nginx" }] },
    });
    await host.send({ type: "scenario", version, reply, environments: [reply.environment] });
    await host.next("shown");
    const { page } = host;
    await page.locator("#cluster", { hasText: "taken from cluster.yaml" }).waitFor();
    await page.locator("#outcome tr", { hasText: "default/other" }).getByText("Running").waitFor();
    const untouched = page.locator("#outcome tr", { hasText: "default/web" });
    assert.equal(await untouched.count(), 0);
    await page.getByRole("slider", { name: "Step" }).focus();
    await page.keyboard.press("Home");
    await page.getByText("is as it was imported").waitFor();
    await page.getByRole("checkbox", { name: "of the imported cluster" }).check();
    await untouched.getByText("Running").waitFor();
    assert.deepEqual(host.complaints, []);
  });

  test("a What If step gives the trace hash of Node, can be saved and can be taken back", async () => {
    const reply = await exampleScenario("statefulset-move");
    await host.send({ type: "scenario", version, reply, environments: [reply.environment] });
    const before = await host.next("shown");
    const { page } = host;
    await page.getByRole("tab", { name: "What If" }).click();
    assert.equal(await page.locator("#do").isEnabled(), true);
    await page.locator("#action").selectOption("drain");
    const node = await page.locator("#what-if-node").inputValue();
    await page.locator("#do").click();
    const after = await host.next("shown");
    const steps = [{ type: "drain", name: node }] as const;
    assert.equal(
      after.hash,
      traceHash(new Simulation(withSteps(reply.scenario, steps)).run().entries),
    );
    await page.locator("#done li", { hasText: `Drain ${node}` }).waitFor();
    await page.locator("#selected-name", { hasText: "default/db-0" }).waitFor();
    await page.getByRole("button", { name: "Save as Scenario" }).click();
    const saved = await host.next("save");
    assert.deepEqual([saved.environment, saved.steps], [reply.environment.id, steps]);
    await host.send({ type: "save", version });
    assert.deepEqual((await host.next("save")).steps, steps);
    await page.getByRole("button", { name: `Undo: Drain ${node}` }).click();
    assert.equal((await host.next("shown")).hash, before.hash);
    assert.deepEqual(host.complaints, []);
  });

  test("a step leads to what it made worse, not to what was bad before; a step that changes nothing leads nowhere", async () => {
    const { page } = host;
    await host.send(await withManifests("statefulset-move", ...snapshot));
    await host.next("shown");
    await page.locator("#selected-name", { hasText: "default/before-upgrade" }).waitFor();
    await page.getByRole("tab", { name: "What If" }).click();
    await page.locator("#action").selectOption("drain");
    await page.locator("#do").click();
    await host.next("shown");
    await page.locator("#selected-name", { hasText: "default/db-0" }).waitFor();
    const told = page.getByRole("status").filter({ hasText: "the last step" });
    await told.getByRole("button", { name: "Pod default/db-0" }).waitFor();
    await page.locator("#action").selectOption("kubelet");
    await page.getByText("Kubernetes does not notice at once: let time pass next.").waitFor();
    await page.locator("#do").click();
    await host.next("shown");
    await page.locator("#selected-name", { hasText: "default/db-0" }).waitFor();
    await page.getByText("The last step has made nothing worse.").waitFor();
  });

  for (const width of [400, 1000])
    test(`at ${width} px the object that a step selects is in sight, and none of its reasons is cut off`, async () => {
      const { page } = host;
      await page.setViewportSize({ width, height: 700 });
      await host.send(await scenarioMessage("statefulset-move"));
      await host.next("shown");
      await page.getByRole("tab", { name: "What If" }).click();
      await page.locator("#action").selectOption("drain");
      await page.locator("#do").click();
      await host.next("shown");
      await page.getByRole("tab", { name: "Outcome" }).click();
      await page.locator("#candidates").waitFor();
      const outcome = page.locator("vscode-tab-panel", { has: page.locator("#outcome") });
      await inSight(outcome, page.locator("#outcome tr.selected"));
      assert.equal(await beyondEdge(page.locator("aside")), 0);
      assert.equal(await beyondEdge(outcome), 0);
      await inSight(page.locator("main"), page.getByRole("tab", { name: "Outcome" }));
    });

  test("at 250 px each tab is in sight, and choosing one scrolls nothing sideways", async () => {
    const { page } = host;
    await page.setViewportSize({ width: 250, height: 700 });
    await host.send(await scenarioMessage("statefulset-move"));
    await host.next("shown");
    const main = page.locator("main");
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      const place = await tab.boundingBox();
      assert.ok(place !== null && place.x >= 0 && place.x + place.width <= 250);
      assert.equal(await main.evaluate(({ scrollLeft }) => scrollLeft), 0);
    }
  });

  test("at 210 px the moment and its step are not cut off beside the legend", async () => {
    const { page } = host;
    await page.setViewportSize({ width: 210, height: 700 });
    await host.send(await scenarioMessage("all-pending"));
    await host.next("shown");
    await page.locator(".legend", { hasText: "Warning" }).waitFor();
    const line = await page.locator(".time-text").boundingBox();
    const step = await page.locator(".time-text .dim").boundingBox();
    assert.ok(line !== null && step !== null && step.x + step.width <= line.x + line.width);
  });

  test("at 400 px no object's history or reasons are cut off, however long its name", async () => {
    const { page } = host;
    await page.setViewportSize({ width: 400, height: 700 });
    await host.send(await scenarioMessage("statefulset-move"));
    await host.next("shown");
    for (const row of await page.locator("#outcome tr[data-ref]").all()) {
      await row.click();
      const [, ...name] = ((await row.getAttribute("data-ref")) ?? "").split("/");
      await page.locator("#selected-name", { hasText: name.filter(Boolean).join("/") }).waitFor();
      assert.equal(await beyondEdge(page.locator("aside")), 0, name.join("/"));
    }
  });

  test("in half a window no short word of a reason is broken", async () => {
    const { page } = host;
    await page.setViewportSize({ width: 522, height: 800 });
    await host.send(await scenarioMessage("all-pending"));
    await host.next("shown");
    await page.locator('#outcome tr[data-ref="Pod/default/mysql-0"]').click();
    const found = page.locator("#candidates td", { hasText: /^Pending$/ }).first();
    const lineCount = await found.evaluate((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    });
    assert.equal(lineCount, 1);
  });

  test("a step can be filled in and run by the keyboard, and its fields are in one line", async () => {
    await host.send(await scenarioMessage("statefulset-move"));
    await host.next("shown");
    const { page } = host;
    await page.getByRole("tab", { name: "What If" }).click();
    // The list of objects has the long names of VolumeAttachments.
    await page.locator("#action").selectOption("delete");
    const list = await page.getByRole("combobox", { name: "Object" }).boundingBox();
    assert.ok((list?.width ?? 0) <= 320, `${list?.width} px`);
    await page.locator("#action").selectOption("scale");
    const fields = [
      page.getByRole("combobox", { name: "Workload" }),
      page.getByRole("textbox", { name: "Replicas" }),
      page.locator("#do"),
    ];
    const boxes = await Promise.all(fields.map((field) => field.boundingBox()));
    const [first, ...others] = boxes.map((box) => box && [Math.round(box.y), box.height]);
    for (const other of others) assert.deepEqual(other, first);
    await page.getByRole("textbox", { name: "Replicas" }).fill("1");
    await page.keyboard.press("Enter");
    await host.next("shown");
    await page.locator("#done li", { hasText: "Scale StatefulSet default/db to 1" }).waitFor();
  });

  for (const tab of ["Outcome", "Timeline", "Graph", "Events", "Nodes", "What If"])
    test(`${tab} has no barriers for users of a screen reader or of the keyboard alone`, async () => {
      const { page } = host;
      await host.send(await scenarioMessage("statefulset-move"));
      await host.next("shown");
      await page.locator("#outcome tr[data-ref]").first().click();
      await page.getByRole("tab", { name: tab }).click();
      await page.locator("vscode-tab-panel:visible").waitFor();
      if (tab === "Nodes") await page.locator("#nodes details").first().waitFor();
      for (const details of await page.locator("summary:visible").all()) await details.click();
      assert.deepEqual(await barriersIn(page.mainFrame(), false), []);
    });

  test("the theme's colors stay if the system forces others, and with them the shapes of marks", async () => {
    const { page } = host;
    await page.emulateMedia({ forcedColors: "active" });
    await page.evaluate(() =>
      document.documentElement.style.setProperty("--vscode-foreground", "rgb(1, 2, 3)"),
    );
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), "rgb(1, 2, 3)");
  });

  test("an action says that this cluster has nothing to act on", async () => {
    await host.send(await scenarioMessage("all-pending"));
    await host.next("shown");
    const { page } = host;
    await page.getByRole("tab", { name: "What If" }).click();
    await page.locator("#action").selectOption("fault");
    await page.getByText("This cluster has no driver to choose.").waitFor();
    await page.locator("#do[disabled]").waitFor();
  });

  test("steps are kept when the files change, and dropped when the environment changes", async () => {
    const reply = await exampleScenario("statefulset-move");
    const send = (of: typeof reply): Promise<void> =>
      host.send({ type: "scenario", version, reply: of, environments: [of.environment] });
    await send(reply);
    await host.next("shown");
    await host.page.getByRole("tab", { name: "What If" }).click();
    await host.page.locator("#action").selectOption("advance");
    await host.page.locator("#do").click();
    await host.next("shown");
    await send({ ...reply, environment: { ...reply.environment, revision: 99 } });
    await host.next("shown");
    await host.page.locator("#done li", { hasText: "Let 600 s pass" }).waitFor();
    await send(await exampleScenario("all-pending"));
    await host.next("shown");
    assert.equal(await host.page.locator("#done li").count(), 0);
  });

  test("the extension can select an object", async () => {
    await host.send(await scenarioMessage("all-pending"));
    await host.next("shown");
    const ref = "PersistentVolumeClaim/default/minio";
    await host.send({ type: "select", version, ref });
    await host.page.locator("#selected-name", { hasText: "default/minio" }).waitFor();
    await host.page.locator("#reason").getByText("stays Pending").first().waitFor();
  });

  test("if the extension selects a namespace, the object that is worst off stays selected", async () => {
    await host.send(await scenarioMessage("all-pending"));
    await host.next("shown");
    const name = (await host.page.locator("#selected-name").textContent()) ?? "";
    await host.send({ type: "select", version, ref: "Namespace//default" });
    await host.send({ type: "save", version });
    await host.next("save");
    assert.equal(await host.page.locator("#selected-name").textContent(), name);
  });

  test("an object that the extension selects during a new run is selected when the run ends", async () => {
    const scenario = await scenarioMessage("all-pending");
    await host.send(scenario);
    await host.next("shown");
    const ref = "PersistentVolumeClaim/default/minio";
    const messages = JSON.stringify([scenario, { type: "select", version, ref }]);
    await host.page.evaluate((text) => {
      for (const message of JSON.parse(text)) window.postMessage(message, "*");
    }, messages);
    await host.next("shown");
    await host.page.locator("#selected-name", { hasText: "default/minio" }).waitFor();
    assert.match((await host.page.locator("#reason").textContent()) ?? "", /stays Pending/);
  });

  test("documents that cannot be read are counted, and Enter there asks the extension to show them", async () => {
    const reply = await exampleScenario("all-pending");
    const send = (unreadableCount: number): Promise<void> => {
      const environment = { ...reply.environment, unreadableCount };
      const environments = [environment];
      return host.send({
        type: "scenario",
        version,
        reply: { ...reply, environment },
        environments,
      });
    };
    await send(0);
    await host.next("shown");
    assert.equal(await host.page.getByText("cannot be read").count(), 0);
    await send(1);
    await host.page.getByText("1 document cannot be read").waitFor();
    await send(3);
    await host.page.getByRole("button", { name: "3 documents cannot be read" }).press("Enter");
    await host.next("unreadable");
  });

  test("a workspace without manifests says so", async () => {
    await host.send({ type: "nothing", version, text: "No file holds a Kubernetes object." });
    await host.page.getByText("No file holds a Kubernetes object.").waitFor();
  });

  test("a message of another version changes nothing", async () => {
    const other = { type: "nothing", version: 0, text: "from another time" };
    await host.page.evaluate((message) => window.postMessage(message, "*"), other);
    await host.send(await scenarioMessage("all-pending"));
    await host.next("shown");
    assert.equal(await host.page.getByText("from another time").count(), 0);
  });
});

/** Waits until a part is within the pane's height. */
async function inSight(pane: Locator, part: Locator): Promise<void> {
  const [outer, inner] = [await pane.elementHandle(), await part.elementHandle()];
  await pane.page().waitForFunction(
    ([sees, lies]) =>
      sees !== undefined &&
      lies !== undefined &&
      lies.getBoundingClientRect().top >= sees.getBoundingClientRect().top &&
      lies.getBoundingClientRect().bottom <= sees.getBoundingClientRect().bottom,
    [outer, inner].flatMap((handle) => handle ?? []),
  );
}

/** Returns how many pixels of a pane's content can only be seen by scrolling sideways. */
function beyondEdge(pane: Locator): Promise<number> {
  return pane.evaluate((element) => element.scrollWidth - element.clientWidth);
}

/** Returns the last letter of each line but the last. */
function lineEnds(cell: Locator): Promise<readonly string[]> {
  return cell.evaluate((element) => {
    const letters = [...element.childNodes].flatMap((node) =>
      [...(node.textContent ?? "")].map((letter, i) => {
        const range = document.createRange();
        range.setStart(node, i);
        range.setEnd(node, i + 1);
        return { letter, top: range.getBoundingClientRect().top };
      }),
    );
    return letters.flatMap(({ letter, top }, i) =>
      (letters[i + 1]?.top ?? top) > top ? [letter] : [],
    );
  });
}
