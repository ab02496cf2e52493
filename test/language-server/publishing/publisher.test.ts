import assert from "node:assert/strict";
import { Background } from "../../../src/language-server/background.ts";
import {
  Publisher,
  type PublisherClient,
} from "../../../src/language-server/publishing/publisher.ts";
import {
  createLanguageService,
  type LanguageService,
} from "../../../src/language-server/service.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  storageClassName: nowhere
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
`;

const client: PublisherClient = {
  wants: () => true,
  publish: () => {},
  changed: () => {},
  predicted: () => {},
  gone: () => {},
  failed: (error) => assert.fail(String(error)),
};

suite("a request for all findings of a file", () => {
  test("is answered even if the run that it waits for has just ended", async () => {
    const background = new Background(() => Promise.resolve());
    const real = createLanguageService({
      fileSystem: memoryFileSystem(new Map([["claim.yaml", claim]])),
      pause: background.turn,
    });
    await real.loadFolders([memoryFolder]);
    const uri = memoryUri("claim.yaml");
    const late: Promise<boolean>[] = [];
    const service: LanguageService = {
      ...real,
      // First judges files that are waited for, then all others.
      *judge(environment, of) {
        yield* real.judge(environment, of);
        if (of === undefined && late.length === 0) late.push(publisher.complete(uri));
      },
    };
    const publisher = new Publisher(service, client, background);
    assert.equal(await publisher.complete(uri), true);
    await publisher.settled(Promise.resolve());
    assert.equal(late.length, 1);
    assert.deepEqual(await Promise.all(late), [true]);
  });
});

suite("an edit of a chart that others depend on", () => {
  test("updates their findings in the other clusters", async () => {
    const chart = (name: string, more = ""): string =>
      `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;
    const needs = 'dependencies: [{ name: db, version: 1.x, repository: "file://../db" }]\n';
    const background = new Background(() => Promise.resolve());
    const service = createLanguageService({
      fileSystem: memoryFileSystem(
        new Map([
          ["shop/Chart.yaml", chart("shop", needs)],
          ["db/Chart.yaml", chart("db")],
          ["db/values.yaml", 'class: ""\n'],
          ["db/templates/claim.yaml", claim.replace("nowhere", "{{ .Values.class }}")],
        ]),
      ),
      pause: background.turn,
    });
    const told: string[] = [];
    let tell = (): void => {};
    const publish: PublisherClient["publish"] = (uri, found) => {
      if (uri !== memoryUri("shop/Chart.yaml")) return;
      told.push(...found.map(({ code }) => code));
      if (told.includes("pvc-class-missing")) tell();
    };
    await service.loadFolders([memoryFolder]);
    const publisher = new Publisher(service, { ...client, publish }, background);
    await publisher.settled(Promise.resolve());
    assert.ok(!told.includes("pvc-class-missing"));
    const isTold = new Promise<void>((end) => {
      tell = end;
    });
    service.setEditorText(memoryUri("db/values.yaml"), "class: nowhere\n");
    publisher.fileChanged(memoryUri("db/values.yaml"));
    await isTold;
  });
});
