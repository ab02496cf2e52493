/** Names, values and messages of files where the command line prints them. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../src/cli/run.ts";

const manifests = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: ebs.csi.aws.com
parameters: { "a\\x1b[2J\\r\\u202e\\n::error::b ##[error]c ##vso[task.setvariable variable=d]e": x }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

const project = `profile: "a\\e]0;title\\a\\n::stop-commands::b"\n`;

const scenario = `title: "a\\e]0;title\\a\\n::error::b"
steps:
  - expect: [{ kind: Pod, name: "x\\uFFFF\\e[2J" }]
`;

async function printed(...argv: readonly string[]): Promise<string> {
  let text = "";
  const take = (more: string): void => {
    text += more;
  };
  await run(
    argv,
    {
      cwd: folder,
      out: take,
      err: take,
      progress: () => {},
      readInput: () => Promise.resolve(manifests),
    },
    "1.2.3",
  );
  return text;
}

let folder = "";

suite("text of files on the command line", () => {
  suiteSetup(() => {
    folder = mkdtempSync(join(tmpdir(), "claimcheck-text-"));
    writeFileSync(join(folder, "a.yaml"), manifests);
    writeFileSync(join(folder, "claimcheck.yaml"), project);
    writeFileSync(join(folder, "a.scenario.yaml"), scenario);
  });

  suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

  const commands = [
    ["check"],
    ["predict"],
    ["simulate"],
    ["explain"],
    ["test"],
    ["test", "--output", "junit"],
    ["check", "--output", "json"],
    ["check", "--output", "sarif"],
    ["check", "--output", "github"],
    ["check", "--output", "gitlab"],
  ];
  for (const command of commands)
    test(`${command.join(" ")} prints no control characters and no commands for build servers`, async () => {
      const text = await printed(...command, ".");
      assert.doesNotMatch(text, /[^\P{C}\n]|\uFFFF/u);
      assert.doesNotMatch(text, /^\s*::(?!(?:error|warning|notice) file=)/m);
      if (!command.includes("github")) assert.doesNotMatch(text, /##\w*\[/);
      else assert.doesNotMatch(text, /^(?!::).*##\w*\[/m);
    });

  test("JSON keeps the names as they are", async () => {
    const report = JSON.parse(await printed("check", "--output", "json", "a.yaml"));
    const texts: string = JSON.stringify(report);
    assert.ok(
      texts.includes(JSON.stringify("\u001b[2J\r\u202e\n::error::b ##[error]c").slice(1, -1)),
    );
  });
});
