import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/cli/run.ts";

const root: string = join(import.meta.dirname, "../..");

suite("README.md", () => {
  const page = readFileSync(join(root, "README.md"), "utf8");

  test("shows what the command line prints", async () => {
    const [, command = "", shown = ""] =
      /```console\n\$ claimcheck (.*)\n\.\.\.\n([\s\S]*?)```/.exec(page) ?? [];
    let printed = "";
    await run(
      command.split(" "),
      {
        cwd: root,
        out: (text) => {
          printed += text;
        },
        err: () => {},
        progress: () => {},
        readInput: () => Promise.resolve(""),
      },
      "1.2.3",
    );
    assert.notEqual(shown, "");
    assert.ok(printed.includes(shown), printed);
  });

  test("has the right count of recordings", () => {
    const here = readdirSync(join(root, "test/recordings/recordings"), { recursive: true }).filter(
      (path) => String(path).endsWith(".json"),
    );
    const [, told] = /(\d+) of the recordings,/.exec(page) ?? [];
    assert.equal(Number(told), here.length);
  });

  test("has the right count of disagreements", () => {
    const known = readFileSync(join(root, "docs/known-disagreements.md"), "utf8");
    const [, missed, all] = /: (\d+) of (\d+)\./.exec(known) ?? [];
    assert.ok(page.includes(`| ${Number(all) - Number(missed)} of ${all} agree completely`));
  });

  test("links to existing files", () => {
    const links = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, link = ""]) => link);
    assert.notEqual(links.length, 0);
    assert.deepEqual(
      links.filter((link) => !existsSync(join(root, link))),
      [],
    );
  });
});
