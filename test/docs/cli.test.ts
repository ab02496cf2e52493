import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { help, isServerCommand, parseOptions } from "../../src/cli/options.ts";
import { kubectlCommand } from "../../src/protocol/kubectl-command.ts";

const root: string = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Returns the options in a text, except `--help` and `--version`, which need no description. */
function optionsIn(text: string): readonly string[] {
  const names = [...text.matchAll(/--[a-z][a-z-]*/g)].map(([name]) => name);
  return [...new Set(names)].filter((name) => !["--help", "--version"].includes(name)).sort();
}

suite("docs/cli.md", () => {
  const page = read("docs/cli.md");

  test("has the options that --help has", () => {
    const [, table = ""] = /\n## Options\n\n([\s\S]*?)\n\n/.exec(page) ?? [];
    const rows = table.split("\n").map((line) => line.split("|")[1] ?? "");
    const ofServer = new Set(["--stdio"]);
    assert.deepEqual(
      optionsIn(rows.join("\n")),
      optionsIn(help).filter((name) => !ofServer.has(name)),
    );
  });
});

test("docs/cli.md has the editor's kubectl command", () => {
  assert.ok(read("docs/cli.md").includes(`\n${kubectlCommand} > cluster.yaml\n`));
});

suite("commands in the documentation", () => {
  const paths = [
    "README.md",
    ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
    ...readdirSync(join(root, "examples")).map((name) => `examples/${name}/README.md`),
  ].filter((path) => path.endsWith(".md") && !path.includes("code-workspace"));
  const commands = paths.flatMap((path) =>
    [
      ...read(path).matchAll(
        /(?:^|`|\$ |\| |run: )claimcheck ((?:check|predict|simulate|explain|test|lsp) [^`|\n]+)/gm,
      ),
    ].map(([, command = ""]) => ({ path, argv: command.trim().split(" ") })),
  );

  test("are accepted by the command line", () => {
    assert.ok(commands.length > 6, `${commands.length} commands`);
    for (const { path, argv } of commands) {
      if (isServerCommand(argv)) continue;
      const parsed = parseOptions(argv);
      assert.equal(parsed.type, "run", `${path}: claimcheck ${argv.join(" ")}`);
    }
  });
});
