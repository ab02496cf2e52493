/** A bug of ours in one island: told once, and the rest of the workspace is judged all the same. */
import assert from "node:assert/strict";
import { Background } from "../../../src/language-server/background.ts";
import { Publisher } from "../../../src/language-server/publishing/publisher.ts";
import { createLanguageService } from "../../../src/language-server/service.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

const claim = (name: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\nspec: { storageClassName: ${name}, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }\n`;

suite("a bug in one island", () => {
  test("is told, and what the others say is there", async () => {
    const service = createLanguageService({
      fileSystem: memoryFileSystem(
        new Map([
          ["a.yaml", claim("a")],
          ["b.yaml", claim("b")],
        ]),
      ),
      pause: () => Promise.resolve(),
      smallEnvironment: 0,
    });
    await service.loadFolders([memoryFolder]);
    const object = service.environments()[0]?.objects[0]?.object;
    assert.ok(object !== undefined);
    // Whoever looks at the value stumbles.
    const bug = new Error("a bug");
    Object.defineProperty(object, "value", {
      get: () => {
        if (new Error("where").stack?.includes("compareObjects") === true) throw bug;
        return { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "a" } };
      },
    });
    const failures: unknown[] = [];
    const published = new Map<string, readonly string[]>();
    const publisher = new Publisher(
      service,
      {
        publish: (uri, diagnostics) =>
          published.set(
            uri,
            diagnostics.map(({ code }) => code),
          ),
        wants: () => true,
        changed: () => {},
        predicted: () => {},
        failed: (error) => failures.push(error),
      },
      new Background(() => Promise.resolve()),
    );
    await publisher.everythingChanged();
    assert.deepEqual(failures, [bug]);
    assert.ok(published.get(memoryUri("b.yaml"))?.includes("pvc-class-missing"));
  });
});
