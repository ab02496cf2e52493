/** A verdict as a page to read: what becomes of the object first, the proof next, then what to change. */
import { ruleWords } from "../../engine/explain/rule-words.ts";
import { dueText, type Verdict } from "../../engine/explain/verdict.ts";
import { namesakeText } from "../diagnostics/namesake.ts";
import { cell, code, escapedRef, escapeMarkdown, linkToLine } from "../markdown.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { printRef } from "../prediction/print-ref.ts";
import { type Source, sourceOf } from "../prediction/source-of.ts";
import { linesOf } from "../text-lines.ts";
import { placeOf } from "../workspace/field-place.ts";

/** About fifteen lines: what fits beside the code. The rest is behind Explain. */
const rowCountMax = 6;
const fixCountMax = 3;
const linkCountMax = 4;

export interface ExplanationParts {
  /** Whether the way to the cause is told; a table that follows may tell it already. */
  readonly chain: boolean;
}

/** Markdown. */
export function explain(
  prediction: Prediction,
  verdict: Verdict,
  { chain: hasChain }: ExplanationParts,
): string {
  const { assumed } = prediction;
  const parts = [
    `**${escapedRef(verdict.ref)} ${escapeMarkdown(verdict.headline)}** · ${escapeMarkdown(assumed.cluster.name)}`,
  ];
  if (verdict.message !== undefined) {
    parts.push(
      `${verdict.reason === undefined ? "" : `${code(verdict.reason)} `}${escapeMarkdown(verdict.message)}`,
    );
  }
  const due = dueText(verdict);
  if (due !== undefined) parts.push(due);
  const namesake = namesakeText(prediction, verdict);
  if (namesake !== undefined) parts.push(escapeMarkdown(namesake));
  const table = candidateTable(verdict);
  if (table !== "") parts.push(table);
  const chain = verdict.chain
    .slice(1, linkCountMax + 1)
    .map(({ ref, text }) => `→ ${linkTo(prediction, ref)} ${escapeMarkdown(text)}`);
  if (hasChain && chain.length > 0) parts.push(chain.join("  \n"));
  const fixes = verdict.fixes.slice(0, fixCountMax).map(({ text }) => `- ${escapeMarkdown(text)}`);
  if (fixes.length > 0) parts.push(`To change:\n${fixes.join("\n")}`);
  return parts.join("\n\n");
}

/** Nearest misses first, each with all its rules or not at all, but for the first. */
function candidateTable({ candidates, candidateCount }: Verdict): string {
  if (candidates.length === 0) return "";
  const rows: string[] = [];
  let shownCount = 0;
  for (const { ref, failed } of candidates) {
    const own =
      failed.length === 0
        ? [`| ${escapedRef(ref)} | fits | | |`]
        : failed.map((rule, i) => {
            const name = i === 0 ? escapedRef(ref) : "";
            return `| ${name} | ${ruleWords(rule.rule)} | ${cell(rule.wanted)} | ${cell(rule.found)} |`;
          });
    if (shownCount > 0 && rows.length + own.length > rowCountMax) break;
    rows.push(...own);
    shownCount++;
  }
  const rest = candidateCount - shownCount;
  const more = rest > 0 ? `\n\nand ${rest} more` : "";
  return `| looked at | fails on | wanted | found |\n|---|---|---|---|\n${rows.join("\n")}${more}`;
}

/** The object's name, as a link to its first line where a file has it. */
export function linkTo(prediction: Prediction, ref: string): string {
  const source = sourceOf(prediction, ref);
  return source === undefined ? escapedRef(ref) : linkToSource(ref, source);
}

export function linkToSource(ref: string, { entry, path }: Source): string {
  const { file, start } = placeOf(entry, path);
  const { line } = linesOf(file.manifest).positionAt(start);
  return linkToLine(printRef(ref), file.uri, line + 1);
}
