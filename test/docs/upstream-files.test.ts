/** Writes and checks `docs/upstream/files.md`, which says what each file of the engine mirrors, from its first comment. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkGolden } from "../support/golden.ts";

const root = join(import.meta.dirname, "..", "..");
const engine = join(root, "src", "engine");

interface Mirror {
  readonly file: string;
  readonly rule: string;
  readonly upstream: string;
}

/** Returns the first comment of a file as one line of text. */
function firstComment(text: string): string {
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? "";
  return comment.replaceAll(/\n \*/g, " ").replaceAll(/\s+/g, " ").trim();
}

/** The end of a sentence: a period before a capital letter, unlike those in paths and versions. */
const nextSentence = /(?<=[^.]\.) (?=[A-Z][a-z ])/;

function mirrorOf(file: string): Mirror | undefined {
  const [rule = "", after] = firstComment(readFileSync(join(engine, file), "utf8")).split(
    "Upstream: ",
  );
  if (after === undefined) return undefined;
  const [upstream = ""] = after.split(nextSentence);
  return { file, rule: rule.trim(), upstream: upstream.replace(/\.$/, "") };
}

function page(mirrors: readonly Mirror[]): string {
  const rows = mirrors.map(({ file, rule, upstream }) =>
    `| \`${file}\` | ${rule} | ${upstream} |`.replaceAll("  ", " "),
  );
  return [
    "# What each file mirrors",
    "",
    "As the first comment of each file under `src/engine` says; what is left out stands there too. Written by a test.",
    "",
    "| ours | rule | upstream |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

suite("docs/upstream/files.md", () => {
  test("says what each file of the engine mirrors, as the file itself does", () => {
    const files = readdirSync(engine, { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => file.endsWith(".ts"))
      .sort();
    const mirrors = files.flatMap((file) => mirrorOf(file) ?? []);
    assert.deepEqual(
      mirrors.filter(({ rule }) => rule === "").map(({ file }) => file),
      [],
    );
    checkGolden(join(root, "docs", "upstream", "files.md"), page(mirrors));
  });
});
