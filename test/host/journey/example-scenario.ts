/** What the language server answers for an example folder. */
import { strict as assert } from "node:assert";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createLanguageService } from "../../../src/language-server/service.ts";
import { diskFileSystem } from "../../../src/language-server/workspace/disk-workspace.ts";
import type { ScenarioReply } from "../../../src/protocol/messages.ts";

export async function exampleScenario(name: string): Promise<ScenarioReply> {
  const service = createLanguageService({
    fileSystem: diskFileSystem,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  });
  const folder = join(import.meta.dirname, "..", "..", "..", "examples", name);
  await service.loadFolders([pathToFileURL(folder).toString()]);
  const reply = service.scenario({});
  assert.ok(reply !== null, `examples/${name} holds objects`);
  return reply;
}
