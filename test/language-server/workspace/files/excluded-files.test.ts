import assert from "node:assert/strict";
import { createLanguageService } from "../../../../src/language-server/service.ts";
import { excludedFiles } from "../../../../src/language-server/workspace/files/excluded-files.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../../support/memory-workspace.ts";

const manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n";

suite("files that the editor hides", () => {
  test("patterns are relative to their folder, and hide everything in a hidden folder", () => {
    const isExcluded = excludedFiles({ "**/vendor": true, "gen/*.yaml": true, "b.yaml": false });
    const hides = (name: string): boolean => isExcluded(memoryUri(name), memoryFolder);
    assert.ok(hides("vendor/a.yaml") && hides("x/vendor/y/a.yaml") && hides("gen/a.yaml"));
    assert.ok(!hides("gen/x/a.yaml") && !hides("b.yaml") && !hides("a.yaml"));
  });

  test("are not read, until they are shown again", async () => {
    const service = createLanguageService({
      fileSystem: memoryFileSystem(
        new Map([
          ["a.yaml", manifest],
          ["gen/b.yaml", manifest.replace("a }", "b }")],
        ]),
      ),
      pause: () => Promise.resolve(),
    });
    assert.ok(service.configure({ exclude: { gen: true } }));
    await service.loadFolders([memoryFolder]);
    assert.equal(service.file(memoryUri("gen/b.yaml")), undefined);
    assert.ok(!service.configure({ exclude: { gen: true }, profile: "k3s" }));
    assert.ok(service.configure({}));
    await service.rereadFolders();
    assert.ok(service.file(memoryUri("gen/b.yaml")) !== undefined);
  });
});
