import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { createLanguageService } from "../../../src/language-server/service.ts";
import type { Environment } from "../../../src/language-server/workspace/environment.ts";
import { manifestsIn, withWorkspace } from "../../bench/server-process.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

suite("a keystroke in a large workspace", () => {
  test("is answered without an index of all objects' names", async () => {
    const files = await withWorkspace(
      (directory) => ["--out", directory, "--files", "60"],
      (directory) =>
        Promise.resolve(
          new Map(
            manifestsIn(directory).map((file) => [basename(file), readFileSync(file, "utf8")]),
          ),
        ),
    );
    const service = createLanguageService({
      fileSystem: memoryFileSystem(files),
      pause: () => Promise.resolve(),
    });
    await service.loadFolders([memoryFolder]);
    const [everything] = service.environments();
    assert.ok(everything !== undefined);
    await service.predict(everything);
    assert.ok(isFiled(everything), "the rules that compare objects file them");
    for (const [name, text] of files) {
      const uri = memoryUri(name);
      service.setEditorText(uri, text.replace(/(storage: \d+)/, "$11"));
      service.knownDiagnostics(uri);
      const edited = service.environmentOf(uri);
      assert.ok(edited !== undefined);
      assert.ok(!isFiled(edited), name);
    }
  });
});

/** True if the index of objects by name has been built, which means going through all of them. */
function isFiled(environment: Environment): boolean {
  return Object.getOwnPropertyDescriptor(environment, "byRef")?.get === undefined;
}
