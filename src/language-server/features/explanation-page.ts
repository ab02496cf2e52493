/**
 * The page behind Explain: the chain to the cause, the first wrong line, the fixes, every rule of every candidate, and the
 * events in order.
 */
import type { Ref } from "../../engine/api/meta.ts";
import { causalChain } from "../../engine/explain/causal-chain.ts";
import type { ChainStep } from "../../engine/explain/chain-steps.ts";
import { fillIn } from "../../engine/explain/messages/message-pattern.ts";
import { leavesOf, recognize } from "../../engine/explain/messages/recognize.ts";
import {
  type ClaimVolumeCell,
  claimVolumeMatrix,
  ruleMatrix,
} from "../../engine/explain/rule-matrix.ts";
import { ruleWords } from "../../engine/explain/rule-words.ts";
import { dueText, type Verdict } from "../../engine/explain/verdict.ts";
import type { FailedRule } from "../../engine/trace/decision.ts";
import { namesakeText } from "../diagnostics/namesake.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { isAbout } from "../findings/kept-out.ts";
import { originText } from "../hover/object-text.ts";
import { cell, code, codeBlock, escapedRef, escapeMarkdown, linkToLine } from "../markdown.ts";
import { assumedBecause, clusterTitle } from "../prediction/cluster-title.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { printOutcome } from "../prediction/print-ref.ts";
import { sourceOf } from "../prediction/source-of.ts";
import { linesOf } from "../text-lines.ts";
import { placeOf } from "../workspace/field-place.ts";
import { baseName } from "../workspace/files/uri.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { calledOf } from "../yaml/manifest.ts";
import { linkTo, linkToSource } from "./explanation.ts";

function clusterText({ environment, assumed, profileFrom, version }: Prediction): string {
  const origin = profileFrom === "default" ? ` (assumed, ${assumedBecause})` : "";
  const profile = `Cluster profile “${assumed.cluster.name}”${origin}`;
  const title = clusterTitle(environment, assumed);
  const what = assumed.from === "imported" ? `Predicted from the ${title}` : profile;
  return `${what}, Kubernetes ${version}`;
}

/** Returns Markdown; undefined if the object is not in the simulated cluster. */
export function explanationPage(prediction: Prediction, ref: Ref): string | undefined {
  const steps = causalChain(prediction.facts, ref);
  const verdict = prediction.verdictOf.get(ref);
  const headline = verdict?.headline ?? steps[0]?.text;
  if (headline === undefined) return undefined;
  const due = verdict === undefined ? undefined : dueText(verdict);
  const namesake = verdict === undefined ? undefined : namesakeText(prediction, verdict);
  const parts = [
    `# ${escapeMarkdown(printOutcome(ref, headline))}`,
    `${escapeMarkdown(clusterText(prediction))}${due === undefined ? "" : `; ${due}`}`,
    refusedChange(prediction, ref),
    meaningOf(verdict),
    namesake === undefined ? undefined : escapeMarkdown(namesake),
    chainText(prediction, steps),
    firstWrongLine(prediction, verdict),
    changes(prediction, verdict),
    ...[...comparedIn(ref, steps)].map((about) => matrixText(prediction, about)),
    allPairs(prediction, ref),
    eventsText(prediction, ref),
  ];
  return parts.filter((part) => part !== undefined && part !== "").join("\n\n");
}

/**
 * For an object that was refused and is therefore not in the cluster: each reason with its line, as Markdown. Undefined if none
 * of the `refusals` (all diagnostics that keep objects out) is about it.
 */
export function refusalPage(
  prediction: Prediction,
  entry: WorkspaceObject,
  refusals: readonly Diagnostic[],
): string | undefined {
  const { files } = prediction.environment;
  const lines = refusals
    .filter((refusal) => isAbout(refusal, entry))
    .map(({ uri, start, message }) => {
      const file = files.find((one) => one.uri === uri) ?? entry.file;
      const line = linesOf(file.manifest).positionAt(start).line + 1;
      return `- ${linkToLine(`${baseName(uri)}:${line}`, uri, line)} ${escapeMarkdown(message)}`;
    });
  if (lines.length === 0) return undefined;
  const title = `# ${escapedRef(calledOf(entry.object))} is not in the cluster, because it is refused`;
  return [title, escapeMarkdown(clusterText(prediction)), lines.join("\n")].join("\n\n");
}

/** For an object that exists, but whose change the API server refuses. */
function refusedChange({ facts }: Prediction, ref: Ref): string | undefined {
  const message = facts.refused.get(ref)?.message;
  if (message === undefined || !facts.objects.has(ref)) return undefined;
  return `The API server refuses to change it:\n\n${codeBlock("text", message.trimEnd())}`;
}

/** Kubernetes' message, and what the message patterns say about it. */
function meaningOf(verdict: Verdict | undefined): string | undefined {
  if (verdict?.message === undefined) return undefined;
  const { reason, message } = verdict;
  const lines = [
    `> ${reason === undefined ? "" : `**${escapeMarkdown(reason)}** `}${escapeMarkdown(message)}`,
  ];
  for (const { pattern, values } of leavesOf(recognize(message, reason)))
    lines.push(
      `${escapeMarkdown(fillIn(pattern.cause, values))} (${pattern.component}, ${escapeMarkdown(pattern.rule)})`,
    );
  return lines.join("\n\n");
}

const marks: Readonly<Record<ChainStep["state"], string>> = { right: "✓", wrong: "✗", open: "…" };

function chainText(prediction: Prediction, steps: readonly ChainStep[]): string {
  if (steps.length < 2) return "";
  const lines = steps.map(({ ref, state, text, reason, message }, i) => {
    const origin = originOf(prediction, ref);
    // A workload repeats the message of its pod: show it once.
    const evidence =
      message === undefined || message === steps[i + 1]?.message
        ? ""
        : `\n   > ${reason === undefined ? "" : `${escapeMarkdown(reason)}: `}${escapeMarkdown(message)}`;
    return `${i + 1}. ${marks[state]} ${linkTo(prediction, ref)} ${escapeMarkdown(text)}${origin}${evidence}`;
  });
  return `## Step by step\n\n${lines.join("\n")}`;
}

/** Says where an object comes from that no manifest of the user creates; "" for all others. */
function originOf(prediction: Prediction, ref: Ref): string {
  const text = originText(prediction, ref);
  return text === undefined ? "" : ` (${escapeMarkdown(text)})`;
}

function firstWrongLine(prediction: Prediction, verdict: Verdict | undefined): string | undefined {
  const root = verdict?.root;
  if (verdict === undefined || root === undefined) return undefined;
  const named = fieldOf(prediction, verdict, root.field);
  const source = sourceOf(prediction, root.ref, named);
  if (source === undefined) return undefined;
  const { file, start } = placeOf(source.entry, source.path);
  const { manifest } = file;
  const { line } = linesOf(manifest).positionAt(start);
  const text =
    manifest.text
      .split("\n", line + 1)
      .at(line)
      ?.trimEnd() ?? "";
  const field = named === undefined ? "" : ` ${code(named)}`;
  return `## The first wrong line\n\n${linkToSource(root.ref, source)}${field}\n\n${codeBlock("yaml", text)}`;
}

/** If the verdict blames the object or its whole spec, the failed rules of the last decision may name the field. */
function fieldOf(
  { facts }: Prediction,
  { root }: Verdict,
  field: string | undefined,
): string | undefined {
  if (root === undefined || (field !== undefined && field !== "spec")) return field;
  const failed = (facts.lastComparison(root.ref)?.candidates ?? []).flatMap((one) => one.failed);
  return failed.find(({ wantedField }) => wantedField !== undefined)?.wantedField ?? field;
}

/** The objects whose candidates are shown: the object itself and each failing one on its chain. */
function comparedIn(ref: Ref, steps: readonly ChainStep[]): ReadonlySet<Ref> {
  return new Set([ref, ...steps.flatMap((step) => (step.state === "wrong" ? [step.ref] : []))]);
}

function matrixText(prediction: Prediction, about: Ref): string | undefined {
  const decision = prediction.facts.lastComparison(about);
  // For a pod that has a node nobody asks why that node was the best.
  const isPlaced = about.startsWith("Pod/") && decision?.chosen !== undefined;
  const matrix = decision === undefined || isPlaced ? undefined : ruleMatrix(decision);
  if (matrix === undefined || matrix.rules.length === 0) return undefined;
  const { rules, rows, count, isComplete } = matrix;
  const title = `## Candidates for ${escapedRef(about)}`;
  const lines = rows.map(({ ref, isChosen, failed }) => {
    const cells = rules.map((rule) => ruleCell(rule, failed, isComplete));
    return `| ${linkTo(prediction, ref)}${isChosen ? " **chosen**" : ""} | ${cells.join(" | ")} |`;
  });
  const head = `| | ${rules.map(ruleWords).join(" | ")} |\n|${"---|".repeat(rules.length + 1)}`;
  const more = count > rows.length ? `\n\nand ${count - rows.length} more` : "";
  const legend = lines.some((line) => line.includes("| · |"))
    ? "\n\n· not checked: an earlier rule already failed"
    : "";
  return `${title}\n\n${head}\n${lines.join("\n")}${more}${legend}`;
}

function ruleCell(
  rule: string,
  failed: ReadonlyMap<string, FailedRule>,
  isComplete: boolean,
): string {
  const failure = failed.get(rule);
  if (failure !== undefined) return `✗ ${cell(failure.wanted)} ≠ ${cell(failure.found)}`;
  // If another claim has the volume, its phase follows from that and is not a separate reason.
  const isOpen = isComplete ? rule === "phase" && failed.has("claim-ref") : failed.size > 0;
  return isOpen ? "·" : "✓";
}

const pairCountMax = 12;

/** Every claim by every volume; undefined unless the page is about one of them. */
function allPairs(prediction: Prediction, ref: Ref): string | undefined {
  if (!/^PersistentVolume(?:Claim)?\//.test(ref)) return undefined;
  const matrix = claimVolumeMatrix(prediction.facts, pairCountMax);
  if (matrix === undefined) return undefined;
  const { volumes, rows } = matrix;
  const head = `| | ${volumes.map((volume) => linkTo(prediction, volume)).join(" | ")} |\n|${"---|".repeat(volumes.length + 1)}`;
  const lines = rows.map(({ claim, cells }) => {
    const texts = volumes.map((volume) => pairText(cells.get(volume)));
    return `| ${linkTo(prediction, claim)} | ${texts.join(" | ")} |`;
  });
  return `## Claims and volumes\n\n${pairLegend}\n\n${head}\n${lines.join("\n")}`;
}

const pairLegend =
  "Each cell lists the rules that the volume fails for the claim; it is empty if the volume was not checked.";

function pairText(pair: ClaimVolumeCell | undefined): string {
  if (pair === undefined) return "";
  if (pair.isChosen) return "**chosen**";
  return pair.failed.length === 0
    ? "fits"
    : pair.failed.map(({ rule }) => ruleWords(rule)).join(", ");
}

function changes(prediction: Prediction, verdict: Verdict | undefined): string | undefined {
  const lines = (verdict?.fixes ?? []).map(({ text, at }) => {
    const source = at === undefined ? undefined : sourceOf(prediction, at.ref, at.field);
    const place =
      at === undefined || source === undefined ? "" : ` (${linkToSource(at.ref, source)})`;
    return `- ${escapeMarkdown(text)}${place}`;
  });
  return lines.length === 0 ? undefined : `## To change\n\n${lines.join("\n")}`;
}

const eventCountMax = 30;

function eventsText(prediction: Prediction, ref: Ref): string | undefined {
  // A repeated event replaces the earlier one: Kubernetes keeps one event with a count.
  const newest = new Map(
    prediction.facts.events(ref).map((e) => [`${e.source} ${e.reason} ${e.message}`, e]),
  );
  const events = [...newest.values()].slice(-eventCountMax);
  if (events.length === 0) return undefined;
  const lines = events.map(
    ({ at, eventType, reason, source, message, count }) =>
      `| ${Math.round(at / 1000)} s${count > 1 ? ` (×${count})` : ""} | ${eventType} | ${escapeMarkdown(reason)} | ${escapeMarkdown(source)} | ${escapeMarkdown(message)} |`,
  );
  return `## Its events\n\n| after | type | reason | from | message |\n|---|---|---|---|---|\n${lines.join("\n")}`;
}
