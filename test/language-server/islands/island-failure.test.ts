/** An internal error is reported once, and the rest of the workspace is judged nevertheless. */
import assert from "node:assert/strict";
import { Background } from "../../../src/language-server/background.ts";
import { Publisher } from "../../../src/language-server/publishing/publisher.ts";
import { createLanguageService } from "../../../src/language-server/service.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

const claim = (name: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\nspec: { storageClassName: ${name}, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }\n`;

const storageClass =
  "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: a }\nprovisioner: a.example.com\n";

suite("an internal error", () => {
  for (const [where, text, culprit] of [
    ["one island", claim("a"), "compareIsland"],
    ["a rule that looks at all objects", storageClass, "class-pool-missing"],
  ] as const)
    test(`in ${where} is reported once, and all other findings are shown`, async () => {
      const service = createLanguageService({
        fileSystem: memoryFileSystem(
          new Map([
            ["a.yaml", text],
            ["b.yaml", claim("b")],
          ]),
        ),
        pause: () => Promise.resolve(),
        smallEnvironment: 0,
      });
      await service.loadFolders([memoryFolder]);
      const object = service.environments()[0]?.objects[0]?.object;
      assert.ok(object !== undefined);
      // Thrown by whoever reads the value.
      const bug = new Error("a bug");
      const { kind } = object;
      Object.defineProperty(object, "value", {
        get: () => {
          if (new Error("where").stack?.includes(culprit) === true) throw bug;
          return { apiVersion: "v1", kind, metadata: { name: "a" } };
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
          gone: () => {},
          failed: (error) => failures.push(error),
        },
        new Background(() => Promise.resolve()),
      );
      await publisher.everythingChanged();
      assert.deepEqual(failures, [bug]);
      assert.ok(published.get(memoryUri("b.yaml"))?.includes("pvc-class-missing"));
    });
});
