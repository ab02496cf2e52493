import { strict as assert } from "node:assert";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { watch } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { barriersIn } from "./accessibility.ts";
import { type Editor, openEditor } from "./editor.ts";

/** What kubectl prints of a cluster, reduced to the fields that matter here. */
const runningCluster = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: { name: worker-1, uid: "1" }
- apiVersion: v1
  kind: PersistentVolume
  metadata: { name: disk, uid: "2" }
  spec:
    accessModes: [ReadWriteOnce]
    capacity: { storage: 1Gi }
    claimRef: { kind: PersistentVolumeClaim, namespace: default, name: data, uid: "3" }
    nfs: { server: nas, path: /export }
    persistentVolumeReclaimPolicy: Retain
    volumeMode: Filesystem
  status: { phase: Bound }
- apiVersion: v1
  kind: PersistentVolumeClaim
  metadata:
    name: data
    namespace: default
    uid: "3"
    annotations: { pv.kubernetes.io/bind-completed: "yes" }
  spec:
    accessModes: [ReadWriteOnce]
    resources: { requests: { storage: 1Gi } }
    storageClassName: ""
    volumeMode: Filesystem
    volumeName: disk
  status: { phase: Bound, accessModes: [ReadWriteOnce], capacity: { storage: 1Gi } }
`;

const refusedChange = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  accessModes: [ReadWriteMany]
  resources: { requests: { storage: 1Gi } }
  storageClassName: ""
`;

const misspelledClass = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: ebs.csi.aws.com
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: fst
  resources: { requests: { storage: 1Gi } }
`;

const claimOfNoCluster = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: fast
  resources: { requests: { storage: 1Gi } }
---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: web, image: nginx, volumeMounts: [{ name: data, mountPath: /data }] }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;

const claimTemplate = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ .Release.Name }}-data
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: {{ .Values.storage.class | quote }}
  resources: { requests: { storage: 1Gi } }
`;

suite("a person in the editor", function () {
  this.timeout(120_000);
  // VS Code itself sometimes loses a click or the focus on a busy machine; what is broken fails twice.
  this.retries(1);
  let editor: Editor | undefined;
  let userDataDir: string | undefined;

  teardown(async function () {
    if (this.currentTest?.state === "failed") await editor?.takePicture("failure");
    await editor?.close();
    editor = undefined;
    if (userDataDir !== undefined) rmSync(userDataDir, { recursive: true, force: true });
    userDataDir = undefined;
  });

  test("sees the squiggle, reads the hover, simulates, goes back in time and finds the line", async () => {
    editor = await openEditor({ theme: "Default Dark Modern" });
    const { page, simulation } = editor;

    await editor.openFile("all-pending/minio.yaml");
    await page.locator(".monaco-editor .cdr[class*=squiggly]").first().waitFor();
    // When the lenses come, they push the lines down, away from the pointer.
    await page.locator(".codelens-decoration", { hasText: "Simulate" }).first().waitFor();
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
    assert.deepEqual(await barriersIn(await editor.simulationFrame()), []);
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

  test("can read warnings in a light theme too, and sees an edit change the simulation", async () => {
    editor = await openEditor({ theme: "Default Light Modern" });
    const { page, simulation } = editor;
    await editor.openFile("cloud-disk-dynamic/app.yaml");
    await editor.runCommand("Claimcheck: Simulate Cluster");
    const pod = simulation.locator("#outcome tr", { hasText: "default/web" });
    await pod.getByText("Running").waitFor();
    const hash = (await simulation.locator("#trace-hash").textContent()) ?? "";
    assert.deepEqual(await barriersIn(await editor.simulationFrame()), []);
    await editor.takePicture("simulation-light");
    await simulation.getByRole("tab", { name: "Graph" }).click();
    await simulation.locator("#graph").getByText("Running").waitFor();
    assert.deepEqual(await barriersIn(await editor.simulationFrame()), []);
    await editor.takePicture("graph-light");
    await simulation.getByRole("tab", { name: "Outcome" }).click();

    await editor.word("web").click();
    await editor.runCommand("Claimcheck: Simulate Cluster");
    await simulation.locator("#selected-name", { hasText: "default/web" }).waitFor();

    await editor.word("30Gi").dblclick();
    await page.keyboard.type("40Gi");
    await simulation.locator("#trace-hash").filter({ hasNotText: hash }).waitFor();

    const environment = simulation.getByRole("combobox", { name: "Environment" });
    await environment.selectOption({ label: "all-pending" });
    await simulation.locator("#outcome tr[data-ref^='Pod/']").first().click();
    await simulation.getByRole("tab", { name: "Events" }).click();
    await simulation.locator("#events tr.related", { hasText: "Warning" }).first().waitFor();
    assert.deepEqual(await barriersIn(await editor.simulationFrame()), []);
    await editor.takePicture("events-light");
  });

  test("gets the results for a large workspace kept in the editor's own folder for the next start", async () => {
    const folder = mkdtempSync(join(tmpdir(), "claimcheck-user-"));
    userDataDir = folder;
    const claims = Array.from(
      { length: 41 },
      (_, at) => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data-${at} }
spec: { accessModes: [ReadWriteOnce], storageClassName: fst, resources: { requests: { storage: 1Gi } } }
`,
    );
    editor = await openEditor({
      userDataDir: folder,
      files: {
        "all-pending/large/claimcheck.yaml": "profile: eks\n",
        "all-pending/large/claims.yaml": claims.join("---\n"),
      },
    });
    const isKept = (): boolean =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).some((path) =>
        /workspaceStorage.+claimcheck\.claimcheck.[0-9a-f]+\.txt$/.test(path),
      );
    await editor.openFile("large/claims.yaml");
    await editor.page.locator(".monaco-editor .cdr[class*=squiggly]").first().waitFor();
    const changes = watch(folder, { recursive: true });
    if (!isKept()) for await (const _ of changes) if (isKept()) break;
  });

  test("follows the page's advice to the line, makes the change, and sees the claim bound", async () => {
    editor = await openEditor({
      files: {
        "all-pending/advised/claimcheck.yaml": "profile: eks\n",
        "all-pending/advised/claim.yaml": misspelledClass,
      },
    });
    const { page, simulation } = editor;
    await editor.openFile("advised/claim.yaml");
    await editor.runCommand("Claimcheck: Simulate Cluster");
    const claim = simulation.locator("#outcome tr[data-ref^='PersistentVolumeClaim/']");
    await claim.getByText("Pending").waitFor();
    await claim.click();
    const advice = simulation.locator("#fixes li", { hasText: '"fast"' }).first();
    await advice.getByRole("button", { name: "Open YAML" }).click();
    await page.locator("[id='status.editor.selection']", { hasText: "3 selected" }).waitFor();
    await page.keyboard.type("fast");
    await claim.getByText("Bound").waitFor();
    await simulation.locator("#reason").getByText("Healthy").waitFor();
  });

  test("chooses the cluster at a missing class, then one of its classes, and sees the claim bound", async () => {
    editor = await openEditor({
      files: {
        "all-pending/unnamed/claimcheck.yaml": "rules: {}\n",
        "all-pending/unnamed/claim.yaml": claimOfNoCluster,
      },
    });
    const { page } = editor;
    await editor.openFile("unnamed/claim.yaml");
    await page.locator(".monaco-editor .cdr[class*=squiggly]").first().waitFor();
    const fix = async (title: string): Promise<void> => {
      await page.keyboard.press("Control+.");
      const offered = page.locator(".action-widget .monaco-list-row");
      await offered.filter({ hasText: title }).first().click();
    };
    // When the lenses come, they push the lines down, away from the pointer.
    await page.locator(".codelens-decoration", { hasText: "Simulate" }).first().waitFor();
    await editor.word("fast").click();
    await fix("Choose your cluster in place of “generic”");
    await page.locator(".quick-input-title", { hasText: "Cluster Profile" }).waitFor();
    await page.keyboard.type("kind");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "cluster profile kind" }).waitFor();
    await fix("Change to “standard”");
    await page.locator(".codelens-decoration", { hasText: "bound to a new volume" }).waitFor();
  });

  test("sees every object's outcome in the Explorer, opens the line to blame, and sees the claim bound", async () => {
    editor = await openEditor({
      theme: "Default Light Modern",
      files: {
        "all-pending/advised/claimcheck.yaml": "profile: eks\n",
        "all-pending/advised/claim.yaml": misspelledClass,
      },
    });
    const { page } = editor;
    await editor.openFile("all-pending/minio.yaml");
    // The view appears as soon as it has something to show.
    await page.locator(".monaco-editor .cdr[class*=squiggly]").first().waitFor();
    await editor.runCommand("Explorer: Focus on Storage Outcome View");
    const row = (name: string | RegExp): Locator =>
      page.locator(".customview-tree").getByRole("treeitem", { name });
    await row("advised").click();
    const claim = row("Stuck: data stays Pending");
    await claim.locator(".codicon-circle-slash").waitFor();
    // The keys go from the cluster through the kind to the claim, and open its tooltip.
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Control+K");
    await page.keyboard.press("Control+I");
    const tooltip = page.locator(".monaco-hover:visible");
    await tooltip.locator("strong", { hasText: 'class "fst" does not exist' }).waitFor();
    await tooltip.locator("li", { hasText: 'set spec.storageClassName to "fast"' }).waitFor();
    await editor.takePicture("outcome-light");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "claim.yaml" }).waitFor();
    await page.locator("[id='status.editor.selection']", { hasText: "3 selected" }).waitFor();
    await page.keyboard.type("fast");
    await row("Healthy: data is bound").waitFor();
  });

  test("mends a chart's value at the squiggle, sees the page follow, and reads the claim's outcome in the template", async () => {
    editor = await openEditor({
      files: {
        "all-pending/chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
        "all-pending/chart/claimcheck.yaml": "profile: eks\n",
        "all-pending/chart/values.yaml": "storage:\n  class: gp22\n",
        "all-pending/chart/templates/shop-claim.yaml": claimTemplate,
      },
    });
    const { page, simulation } = editor;
    await editor.openFile("chart/values.yaml");
    await page.locator(".monaco-editor .cdr[class*=squiggly]").first().waitFor();
    await editor.runCommand("Claimcheck: Simulate Cluster");
    const claim = simulation.locator("#outcome tr", { hasText: "default/shop-data" });
    await claim.getByText("Pending").waitFor();
    await editor.word("gp22").dblclick();
    await page.keyboard.type("gp2");
    await editor.takePicture("chart-values");
    await claim.getByText("waits").or(claim.getByText("Bound")).first().waitFor();
    await editor.openFile("templates/shop-claim.yaml");
    await page.locator(".codelens-decoration", { hasText: "waits" }).first().waitFor();
    await editor.takePicture("chart-template");
  });

  test("sees in the status bar which overlay a base's file is judged in, and chooses another", async () => {
    const overlay = (name: string): string => `resources: [../base]\nnamePrefix: ${name}-\n`;
    editor = await openEditor({
      files: {
        "all-pending/layered/claimcheck.yaml": "profile: kind\n",
        "all-pending/layered/base/kustomization.yaml": "resources: [claim.yaml]\n",
        "all-pending/layered/base/claim.yaml": misspelledClass,
        "all-pending/layered/dev/kustomization.yaml": overlay("dev"),
        "all-pending/layered/prod/kustomization.yaml": overlay("prod"),
      },
    });
    const { page } = editor;
    await editor.openFile("base/claim.yaml");
    await page.getByRole("button", { name: "Claimcheck: overlay dev" }).click();
    await page.locator(".quick-input-title", { hasText: "Overlay to Judge" }).waitFor();
    await page.keyboard.type("prod");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Claimcheck: overlay prod" }).waitFor();
    await editor.takePicture("overlay");
  });

  test("is led from the page to each document that cannot be read", async () => {
    editor = await openEditor({
      files: {
        "all-pending/broken/claimcheck.yaml": "profile: kind\n",
        "all-pending/broken/class.yaml": misspelledClass,
        "all-pending/broken/first.yaml": "apiVersion: v1\nkind: [Pod\n",
        "all-pending/broken/second.yaml": "# A comment\napiVersion: v1\nkind: 'Pod\n",
      },
    });
    const { page, simulation } = editor;
    await editor.openFile("broken/class.yaml");
    await editor.runCommand("Claimcheck: Simulate Cluster");
    await simulation.getByRole("button", { name: "2 documents" }).click();
    await page
      .locator(".quick-input-title", { hasText: "Documents That Cannot Be Read" })
      .waitFor();
    await editor.takePicture("unreadable-documents");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "second.yaml:3" }).click();
    await page.getByRole("tab", { name: "second.yaml" }).waitFor();
  });

  test("sees the lenses of a file that was simulated before VS Code requested them", async () => {
    editor = await openEditor();
    const { page, simulation } = editor;
    await editor.openFile("nfs-and-rook/mysql-pv-claim.yaml");
    await editor.runCommand("Claimcheck: Simulate Cluster");
    await simulation.locator("#outcome tr", { hasText: "mysql-pv-claim" }).first().waitFor();
    await page.locator(".codelens-decoration", { hasText: "stays Pending" }).first().waitFor();
  });

  test("pastes a line into the list of texts to explain, and gets its explanation", async () => {
    editor = await openEditor();
    const { page } = editor;
    await editor.openFile("all-pending/minio.yaml");
    await page.keyboard.press("Control+A");
    await editor.runCommand("Claimcheck: Explain an Event");
    await page.locator(".quick-input-title", { hasText: "Explain an Event" }).waitFor();
    await page.keyboard.insertText('storageclass.storage.k8s.io "fast" not found');
    await page.locator(".quick-input-list .focused", { hasText: "Typed Text" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Explain Event" }).waitFor();
  });

  test("sees what becomes of an imported cluster, and which change it refuses", async () => {
    editor = await openEditor({
      files: {
        "all-pending/imported/claimcheck.yaml": "cluster: { import: cluster.yaml }\n",
        "all-pending/imported/cluster.yaml": runningCluster,
        "all-pending/imported/change.yaml": refusedChange,
      },
    });
    const { page, simulation } = editor;
    await editor.openFile("imported/change.yaml");
    await page.locator(".monaco-editor .cdr[class*=squiggly]").first().waitFor();
    await editor.runCommand("Claimcheck: Simulate Cluster");
    await simulation.locator("#cluster", { hasText: "1 node, taken from cluster.yaml" }).waitFor();
    const claim = simulation.locator("#outcome tr", { hasText: "default/data" }).first();
    await claim.getByText("Refused").waitFor();
    await simulation.locator("#refusal", { hasText: "spec is immutable" }).waitFor();
    await editor.takePicture("imported");
    await simulation.getByRole("slider", { name: "Step" }).focus();
    await page.keyboard.press("Home");
    await claim.getByText("Healthy").waitFor();
  });

  test("imports a cluster from the clipboard, and goes on to the simulation", async () => {
    // Installed, as users have it: an extension under development gets no notifications here.
    editor = await openEditor({
      installed: true,
      files: { "all-pending/minio.yaml": refusedChange },
    });
    const { page, simulation } = editor;
    await editor.openFile("all-pending/minio.yaml");
    await page.evaluate((text) => navigator.clipboard.writeText(text), runningCluster);
    await editor.runCommand("Claimcheck: Import Cluster State");
    await page.locator(".quick-input-title", { hasText: "Import Cluster State" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".notifications-toasts").getByText("Simulate Cluster").click();
    await simulation.locator("#cluster", { hasText: "taken from cluster.yaml" }).waitFor();
    await editor.takePicture("import");
  });

  test("imports a file that PowerShell has written as UTF-16", async () => {
    const printed = Buffer.from(`\ufeff${runningCluster}`, "utf16le");
    editor = await openEditor({ installed: true, files: { "all-pending/kubectl.txt": printed } });
    const { page, simulation } = editor;
    await editor.openFile("all-pending/minio.yaml");
    await editor.runCommand("Claimcheck: Import Cluster State");
    await page.locator(".quick-input-list-row", { hasText: "File…" }).click();
    await page.locator(".quick-input-list-row", { hasText: "kubectl.txt" }).click();
    await page.locator(".notifications-toasts").getByText("Simulate Cluster").click();
    await simulation.locator("#cluster", { hasText: "taken from cluster.yaml" }).waitFor();
  });

  test("opens the simulation beside the file, in the column where an explanation is shown", async () => {
    editor = await openEditor();
    const { page, simulation } = editor;
    await editor.openFile("all-pending/minio.yaml");
    await page.locator(".codelens-decoration a", { hasText: "Explain" }).first().click();
    await page.getByRole("tab", { name: /^Preview Explain/ }).waitFor();
    // Keys pressed before the explanation has its text are lost.
    await simulation.getByRole("heading").first().waitFor();
    await editor.runCommand("Claimcheck: Simulate Cluster");
    await simulation.locator("#outcome tr", { hasText: "minio" }).first().waitFor();
    assert.equal(await page.locator(".editor-group-container").count(), 2);
  });

  test("reads explanations in the column of the simulation or of another explanation", async () => {
    editor = await openEditor();
    const { page, simulation } = editor;
    await editor.openFile("all-pending/minio.yaml");
    await editor.runCommand("Claimcheck: Simulate Cluster");
    await simulation.locator("#outcome tr[data-ref='Deployment/default/minio']").click();
    await simulation.locator("#selected-name", { hasText: "default/minio" }).waitFor();
    await editor.runCommand("Claimcheck: Explain");
    await page.getByRole("tab", { name: /^Preview Explain Deployment/ }).waitFor();
    await simulation.getByRole("heading", { name: "Deployment" }).first().waitFor();
    await editor.takePicture("explanation-beside");
    await editor.runCommand("Claimcheck: Explain");
    await page.getByRole("tab", { name: /^Preview Explain PersistentVolumeClaim/ }).waitFor();
    assert.equal(await page.locator(".editor-group-container").count(), 2);
    await page.locator(".tab.active", { hasText: "minio.yaml" }).waitFor();
  });

  test("takes a step in an imported cluster to which no manifest is applied yet", async () => {
    editor = await openEditor({
      files: {
        "all-pending/imported/claimcheck.yaml": "cluster: { import: cluster.yaml }\n",
        "all-pending/imported/cluster.yaml": runningCluster,
      },
    });
    const { simulation } = editor;
    await editor.openFile("imported/claimcheck.yaml");
    await editor.runCommand("Claimcheck: Simulate Cluster");
    await simulation.locator("#cluster", { hasText: "taken from cluster.yaml" }).waitFor();
    const environment = simulation.getByRole("combobox", { name: "Environment" });
    assert.match(await environment.inputValue(), /all-pending\/imported$/);
    await simulation.getByRole("tab", { name: "What If" }).click();
    await simulation.locator("#action").selectOption("delete");
    await simulation.locator("#do").click();
    await simulation.locator("#done li", { hasText: "Delete" }).waitFor();
    await simulation.getByRole("tab", { name: "Outcome" }).click();
    await simulation.locator("#outcome tr", { hasText: "disk" }).getByText("Released").waitFor();
  });

  test("drains a node on the page, and saves that as a scenario that passes", async () => {
    editor = await openEditor();
    const { page, simulation } = editor;
    await editor.openFile("statefulset-move/statefulset.yaml");
    await editor.runCommand("Claimcheck: Simulate Cluster");
    await simulation.locator("#outcome tr", { hasText: "default/db-0" }).first().waitFor();
    await simulation.getByRole("tab", { name: "What If" }).click();
    await simulation.locator("#action").selectOption("drain");
    await simulation.locator("#do").click();
    await simulation.locator("#done li", { hasText: "Drain" }).waitFor();
    await editor.takePicture("what-if");
    await editor.runCommand("Claimcheck: Save Simulation as Scenario");
    await page.getByRole("tab", { name: "what-if.scenario.yaml" }).waitFor();
    await editor.word("drain").waitFor();
    await editor.takePicture("what-if-saved");
    await editor.runCommand("Testing: Focus on Test Explorer View");
    const scenario = page
      .locator(".test-explorer .monaco-list-row")
      .filter({ hasText: "What if: Drain" });
    await scenario.waitFor();
    await page.getByRole("tab", { name: "what-if.scenario.yaml" }).click();
    await editor.runCommand("Test: Run Tests in Current File");
    await scenario.locator(".codicon-testing-passed-icon").waitFor();
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

  test("reads Chinese if that is VS Code's language", async () => {
    editor = await openEditor({ displayLanguage: "zh-cn" });
    const { page, simulation } = editor;
    await editor.openFile("all-pending/minio.yaml");
    await page.locator(".monaco-editor .cdr[class*=squiggly]").first().waitFor();
    await page.locator(".codelens-decoration a", { hasText: "解释" }).first().waitFor();
    await editor.runCommand("Claimcheck: 模拟集群");
    await page.getByRole("tab", { name: "集群模拟" }).waitFor();
    await simulation.getByRole("tab", { name: "结果" }).waitFor();
    await simulation.locator("#outcome tr", { hasText: "minio" }).first().click();
    await simulation.getByRole("heading", { name: "解决办法" }).waitFor();
    assert.equal(await simulation.locator("html").getAttribute("lang"), "zh-cn");
    await editor.takePicture("simulation-chinese");
    await simulation.getByRole("tab", { name: "假设" }).click();
    await simulation.getByText("不会马上有人察觉").waitFor();
    await editor.takePicture("what-if-chinese");
    await page.getByRole("button", { name: "存储结果" }).click();
    await page.getByRole("treeitem", { name: "all-pending generic" }).click();
    await page.getByRole("treeitem", { name: "持久卷申领" }).first().waitFor();
  });

  test("sees the same with the extension installed from its package", async () => {
    editor = await openEditor({ installed: true });
    const { page, simulation } = editor;
    await editor.openFile("all-pending/minio.yaml");
    await page.locator(".monaco-editor .cdr[class*=squiggly]").first().waitFor();
    await editor.runCommand("Claimcheck: Simulate Cluster");
    await simulation.locator("#selected-name", { hasText: "minio" }).waitFor();
  });

  test("sees squiggle and simulation without Node, from a language server in a worker", async () => {
    editor = await openEditor({ inBrowser: true });
    const { page, simulation } = editor;
    await editor.openFile("all-pending/minio.yaml");
    await page.locator(".monaco-editor .cdr[class*=squiggly]").first().waitFor();
    await editor.runCommand("Claimcheck: Simulate Cluster");
    await simulation.locator("#outcome tr", { hasText: "minio" }).first().waitFor();
    await editor.runCommand("Explorer: Focus on Storage Outcome View");
    await page.getByRole("treeitem", { name: /^all-pending generic .* stuck/ }).waitFor();
  });
});
