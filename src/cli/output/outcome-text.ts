/** What does not succeed and why: refused objects, then each cause once, with what fails because of it and what would help. */
import { push } from "../../engine/api/go/multi-map.ts";
import { controllerOf, makeRef, namespaceOfRef, type Ref } from "../../engine/api/meta.ts";
import type { Verdict } from "../../engine/explain/verdict.ts";
import { namesakeText } from "../../language-server/diagnostics/namesake.ts";
import type { Prediction } from "../../language-server/prediction/prediction.ts";
import { printOutcome, printRef } from "../../language-server/prediction/print-ref.ts";
import { type RootCause, rootCauses } from "../../language-server/prediction/root-causes.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { besideText } from "./beside-text.ts";
import { leftOutText } from "./left-out-text.ts";
import { onItsWayText } from "./on-its-way-text.ts";
import { printSource } from "./place.ts";
import { refusedText } from "./refused-text.ts";
import { unscheduledText } from "./unscheduled-text.ts";

const fixCountMax = 4;

/** Equal causes of different objects are printed once, with all the places. */
export function outcomeText(result: ClusterResult, cwd: string): string {
  const { prediction } = result;
  const groups = new Map<string, RootCause[]>();
  for (const cause of rootCauses(prediction)) {
    const { headline, reason, fixes } = cause.verdict;
    const key = JSON.stringify([headline, reason, fixes.map(({ text }) => text)]);
    push(groups, key, cause);
  }
  const aside = [
    leftOutText(result, cwd),
    refusedText(result, cwd),
    unscheduledText(result),
    onItsWayText(result),
  ].filter((text) => text !== "");
  const texts = [...groups.values()].map((causes) => groupText(prediction, causes, cwd));
  if (texts.length === 0) texts.push(successText(result, aside.length > 0, cwd));
  return [...aside, ...texts].join("\n");
}

function successText(result: ClusterResult, hasOthers: boolean, cwd: string): string {
  const { prediction, namespace } = result;
  const isThere = (ref: Ref): boolean =>
    prediction.facts.objects.has(ref) &&
    (namespace === undefined || namespaceOfRef(ref) === namespace);
  const where = namespace === undefined ? "" : ` in namespace ${namespace}`;
  if (!prediction.applied.some(({ object: { ref } }) => ref !== undefined && isThere(ref)))
    return `There is ${hasOthers ? "nothing else" : "no object"}${where} to judge.\n`;
  const what = hasOthers ? "Everything else" : "Everything";
  return `${what}${where} succeeds.\n${besideText(result, cwd)}`;
}

function groupText(prediction: Prediction, causes: readonly RootCause[], cwd: string): string {
  const [first] = causes;
  if (first === undefined) return "";
  const { headline, ref, reason, message, fixes } = first.verdict;
  const isOne = causes.length === 1;
  const lines = [
    isOne ? printOutcome(ref, headline) : `${causes.length} times the same cause: ${headline}`,
  ];
  if (message !== undefined)
    lines.push(
      `  ${reason === undefined ? "" : `${reason}: `}${message.replaceAll("\n", "\n    ")}`,
    );
  const namesake = isOne ? namesakeText(prediction, first.verdict) : undefined;
  if (namesake !== undefined) lines.push(`  ${namesake}`);
  for (const { verdict, victims } of causes) {
    const indent = isOne ? "  " : "    ";
    if (!isOne) lines.push(`  ${printRef(verdict.ref)}`);
    lines.push(`${indent}cause: ${causePlace(prediction, verdict, cwd)}`);
    for (const victim of toldVictims(prediction, victims))
      lines.push(`${indent}so: ${printOutcome(victim.ref, victim.headline)}`);
  }
  for (const fix of fixes.slice(0, fixCountMax)) {
    const at =
      fix.at === undefined || !isOne
        ? undefined
        : printSource(prediction, fix.at.ref, fix.at.field, cwd);
    lines.push(`  change: ${fix.text}${at === undefined ? "" : ` (${at})`}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Leaves out ReplicaSets whose Deployment is a victim too: they say no more. */
function toldVictims({ facts }: Prediction, victims: readonly Verdict[]): readonly Verdict[] {
  const names = new Set(victims.map(({ ref }) => ref));
  return victims.filter(({ ref }) => {
    const object = facts.objects.get(ref);
    const owner = object?.kind === "ReplicaSet" ? controllerOf(object) : undefined;
    return !(
      owner?.kind === "Deployment" &&
      names.has(makeRef("Deployment", object?.metadata.namespace, owner.name))
    );
  });
}

function causePlace(prediction: Prediction, { root, ref }: Verdict, cwd: string): string {
  const place = root ?? { ref };
  const where =
    place.field === undefined ? printRef(place.ref) : `${printRef(place.ref)} ${place.field}`;
  const at = printSource(prediction, place.ref, place.field, cwd);
  return at === undefined ? where : `${where} at ${at}`;
}
