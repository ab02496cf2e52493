/** A verdict as Markdown: the outcome of the object, then the evidence, then what to change. */
import type { Ref } from "../../engine/api/meta.ts";
import { ruleWords } from "../../engine/explain/rule-words.ts";
import { dueText, type Verdict } from "../../engine/explain/verdict.ts";
import { namesakeText } from "../diagnostics/namesake.ts";
import { cell, code, escapedRef, escapeMarkdown, linkToLine } from "../markdown.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { printOutcome, printRef } from "../prediction/print-ref.ts";
import { type Source, sourceOf } from "../prediction/source-of.ts";
import { linesOf } from "../text-lines.ts";
import { placeOf } from "../workspace/field-place.ts";

/** About fifteen lines, so that it fits beside the code. The page behind Explain has the rest. */
const rowCountMax = 6;
const fixCountMax = 3;
const linkCountMax = 4;

export interface ExplanationParts {
  /** False if a table that follows shows the chain to the cause already. */
  readonly chain: boolean;
}

/** Returns Markdown. */
export function explain(
  prediction: Prediction,
  verdict: Verdict,
  { chain: hasChain }: ExplanationParts,
): string {
  const { assumed } = prediction;
  const parts = [
    `**${escapeMarkdown(printOutcome(verdict.ref, verdict.headline))}** · ${escapeMarkdown(assumed.cluster.name)}`,
  ];
  parts.push(...saidTexts(verdict));
  const namesake = namesakeText(prediction, verdict);
  if (namesake !== undefined) parts.push(escapeMarkdown(namesake));
  const table = candidateTable(verdict);
  if (table !== "") parts.push(table);
  if (hasChain) parts.push(...chainTexts(verdict, (ref) => linkTo(prediction, ref)));
  parts.push(...changeTexts(verdict));
  return parts.join("\n\n");
}

/** Kubernetes' message, and within what time the outcome comes or is tried again. */
export function saidTexts(verdict: Verdict): readonly string[] {
  const { reason, message } = verdict;
  const said =
    message === undefined
      ? []
      : [`${reason === undefined ? "" : `${code(reason)} `}${escapeMarkdown(message)}`];
  const due = dueText(verdict);
  return due === undefined ? said : [...said, due];
}

/** The chain to the cause, each object printed by `shown`; empty if the cause is in the object itself. */
export function chainTexts({ chain }: Verdict, shown: (ref: Ref) => string): readonly string[] {
  const links = chain
    .slice(1, linkCountMax + 1)
    .map(({ ref, text }) => `→ ${shown(ref)} ${escapeMarkdown(text)}`);
  return links.length === 0 ? [] : [links.join("  \n")];
}

export function changeTexts({ fixes }: Verdict): readonly string[] {
  const changes = fixes.slice(0, fixCountMax).map(({ text }) => `- ${escapeMarkdown(text)}`);
  return changes.length === 0 ? [] : [`To change:\n${changes.join("\n")}`];
}

/** Nearest misses first. Only the first candidate may exceed the row limit: its rules are never cut. */
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
  return `| candidate | fails | wanted | found |\n|---|---|---|---|\n${rows.join("\n")}${more}`;
}

/** The object's name, as a link to its first line if a file has it. */
export function linkTo(prediction: Prediction, ref: string): string {
  const source = sourceOf(prediction, ref);
  return source === undefined ? escapedRef(ref) : linkToSource(ref, source);
}

export function linkToSource(ref: string, { entry, path }: Source): string {
  const { file, start } = placeOf(entry, path);
  const { line } = linesOf(file.manifest).positionAt(start);
  return linkToLine(printRef(ref), file.uri, line + 1);
}
