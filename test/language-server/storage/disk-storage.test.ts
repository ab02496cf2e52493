/** What the server keeps in a folder of the user. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskStorage } from "../../../src/language-server/storage/disk-storage.ts";
import type { TextStorage } from "../../../src/language-server/storage/text-storage.ts";

suite("a folder for kept texts", () => {
  let folder = "";
  let program = "";
  setup(() => {
    folder = mkdtempSync(join(tmpdir(), "claimcheck-storage-"));
    program = join(folder, "server.js");
    writeFileSync(program, "1");
  });
  teardown(() => rmSync(folder, { recursive: true, force: true }));

  const digestOf = (storage: TextStorage, ...texts: readonly string[]): string => {
    const digest = storage.digest();
    for (const text of texts) digest.add(text);
    return digest.end();
  };

  test("returns the last text that was written, also in the next process", async () => {
    const kept = join(folder, "not", "there", "yet");
    await diskStorage(kept, program).write("a", "first");
    await diskStorage(kept, program).write("a", "päté 😀");
    assert.equal(await diskStorage(kept, program).read("a"), "päté 😀");
    assert.deepEqual(readdirSync(kept), ["a.txt"]);
  });

  test("can only be read by its user", async function () {
    if (process.platform === "win32") this.skip();
    await diskStorage(join(folder, "kept"), program).write("a", "text");
    assert.equal(statSync(join(folder, "kept", "a.txt")).mode & 0o077, 0);
  });

  test("has nothing if nothing was written", async () => {
    assert.equal(await diskStorage(join(folder, "nowhere"), program).read("a"), undefined);
  });

  test("keeps nothing, silently, if it may not write", async () => {
    const storage = diskStorage(join(program, "below-a-file"), program);
    await storage.write("a", "text");
    assert.equal(await storage.read("a"), undefined);
  });

  test("distinguishes texts by where they end", () => {
    const storage = diskStorage(folder, program);
    assert.equal(digestOf(storage, "ab", "c"), digestOf(storage, "ab", "c"));
    assert.notEqual(digestOf(storage, "ab", "c"), digestOf(storage, "a", "bc"));
    assert.match(digestOf(storage, "ab"), /^[a-z0-9]+$/);
  });

  test("has other digests of the same texts in another build of the program", () => {
    const before = digestOf(diskStorage(folder, program), "text");
    writeFileSync(program, "2");
    assert.notEqual(digestOf(diskStorage(folder, program), "text"), before);
  });
});
