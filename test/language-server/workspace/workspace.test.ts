import assert from "node:assert/strict";
import fc from "fast-check";
import { Workspace } from "../../../src/language-server/workspace/workspace.ts";

const pod = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\n`;

function workspaceOf(
  files: Readonly<Record<string, string>>,
  folders: readonly string[] = ["file:///w"],
): Workspace {
  const workspace = new Workspace();
  workspace.setFolders(folders);
  for (const [uri, text] of Object.entries(files)) workspace.setDiskText(uri, text);
  return workspace;
}

/** Environments as `folder: names of objects`. */
function environmentsOf(workspace: Workspace): readonly string[] {
  return workspace
    .environments()
    .map(({ id, objects }) => `${id}: ${objects.map(({ object }) => object.name).join(" ")}`);
}

suite("the workspace", () => {
  test("each folder is an environment of its own, in the order of its files", () => {
    const workspace = workspaceOf(
      {
        "file:///w/b.yaml": pod("b"),
        "file:///w/a.yaml": pod("a"),
        "file:///other/c.yaml": pod("c"),
      },
      ["file:///w", "file:///other"],
    );
    assert.deepEqual(environmentsOf(workspace), ["file:///other: c", "file:///w: a b"]);
  });

  test("invalid names and half-typed addresses count as names of missing files", () => {
    const address = "http://[::1]:99999/a";
    const typed = Array.from(address, (_, end) => `'${address.slice(0, end)}'`);
    for (const name of [...typed, "\ud800", '"\\udfff"', "'%zz'"]) {
      const project = `cluster: { import: ${name} }\nfolders: [${name}]\nkustomization: ${name}\n`;
      const charts = `charts: [{ chart: ${name}, values: [${name}] }]\n`;
      const workspace = workspaceOf({
        "file:///w/claimcheck.yaml": project + charts,
        "file:///w/kustomization.yaml": `resources: [${name}]\npatches: [{ path: ${name} }]\n`,
        "file:///w/a.yaml": pod("a"),
      });
      assert.deepEqual(environmentsOf(workspace), ["file:///w: a"], name);
    }
  });

  test("a folder with a project file is an environment as long as it has one", () => {
    const workspace = workspaceOf({
      "file:///w/a.yaml": pod("a"),
      "file:///w/prod/deep/b.yaml": pod("b"),
    });
    assert.deepEqual(environmentsOf(workspace), ["file:///w: a b"]);
    workspace.setDiskText("file:///w/prod/claimcheck.yaml", "profile: eks\n");
    assert.deepEqual(environmentsOf(workspace), ["file:///w: a", "file:///w/prod: b"]);
    assert.equal(workspace.environment("file:///w/prod")?.project.profile, "eks");
    workspace.setDiskText("file:///w/prod/claimcheck.yaml", undefined);
    assert.deepEqual(environmentsOf(workspace), ["file:///w: a b"]);
  });

  test("a project file adds other folders to its environment as long as it names them", () => {
    const project = "file:///w/prod/claimcheck.yaml";
    const workspace = workspaceOf(
      {
        "file:///w/prod/a.yaml": pod("a"),
        "file:///w/base/deep/b.yaml": pod("b"),
        "file:///shared/c.yaml": pod("c"),
        [project]: "folders: [../base, ../../shared]\n",
      },
      ["file:///w", "file:///shared"],
    );
    assert.deepEqual(environmentsOf(workspace), ["file:///w/prod: c b a"]);
    workspace.setEditorText(project, "folders: ../base\n");
    assert.deepEqual(environmentsOf(workspace), ["file:///shared: c", "file:///w/prod: b a"]);
    workspace.setEditorText(project, "");
    assert.deepEqual(environmentsOf(workspace), [
      "file:///shared: c",
      "file:///w: b",
      "file:///w/prod: a",
    ]);
  });

  test("a folder is found however its name is encoded in the URI", () => {
    const workspace = workspaceOf({
      "file:///w/prod/claimcheck.yaml": "folders: ['../@base', '../b c']\n",
      "file:///w/@base/a.yaml": pod("a"),
      "file:///w/b%20c/b.yaml": pod("b"),
    });
    assert.deepEqual(environmentsOf(workspace), ["file:///w/prod: a b"]);
  });

  test("a project file cannot add a folder of another one, its own, a parent or one that is not open", () => {
    const workspace = workspaceOf({
      "file:///w/dev/claimcheck.yaml": "folders: [../base]\n",
      "file:///w/prod/claimcheck.yaml": "folders: [../base, ../dev, deep, .., ../../elsewhere]\n",
      "file:///w/base/b.yaml": pod("b"),
      "file:///w/dev/d.yaml": pod("d"),
      "file:///w/prod/deep/p.yaml": pod("p"),
    });
    assert.deepEqual(environmentsOf(workspace), ["file:///w/dev: b d", "file:///w/prod: p"]);
    const { folderProblems = [] } = workspace.environment("file:///w/prod") ?? {};
    assert.deepEqual(
      folderProblems.map(({ path, message }) => `${path.join(".")} ${message}`),
      [
        "folders.0 “../base” is in the cluster of another claimcheck.yaml already",
        "folders.1 “../dev” has a claimcheck.yaml, which makes it a cluster of its own",
        "folders.2 “deep” is in this cluster anyway",
        "folders.3 “..” holds this file itself; move the file there",
        "folders.4 “../../elsewhere” is in no folder that is open here, and is not read",
      ],
    );
  });

  test("an editor's text takes precedence until it is closed", () => {
    const workspace = workspaceOf({ "file:///w/a.yaml": pod("saved") });
    workspace.setEditorText("file:///w/a.yaml", pod("typed"));
    assert.deepEqual(environmentsOf(workspace), ["file:///w: typed"]);
    workspace.setDiskText("file:///w/a.yaml", pod("changed-on-disk"));
    assert.deepEqual(environmentsOf(workspace), ["file:///w: typed"]);
    workspace.closeEditor("file:///w/a.yaml");
    assert.deepEqual(environmentsOf(workspace), ["file:///w: changed-on-disk"]);
  });

  test("a file outside all folders is in an environment with its neighbors while it is open", () => {
    const workspace = workspaceOf({});
    workspace.setEditorText("file:///tmp/x.yaml", pod("x"));
    assert.deepEqual(environmentsOf(workspace), ["file:///tmp: x"]);
    workspace.closeEditor("file:///tmp/x.yaml");
    assert.deepEqual(environmentsOf(workspace), []);
  });

  test("unsaved texts outside all folders are in one environment, after those of the folders", () => {
    const workspace = workspaceOf({ "file:///w/a.yaml": pod("a") });
    workspace.setEditorText("untitled:Untitled-1", pod("b"));
    workspace.setEditorText("untitled:Untitled-2", pod("c"));
    assert.deepEqual(environmentsOf(workspace), ["file:///w: a", "untitled:: b c"]);
    assert.equal(workspace.environment("untitled:")?.name, "unsaved files");
  });

  test("an unchanged text keeps the revision, and a change only raises that of its environment", () => {
    const workspace = workspaceOf({ "file:///w/a.yaml": pod("a"), "file:///v/b.yaml": pod("b") }, [
      "file:///w",
      "file:///v",
    ]);
    const revisions = (): readonly number[] =>
      workspace.environments().map(({ revision }) => revision);
    const [v, w] = revisions();
    workspace.setEditorText("file:///w/a.yaml", pod("a"));
    assert.deepEqual(revisions(), [v, w]);
    workspace.setEditorText("file:///w/a.yaml", pod("a2"));
    assert.deepEqual(revisions(), [v, (w ?? 0) + 1]);
  });

  test("templates are left out and do not affect other files", () => {
    const workspace = workspaceOf({
      "file:///w/a.yaml": `${pod("a")}---\n${pod("{{ .x }}")}`,
      "file:///w/b.yaml": pod("b"),
    });
    assert.deepEqual(environmentsOf(workspace), ["file:///w: b"]);
  });

  test("an object that is defined twice is found in both files", () => {
    const workspace = workspaceOf({ "file:///w/a.yaml": pod("a"), "file:///w/b.yaml": pod("a") });
    const places = workspace.environments()[0]?.byRef.get("Pod/default/a");
    assert.deepEqual(
      places?.map(({ file }) => file.uri),
      ["file:///w/a.yaml", "file:///w/b.yaml"],
    );
  });

  test("any edits leave the same environments as a fresh start on the same texts", () => {
    const uri = fc.constantFrom(
      "file:///w/a.yaml",
      "file:///w/p/b.yaml",
      "file:///w/p/claimcheck.yaml",
      "file:///x/c.yaml",
    );
    const text = fc.constantFrom(
      pod("a"),
      pod("b"),
      "profile: eks\n",
      `${pod("a")}---\n${pod("b")}`,
      "x: [\n",
    );
    const edit = fc.tuple(uri, fc.constantFrom("disk", "editor", "close", "gone"), text);
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 20 }), (edits) => {
        const workspace = workspaceOf({});
        const disk = new Map<string, string>();
        const editor = new Map<string, string>();
        for (const [at, action, content] of edits) {
          if (action === "disk") disk.set(at, content);
          else if (action === "editor") editor.set(at, content);
          else if (action === "close") editor.delete(at);
          else disk.delete(at);
          if (action === "editor") workspace.setEditorText(at, content);
          else if (action === "close") workspace.closeEditor(at);
          else workspace.setDiskText(at, disk.get(at));
          workspace.environments();
        }
        const fresh = workspaceOf(Object.fromEntries(disk));
        for (const [at, content] of editor) fresh.setEditorText(at, content);
        assert.deepEqual(environmentsOf(workspace), environmentsOf(fresh));
      }),
      { seed: 11, numRuns: 200 },
    );
  });
});
