/** Why something does not get there: the cause at its line, and what would help. */
import { isGood, type Verdict } from "../engine/explain/verdict.ts";
import type { Prediction } from "../language-server/prediction/predictor.ts";
import { printRef } from "../language-server/prediction/print-ref.ts";
import { printSource } from "./place.ts";

const fixCountMax = 4;

/** What becomes of each claim, pod and other object that is not as it should be, worst first; empty where all is well. */
export function outcomeText(prediction: Prediction, cwd: string): string {
  const bad = prediction.verdicts.filter((verdict) => !isGood(verdict));
  if (bad.length === 0) return "Everything gets there.\n";
  return bad.map((verdict) => oneOutcome(prediction, verdict, cwd)).join("\n");
}

function oneOutcome(prediction: Prediction, verdict: Verdict, cwd: string): string {
  const { ref, headline, reason, message, root } = verdict;
  const lines = [`${printRef(ref)} ${headline}`];
  if (message !== undefined) lines.push(`  ${reason === undefined ? "" : `${reason}: `}${message}`);
  const place = root === undefined ? undefined : printSource(prediction, root.ref, root.field, cwd);
  if (root !== undefined) {
    const where =
      root.field === undefined ? printRef(root.ref) : `${printRef(root.ref)} ${root.field}`;
    lines.push(`  cause: ${where}${place === undefined ? "" : ` at ${place}`}`);
  }
  for (const fix of verdict.fixes.slice(0, fixCountMax)) {
    const at =
      fix.at === undefined ? undefined : printSource(prediction, fix.at.ref, fix.at.field, cwd);
    lines.push(`  change: ${fix.text}${at === undefined ? "" : ` (${at})`}`);
  }
  return `${lines.join("\n")}\n`;
}
