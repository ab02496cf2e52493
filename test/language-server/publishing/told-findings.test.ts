/** Which findings a client is sent for which file, and when they are sent again. */
import assert from "node:assert/strict";
import { Background } from "../../../src/language-server/background.ts";
import type { Diagnostic } from "../../../src/language-server/diagnostics/rule.ts";
import { Publisher } from "../../../src/language-server/publishing/publisher.ts";
import { SentFindings } from "../../../src/language-server/publishing/sent-findings.ts";
import { createLanguageService } from "../../../src/language-server/service.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

const claim = (storageClass: string): string => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  storageClassName: ${storageClass}
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
`;

const otherClient = {
  wants: (): boolean => true,
  predicted: (): void => {},
  failed: (error: unknown): void => assert.fail(String(error)),
};

/** Records all that the client receives: the file, the version of its text, and the codes. */
async function started(files: Readonly<Record<string, string>>, client = otherClient) {
  const told: string[] = [];
  const background = new Background(() => Promise.resolve());
  const service = createLanguageService({
    fileSystem: memoryFileSystem(new Map(Object.entries(files))),
    pause: background.turn,
  });
  await service.loadFolders([memoryFolder]);
  const publisher = new Publisher(
    service,
    {
      ...client,
      publish: (uri, found, version) => {
        const name = uri.replace(`${memoryFolder}/`, "");
        told.push([name, version, ...found.map(({ code }) => code)].filter(Boolean).join(" "));
      },
      changed: () => told.push("changed"),
      gone: () => told.push("gone"),
    },
    background,
  );
  const settled = (): Promise<void> => publisher.settled(Promise.resolve());
  await settled();
  const edit = (name: string, text: string, version?: number): void => {
    service.setEditorText(memoryUri(name), text);
    publisher.fileChanged(memoryUri(name), version);
  };
  /** What has been sent since the last call. */
  const news = async (): Promise<readonly string[]> => {
    await settled();
    return told.splice(0);
  };
  /** Waits until it is sent without a request. */
  const isTold = async (text: string): Promise<void> => {
    while (!told.includes(text)) await new Promise((resolve) => setImmediate(resolve));
  };
  return { service, publisher, edit, news, isTold };
}

suite("what a client is told", () => {
  test("is what is found at first, with word that there is more to ask for", async () => {
    const { news } = await started({ "claim.yaml": claim("nowhere") });
    assert.deepEqual(await news(), ["claim.yaml pvc-class-missing", "changed"]);
    assert.deepEqual(await news(), []);
  });

  test("is told of each version of a text, in their order, and of what has no version only news", async () => {
    const { edit, news } = await started({ "claim.yaml": claim("nowhere") });
    await news();
    const found = "pvc-class-missing";
    edit("claim.yaml", claim("nowhere"), 1);
    edit("claim.yaml", `${claim("nowhere")}# done\n`, 2);
    assert.deepEqual(await news(), [`claim.yaml 1 ${found}`, `claim.yaml 2 ${found}`]);
    edit("claim.yaml", `${claim("nowhere")}# done now\n`);
    assert.deepEqual(await news(), []);
    edit("claim.yaml", claim('""'));
    assert.ok((await news()).some((text) => /^claim\.yaml(?!.*pvc-class-missing)/.test(text)));
  });

  test("changes for all files with what claimcheck.yaml says", async () => {
    const { edit, news, isTold } = await started({
      "claim.yaml": claim("nowhere"),
      "claimcheck.yaml": "rules: {}\n",
    });
    assert.deepEqual(await news(), ["claim.yaml pvc-class-missing", "changed"]);
    edit("claimcheck.yaml", "rules: { pvc-class-missing: off }\n", 1);
    await isTold("claimcheck.yaml 1");
    await isTold("claim.yaml claim-stays-pending");
  });

  test("is taken away with its file, and word comes where the last file of a cluster has gone", async () => {
    const { service, publisher, edit, news } = await started({
      "other.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: { name: other }\n",
    });
    const unsaved = "untitled:one";
    service.setEditorText(unsaved, claim("nowhere"));
    publisher.fileChanged(unsaved, 1);
    await news();
    edit("new.yaml", claim("nowhere"), 1);
    await news();
    service.closeEditor(memoryUri("new.yaml"));
    await publisher.everythingChanged();
    assert.deepEqual(await news(), ["new.yaml", "changed"]);
    service.closeEditor(unsaved);
    await publisher.everythingChanged();
    assert.deepEqual(await news(), ["gone", "untitled:one", "changed"]);
  });

  test("is taken away with the last manifest, though its file stays", async () => {
    const { service, publisher, edit, news } = await started({ "claim.yaml": "" });
    edit("claim.yaml", claim("nowhere"), 1);
    // At once or, on a busy machine, after a pause.
    assert.ok((await news()).some((told) => told.endsWith(" pvc-class-missing")));
    service.closeEditor(memoryUri("claim.yaml"));
    await publisher.fileClosed(memoryUri("claim.yaml"));
    assert.deepEqual(await news(), ["gone", "claim.yaml", "changed"]);
  });

  test("is of an import what is wrong with it now", async () => {
    const { edit, news } = await started({
      "claimcheck.yaml": "cluster: { import: a.yaml }\n",
      "claim.yaml": claim("nowhere"),
    });
    await news();
    edit("a.yaml", "", 1);
    assert.ok((await news()).includes("claimcheck.yaml cluster-import"));
  });

  test("is of a finding that is accepted in claimcheck.yaml whether it is there still", async () => {
    const { edit, news } = await started({
      "claimcheck.yaml": "suppressions: [{ rule: pvc-class-missing }]\n",
      "claim.yaml": claim("nowhere"),
    });
    assert.ok(!(await news()).some((text) => text.includes("unused-suppression")));
    edit("claim.yaml", claim('""'), 1);
    assert.ok((await news()).includes("claimcheck.yaml unused-suppression"));
    edit("claim.yaml", claim("nowhere"), 2);
    assert.ok((await news()).includes("claimcheck.yaml"));
  });

  test("is of folders that claimcheck.yaml names whether they are open now", async () => {
    const { service, publisher, news } = await started({
      "a/claimcheck.yaml": "folders: [../b]\n",
      "a/claim.yaml": claim("nowhere"),
      "b/claim.yaml": claim("nowhere"),
    });
    await news();
    for (const [folder, told] of [
      [memoryUri("a"), "a/claimcheck.yaml project-file"],
      [memoryFolder, "a/claimcheck.yaml"],
    ] as const) {
      await service.loadFolders([folder]);
      await publisher.everythingChanged();
      assert.ok((await news()).includes(told));
    }
  });

  test("is of a project file without manifests, too, and of an import that somebody writes", async () => {
    const { service, publisher, edit, news } = await started({
      "claimcheck.yaml": "cluster: { import: a.yaml }\n",
    });
    await publisher.everythingChanged();
    assert.deepEqual(await news(), ["claimcheck.yaml cluster-import", "changed"]);
    edit("a.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n", 1);
    assert.ok((await news()).includes("claimcheck.yaml"));
    service.closeEditor(memoryUri("a.yaml"));
    await publisher.fileClosed(memoryUri("a.yaml"));
    assert.ok((await news()).includes("claimcheck.yaml cluster-import"));
  });

  test("is nothing of files that it has no wish to hear of", async () => {
    const wants = (): boolean => false;
    const { news } = await started({ "claim.yaml": claim("nowhere") }, { ...otherClient, wants });
    assert.deepEqual(await news(), []);
  });
});

suite("what has been said of a file", () => {
  const one: Diagnostic = {
    ...{ uri: "a.yaml", start: 1, end: 2, code: "pvc-unused", severity: "hint" },
    ...{ message: "No pod uses it", related: [] },
  };

  test("is said again where anything of it is another", () => {
    const related = [{ uri: "b.yaml", start: 0, end: 1, message: "Here" }];
    const others: readonly Partial<Diagnostic>[] = [
      { start: 0 },
      { end: 3 },
      { code: "pv-unclaimed" },
      { severity: "warning" },
      { message: "Another" },
      { related },
      { fix: { title: "Remove it", path: ["spec"], value: null } },
    ];
    for (const other of others) {
      const sent = new SentFindings();
      assert.equal(sent.replace("a.yaml", [one]), true);
      assert.equal(sent.replace("a.yaml", [{ ...one }]), false);
      assert.equal(sent.replace("a.yaml", [{ ...one, ...other }]), true, JSON.stringify(other));
    }
  });

  test("is forgotten once there is nothing to say", () => {
    const sent = new SentFindings();
    assert.equal(sent.replace("a.yaml", []), false);
    sent.replace("a.yaml", [one]);
    assert.deepEqual([...sent.uris()], ["a.yaml"]);
    sent.replace("a.yaml", []);
    assert.deepEqual([...sent.uris()], []);
  });
});
