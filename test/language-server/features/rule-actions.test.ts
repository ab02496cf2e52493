/** Each fix offered for the finding of a rule's example removes that finding, and causes no other. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CodeAction } from "../../../src/language-server/code-actions/code-action.ts";
import { unusedSuppression } from "../../../src/language-server/diagnostics/rules/suppression.ts";
import { ruleIds, rules } from "../../../src/language-server/diagnostics/rules.ts";
import type { LanguageService } from "../../../src/language-server/service.ts";
import { linesOf } from "../../../src/language-server/text-lines.ts";
import { actionsIn, afterAction } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { memoryFolder, memoryUri } from "../../support/memory-workspace.ts";
import {
  diagnosticsOf,
  filesOf,
  loadFiles,
  needsPrediction,
  readRulePage,
} from "../../support/rule-page.ts";
import { commentsIn, objectsIn, type Writing, writings } from "../../support/written-otherwise.ts";

type Files = ReadonlyMap<string, string>;

/** The actions at the findings of the rule; the first of those that have the same title. */
function actionsOf(service: LanguageService, files: Files, code: string): readonly CodeAction[] {
  const found = [...files.keys()].flatMap((name) =>
    findingsOf(service, memoryUri(name))
      .filter((diagnostic) => diagnostic.code === code)
      .flatMap((diagnostic) => actionsIn(service, name, diagnostic))
      .filter(({ diagnostic, command }) => diagnostic?.code === code && command === undefined),
  );
  return [...new Map([...found].reverse().map((action) => [action.title, action])).values()];
}

/** Rules whose findings say that a file cannot be read or accepted, or that a comment was useless: no fix may cause one. */
const harms: ReadonlySet<string> = new Set([
  unusedSuppression.id,
  "yaml-duplicate-key",
  ...rules.flatMap(({ id, keepsOut, scope }) =>
    keepsOut === true && scope !== "prediction" ? [id] : [],
  ),
]);

async function codesIn(files: Files, predicts: boolean): Promise<readonly string[]> {
  return (await diagnosticsOf(files, predicts)).map(({ code }) => code).sort();
}

/** The golden file: for each rule's example, where its findings are, where they lead, and which fixes are offered. */
const toldOfExamples: string = join(import.meta.dirname, "examples.txt");

/** The rule, then each of its findings with its related places. */
function linesOfFindings(service: LanguageService, id: string): readonly string[] {
  const place = (uri: string, start: number): string => {
    const file = service.file(uri);
    const at = file && linesOf(file.manifest).positionAt(start);
    return `${uri.slice(memoryFolder.length + 1)}:${(at?.line ?? 0) + 1}:${(at?.character ?? 0) + 1}`;
  };
  const { files } = service.environments()[0] ?? { files: [] };
  const found = files.flatMap(({ uri }) => findingsOf(service, uri));
  const lines = found
    .filter(({ code }) => code === id)
    .flatMap(({ uri, start, severity, related = [] }) => [
      `${place(uri, start)} ${severity}`,
      ...related.map((one) => `  ${place(one.uri, one.start)} ${one.message}`),
    ]);
  return [id, ...lines];
}

suite("fixes offered for the examples of the rules", () => {
  const known = readFileSync(toldOfExamples, "utf8").split("\n\n");
  const told: string[] = [];
  const isUpdate = process.env["UPDATE_GOLDEN"] === "1";
  suiteTeardown(() => {
    if (isUpdate) writeFileSync(toldOfExamples, told.join("\n\n"));
  });

  for (const id of ruleIds)
    test(id, async () => {
      const files = filesOf(readRulePage(id).example);
      const predicts = needsPrediction(id);
      const before = await codesIn(files, predicts);
      const count = (codes: readonly string[]): number =>
        codes.filter((code) => code === id).length;
      const service = await loadFiles(files, predicts);
      const actions = actionsOf(service, files, id);
      const fixes = actions.filter(({ title }) => !title.startsWith("Ignore"));
      const text = [
        ...linesOfFindings(service, id),
        ...fixes.map(({ title }) => `  + ${title}`),
      ].join("\n");
      told.push(text);
      if (!isUpdate)
        assert.equal(
          text,
          known.find((one) => one.startsWith(`${id}\n`)),
        );
      for (const action of actions) {
        const after = await codesIn(afterAction(files, action), predicts);
        assert.ok(count(after) < count(before), action.title);
        const harm = after.filter((code) => harms.has(code) && !before.includes(code));
        assert.deepEqual(harm, [], action.title);
      }
    });
});

/** Rules about notation, or about a chart's values, whose findings vanish when the example is written otherwise. */
const ofWriting: ReadonlySet<string> = new Set([
  unusedSuppression.id,
  "bare-list",
  "helm-value-unread",
  "yaml-bool-value",
  ...rules.filter((rule) => rule.scope === "document" && rule.isOfText).map(({ id }) => id),
]);

/** Rules about an order that kustomize does not keep. */
const ofOrder: ReadonlySet<string> = new Set(["needed-earlier"]);

/** The fixes of the rule's findings, without the actions that silence them. */
async function fixesOf(files: Files, id: string): Promise<readonly CodeAction[]> {
  const service = await loadFiles(files, needsPrediction(id));
  return actionsOf(service, files, id).filter(({ title }) => !title.startsWith("Ignore"));
}

/** Checks that both fixes lead to the same objects, and that the rest of the text is kept. */
function checkSame(files: Files, fix: CodeAction, written: Files, same: CodeAction): void {
  const after = afterAction(written, same);
  const text = `${fix.title}: ${[...after.values()].join("")}`;
  assert.deepEqual(objectsIn(after), objectsIn(afterAction(files, fix)), text);
  const isRemoval = same.edits.some((edit) => edit.text === "");
  if (!isRemoval) assert.deepEqual(commentsIn(after), commentsIn(written), text);
  for (const [name, before] of written)
    if (before.includes("\r\n"))
      assert.doesNotMatch(after.get(name)?.replaceAll("\r\n", "") ?? "", /[\r\n]/, text);
}

function mayLack({ holdsDocuments, offersLess }: Writing, { title }: CodeAction): boolean {
  return offersLess === true || (!holdsDocuments && title.startsWith("Create "));
}

suite("the same fixes for examples that are written otherwise:", () => {
  for (const id of ruleIds.filter((rule) => !ofWriting.has(rule)))
    test(id, async () => {
      const files = filesOf(readRulePage(id).example);
      const fixes = await fixesOf(files, id);
      for (const writing of fixes.length === 0 ? [] : writings) {
        const written = writing.write(files);
        if (ofOrder.has(id) && written.has("kustomization.yaml")) continue;
        const offered = new Map((await fixesOf(written, id)).map((fix) => [fix.title, fix]));
        for (const fix of fixes) {
          const same = offered.get(fix.title);
          assert.ok(same !== undefined || mayLack(writing, fix), `${writing.name}: ${fix.title}`);
          if (same !== undefined) checkSame(files, fix, written, same);
        }
      }
    });
});

const fileName = "manifest.yaml";

/** Groups of eight rules whose examples make one file, so that fixing all applies many fixes, some to the same text. */
function* crowds(): Iterable<readonly string[]> {
  const alone = ruleIds.filter((id) => {
    const files = filesOf(readRulePage(id).example);
    return files.size === 1 && files.has(fileName);
  });
  for (let i = 0; i < alone.length; i += 8) yield alone.slice(i, i + 8);
}

suite("all fixes of a file at once are the preferred fixes of each finding", () => {
  for (const id of ruleIds)
    test(id, async () => {
      const files = filesOf(readRulePage(id).example);
      const service = await loadFiles(files, needsPrediction(id));
      for (const name of files.keys()) {
        const found = findingsOf(service, memoryUri(name));
        const offered = found.flatMap((finding) => actionsIn(service, name, finding));
        const edits = (actions: readonly CodeAction[]): readonly string[] =>
          actions.flatMap((action) => action.edits.map((edit) => JSON.stringify(edit)));
        const preferred = edits(offered.filter(({ isPreferred }) => isPreferred === true));
        for (const edit of edits(offered.filter(({ kind }) => kind === "source.fixAll")))
          assert.ok(preferred.includes(edit), edit);
      }
    });
});

suite("all fixes of a file at once leave nothing more to fix after a second time:", () => {
  for (const ids of crowds())
    test(ids.join(", "), async () => {
      const texts = ids.map((id) => filesOf(readRulePage(id).example).get(fileName));
      let files: Files = new Map([[fileName, texts.join("---\n")]]);
      const before = await codesIn(files, false);
      for (let round = 0; ; round++) {
        const service = await loadFiles(files, false);
        const all = actionsIn(service, fileName, { start: 0, end: 0 });
        const fix = all.find(({ kind }) => kind === "source.fixAll");
        if (fix === undefined) break;
        assert.ok(round < 2, files.get(fileName));
        files = afterAction(files, fix);
      }
      const after = await codesIn(files, false);
      const harm = after.filter((code) => harms.has(code) && !before.includes(code));
      assert.deepEqual(harm, [], files.get(fileName));
    });
});
