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

suite("the findings that a client gets", () => {
  test("are sent at first with word that there is more to ask for", async () => {
    const { news } = await started({ "claim.yaml": claim("nowhere") });
    assert.deepEqual(await news(), ["claim.yaml pvc-class-missing", "changed"]);
    assert.deepEqual(await news(), []);
  });

  test("are sent for each version of a text, in order, and without a version only if they change", async () => {
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

  test("change in all files with the rules of claimcheck.yaml", async () => {
    const { edit, news, isTold } = await started({
      "claim.yaml": claim("nowhere"),
      "claimcheck.yaml": "rules: {}\n",
    });
    assert.deepEqual(await news(), ["claim.yaml pvc-class-missing", "changed"]);
    edit("claimcheck.yaml", "rules: { pvc-class-missing: off }\n", 1);
    await isTold("claimcheck.yaml 1");
    await isTold("claim.yaml claim-stays-pending");
  });

  test("are removed with their file, and the client learns when a cluster's last file is gone", async () => {
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

  test("are removed with the last manifest even if its file still exists", async () => {
    const { service, publisher, edit, news } = await started({ "claim.yaml": "" });
    edit("claim.yaml", claim("nowhere"), 1);
    // At once or, on a busy machine, after a pause.
    assert.ok((await news()).some((told) => told.endsWith(" pvc-class-missing")));
    service.closeEditor(memoryUri("claim.yaml"));
    await publisher.fileClosed(memoryUri("claim.yaml"));
    assert.deepEqual(await news(), ["gone", "claim.yaml", "changed"]);
  });

  test("show what is wrong with an import after an edit of it", async () => {
    const { edit, news } = await started({
      "claimcheck.yaml": "cluster: { import: a.yaml }\n",
      "claim.yaml": claim("nowhere"),
    });
    await news();
    edit("a.yaml", "", 1);
    assert.ok((await news()).includes("claimcheck.yaml cluster-import"));
  });

  test("show whether a suppression in claimcheck.yaml still accepts anything", async () => {
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

  test("show whether the folders that claimcheck.yaml names are open now", async () => {
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

  test("include a project file without manifests, and an import that is only in an editor", async () => {
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

  test("leave out files that the client does not want", async () => {
    const wants = (): boolean => false;
    const { news } = await started({ "claim.yaml": claim("nowhere") }, { ...otherClient, wants });
    assert.deepEqual(await news(), []);
  });
});

suite("the record of sent findings", () => {
  const one: Diagnostic = {
    ...{ uri: "a.yaml", start: 1, end: 2, code: "pvc-unused", severity: "hint" },
    ...{ message: "No pod uses it", related: [] },
  };

  test("counts any difference as a change", () => {
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

  test("drops a file without findings", () => {
    const sent = new SentFindings();
    assert.equal(sent.replace("a.yaml", []), false);
    sent.replace("a.yaml", [one]);
    assert.deepEqual([...sent.uris()], ["a.yaml"]);
    sent.replace("a.yaml", []);
    assert.deepEqual([...sent.uris()], []);
  });
});
