/** House rules that neither the compiler nor the linter covers. */
import { strict as assert } from "node:assert";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { profileNames } from "../src/engine/profiles/assume-cluster.ts";
import { kubernetesVersions } from "../src/engine/scenario.ts";
import { kindTitles, outcomeMarks } from "../src/protocol/outcome-words.ts";

const root: string = join(import.meta.dirname, "..");

const lineCountMax = 550;
/** Made by scripts/generate-api.ts. */
const generated: ReadonlySet<string> = new Set([
  "src/engine/api/decoding/plain.ts",
  "src/engine/api/schema.ts",
  "src/engine/api/types.ts",
]);

interface Source {
  readonly path: string;
  readonly text: string;
}

function sourcesUnder(folder: string): readonly Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name).split(sep).join("/"))
    .filter((path) => /\.tsx?$/.test(path) && !generated.has(path))
    .filter((path) => !path.startsWith("test/guards/canaries/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Paths of the project's own files that a source imports. */
function importsOf({ path, text }: Source): readonly string[] {
  return [...text.matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)].map(([, specifier = ""]) =>
    relative(root, resolve(root, dirname(path), specifier))
      .split(sep)
      .join("/"),
  );
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

suite("tidy", () => {
  const sources = sourcesUnder("src");
  const all = [...sources, ...sourcesUnder("test"), ...sourcesUnder("scripts")];

  test("each file begins by saying what it is", () => {
    const silent = sources.filter(({ text }) => !text.startsWith("/**"));
    assert.deepEqual(
      silent.map(({ path }) => path),
      [],
    );
  });

  test("no file is about more than fits in a reader's head", () => {
    const long = sources.filter(({ text }) => text.split("\n").length > lineCountMax);
    assert.deepEqual(
      long.map(({ path }) => path),
      [],
    );
  });

  test("nothing is left for later without an issue number", () => {
    const mark = new RegExp(`\\b(${["TO", "FIX", "XX"].join("|")})(DO|ME|X)\\b(?! ?\\(?#\\d)`);
    const left = all.filter(({ text }) => mark.test(text));
    assert.deepEqual(
      left.map(({ path }) => path),
      [],
    );
  });

  test("each page of docs/ that a source names is there", () => {
    const lost = all.flatMap(({ path, text }) =>
      [...text.matchAll(/\bdocs\/(?:decisions|rules|upstream)\/[\w-]+\.md/g)]
        .filter(([page]) => !existsSync(join(root, page)))
        .map(([page]) => `${path} names ${page}`),
    );
    assert.deepEqual(lost, []);
  });

  test("each doc comment stands at what it is about", () => {
    const lost = all.filter(({ text }) =>
      /\*\/\s*\n\s*\/\*\*/.test(text.replace(/^\/\*\*[\s\S]*?\*\//, "")),
    );
    assert.deepEqual(
      lost.map(({ path }) => path),
      [],
    );
  });

  test("controllers never import each other", () => {
    const breaches = sources.flatMap((source) => {
      const own = siblingFolder(source.path);
      if (own === undefined) return [];
      return importsOf(source)
        .filter((path) => (siblingFolder(path) ?? own) !== own)
        .map((path) => `${source.path} imports ${path}`);
    });
    assert.deepEqual(breaches, []);
  });

  test("the oldest editor that is tested is the oldest that is allowed", () => {
    const manifest = readJson("package.json") as {
      readonly engines: { readonly vscode: string };
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    const oldest = readJson("scripts/vscode/oldest/package.json") as {
      readonly dependencies: { readonly "code-server": string };
    };
    const [, minor] = oldest.dependencies["code-server"].split(".");
    assert.equal(manifest.engines.vscode, `^1.${minor}.0`);
    assert.equal(manifest.devDependencies["@types/vscode"], `1.${minor}.0`);
  });

  test("settings offer the profiles and versions that the engine knows", () => {
    const manifest = readJson("package.json") as {
      readonly contributes: {
        readonly configuration: {
          readonly properties: Readonly<
            Record<
              string,
              { readonly enum?: readonly string[]; readonly enumItemLabels?: readonly string[] }
            >
          >;
        };
      };
    };
    const { properties } = manifest.contributes.configuration;
    assert.deepEqual(properties["claimcheck.profile"]?.enum, ["", ...profileNames]);
    assert.deepEqual(properties["claimcheck.kubernetesVersion"]?.enum, ["", ...kubernetesVersions]);
    // A choice without a text would be an empty line of the list.
    for (const { enum: values = [], enumItemLabels: labels = [] } of Object.values(properties))
      for (const [i, value] of values.entries()) assert.notEqual(labels[i] ?? value, "");
  });

  test("texts of the manifest stand in package.nls.json, and each translation has the same, with the same links", () => {
    const used = [...readFileSync(join(root, "package.json"), "utf8").matchAll(/"%([^%"]+)%"/g)];
    const english = readJson("package.nls.json") as Texts;
    assert.deepEqual(Object.keys(english).sort(), used.map(([, key]) => key).sort());
    for (const file of filesNamed(".", /^package\.nls\..+\.json$/)) {
      const translated = readJson(file) as Texts;
      assert.deepEqual(Object.keys(translated), Object.keys(english), file);
      for (const [key, text] of Object.entries(english))
        assert.deepEqual(partsOf(translated[key] ?? ""), partsOf(text), `${file} ${key}`);
    }
  });

  test("each text that the extension or its page shows is in each translation, and nothing else", () => {
    const shown = new Set<string>([
      ...Object.values(kindTitles),
      ...Object.values(outcomeMarks).map(({ words }) => words),
      ...sources
        .filter(({ path }) => /^src\/(?:extension|webview)\//.test(path))
        .flatMap(({ text }) => [
          ...text.matchAll(/(?:\bl10n\.|(?<![\w.]))t\(\s*("(?:[^"\\]|\\.)*")/g),
        ])
        .map(([, literal = ""]) => JSON.parse(literal) as string),
    ]);
    for (const file of filesNamed("l10n", /^bundle\.l10n\..+\.json$/)) {
      const translated = readJson(file) as Texts;
      assert.deepEqual(Object.keys(translated).sort(), [...shown].sort(), file);
      for (const [text, translation] of Object.entries(translated))
        assert.deepEqual(partsOf(translation), partsOf(text), `${file} ${text}`);
    }
  });

  test("each contributed command is one file of src/extension/commands, and the reverse", () => {
    const manifest = readJson("package.json") as {
      readonly contributes: { readonly commands: readonly { readonly command: string }[] };
    };
    const kebab = (id: string): string =>
      id.replace("claimcheck.", "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const contributed = manifest.contributes.commands.map(({ command }) => kebab(command));
    const files = sources
      .filter(({ path }) => path.startsWith("src/extension/commands/"))
      .map(({ path }) => path.slice("src/extension/commands/".length, -".ts".length))
      .filter((name) => name !== "register-command");
    assert.deepEqual(files.sort(), contributed.sort());
  });

  test("the walkthrough leads to commands and pages that there are, and its steps are done by what happens", () => {
    const english = readJson("package.nls.json") as Texts;
    const { contributes } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8").replace(/"%([^%"]+)%"/g, (_, key: string) =>
        JSON.stringify(english[key]),
      ),
    ) as {
      readonly contributes: {
        readonly commands: readonly { readonly command: string; readonly title: string }[];
        readonly walkthroughs: readonly {
          readonly steps: readonly {
            readonly description: string;
            readonly media: { readonly markdown: string };
            readonly completionEvents: readonly string[];
          }[];
        }[];
      };
    };
    const packaged = readFileSync(join(root, ".vscodeignore"), "utf8").split("\n");
    const links = new Set(
      contributes.commands.map(({ command, title }) => `[${title}](command:${command})`),
    );
    // VS Code tells nobody but its log of an event that it does not know.
    const events = new Set(contributes.commands.map(({ command }) => `onCommand:${command}`));
    for (const { text } of sources)
      for (const [, key] of text.matchAll(/"setContext", "([^"]+)"/g))
        events.add(`onContext:${key}`);
    const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    for (const { description, media, completionEvents } of steps) {
      for (const event of completionEvents) assert.ok(events.has(event), event);
      for (const [link] of description.matchAll(/\[[^\]]*\]\(command:claimcheck[^)]*\)/g))
        assert.ok(links.has(link), link);
      assert.ok(existsSync(join(root, media.markdown)), media.markdown);
      assert.ok(packaged.includes(`!${dirname(media.markdown)}/*.md`), media.markdown);
    }
  });
});

type Texts = Readonly<Record<string, string>>;

function filesNamed(folder: string, name: RegExp): readonly string[] {
  const files = readdirSync(join(root, folder)).filter((file) => name.test(file));
  assert.notEqual(files.length, 0);
  return files.map((file) => join(folder, file));
}

/** What a translation may neither lose nor add: placeholders, commands that links run, code. */
function partsOf(text: string): readonly string[] {
  return (text.match(/\{\d\}|\(command:[^)]*\)|`[^`]*`/g) ?? []).sort();
}

/** The controller that a path belongs to; undefined for what controllers share. */
function siblingFolder(path: string): string | undefined {
  const [, folder] = /^src\/engine\/controllers\/([^/]+)\//.exec(path) ?? [];
  return folder === undefined || sharedByControllers.has(folder) ? undefined : folder;
}

const sharedByControllers: ReadonlySet<string> = new Set(["workload"]);
