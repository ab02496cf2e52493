import { strict as assert } from "node:assert";
import { type Editor, openEditor } from "./editor.ts";

suite("a person in the editor", function () {
  this.timeout(120_000);
  let editor: Editor | undefined;

  teardown(async function () {
    if (this.currentTest?.state === "failed") await editor?.takePicture("failure");
    await editor?.close();
    editor = undefined;
  });

  test("sees the squiggle, reads the hover, simulates, goes back in time and finds the line", async () => {
    editor = await openEditor({ theme: "Default Dark Modern" });
    const { page, simulation } = editor;

    await editor.openFile("all-pending/minio.yaml");
    await page.locator(".monaco-editor .cdr[class*=squiggly]").first().waitFor();
    await editor.word("PersistentVolumeClaim").hover();
    const hover = page.locator(".monaco-hover:visible .hover-contents").first();
    await hover.getByText("Pending").first().waitFor();
    await editor.takePicture("hover");

    await editor.runCommand("Claimcheck: Simulate Cluster");
    const claim = simulation.locator("#outcome tr", { hasText: "minio" }).first();
    await claim.click();
    await simulation.locator("#selected-name", { hasText: "minio" }).waitFor();
    await simulation.locator("#reason").getByText("Pending").first().waitFor();
    assert.match((await simulation.locator("#trace-hash").textContent()) ?? "", /^[0-9a-f]{16,}$/);
    await editor.takePicture("simulation-dark");

    const slider = simulation.getByRole("slider", { name: "Step" });
    await slider.focus();
    await slider.press("Home");
    await simulation.locator("#moment-time", { hasText: "+0.000s" }).waitFor();
    await simulation.getByText("does not exist at this moment").waitFor();
    await slider.press("End");
    await simulation.locator("#selected-name", { hasText: "minio" }).waitFor();

    await simulation.getByRole("tab", { name: "Events" }).click();
    const event = simulation.locator("#events tbody tr", { hasText: "FailedScheduling" }).first();
    await event.locator("button").first().click();
    await event.waitFor();

    await simulation.getByRole("tab", { name: "Outcome" }).click();
    await simulation.locator("#outcome tr", { hasText: "redis" }).first().click();
    await simulation.getByRole("button", { name: "Open YAML" }).first().click();
    await page.getByRole("tab", { name: "redis.yaml" }).waitFor();
  });

  test("sees the same in a light theme, and an edit changes the simulation", async () => {
    editor = await openEditor({ theme: "Default Light Modern" });
    const { page, simulation } = editor;
    await editor.openFile("cloud-disk-dynamic/app.yaml");
    await editor.runCommand("Claimcheck: Simulate Cluster");
    const pod = simulation.locator("#outcome tr", { hasText: "default/web" });
    await pod.getByText("Running").waitFor();
    const hash = (await simulation.locator("#trace-hash").textContent()) ?? "";
    await editor.takePicture("simulation-light");

    await editor.word("web").click();
    await editor.runCommand("Claimcheck: Simulate Cluster");
    await simulation.locator("#selected-name", { hasText: "default/web" }).waitFor();

    await editor.word("30Gi").dblclick();
    await page.keyboard.type("40Gi");
    await simulation.locator("#trace-hash").filter({ hasNotText: hash }).waitFor();
  });

  test("runs the scenarios in the Test Explorer, and sees where one fails after an edit", async () => {
    editor = await openEditor();
    const { page } = editor;
    await editor.openFile("pre-bound/claim-side.yaml");
    await page.locator(".monaco-editor .view-line").first().waitFor();
    await editor.runCommand("Testing: Focus on Test Explorer View");
    const rows = page.locator(".test-explorer .monaco-list-row");
    const scenario = rows.filter({ hasText: "Who gets which volume, and how a claim is lost" });
    await scenario.waitFor();
    await editor.runCommand("Test: Run All Tests");
    await scenario.locator(".codicon-testing-passed-icon").waitFor();
    assert.equal(await rows.locator(".codicon-testing-failed-icon").count(), 0);
    await editor.takePicture("scenarios");

    await page.locator(".monaco-editor .view-line").first().click();
    await editor.openFile("pre-bound/pre-bound.scenario.yaml");
    await editor.word("ClaimLost").dblclick();
    await page.keyboard.type("ClaimFound");
    await editor.runCommand("Test: Run Tests in Current File");
    await scenario.locator(".codicon-testing-failed-icon").waitFor();
    await editor.takePicture("scenario-failed");
  });

  test("sees the same with the extension installed from its package", async () => {
    editor = await openEditor({ installed: true });
    const { page, simulation } = editor;
    await editor.openFile("all-pending/minio.yaml");
    await page.locator(".monaco-editor .cdr[class*=squiggly]").first().waitFor();
    await editor.runCommand("Claimcheck: Simulate Cluster");
    await simulation.locator("#selected-name", { hasText: "minio" }).waitFor();
  });

  test("sees squiggle and simulation where there is no Node, from a language server in a worker", async () => {
    editor = await openEditor({ inBrowser: true });
    const { page, simulation } = editor;
    await editor.openFile("all-pending/minio.yaml");
    await page.locator(".monaco-editor .cdr[class*=squiggly]").first().waitFor();
    await editor.runCommand("Claimcheck: Simulate Cluster");
    await simulation.locator("#outcome tr", { hasText: "minio" }).first().waitFor();
  });
});
