/** `claimcheck explain`: for each object the chain from symptom to cause, and every candidate with the rules it fails. */
import { compareText } from "../../engine/api/go/text-order.ts";
import type { Ref } from "../../engine/api/meta.ts";
import { causalChain } from "../../engine/explain/causal-chain.ts";
import type { ChainStep } from "../../engine/explain/chain-steps.ts";
import { ruleWords } from "../../engine/explain/rule-words.ts";
import { dueText, type Verdict } from "../../engine/explain/verdict.ts";
import { namesakeText } from "../../language-server/diagnostics/namesake.ts";
import { kindOfResource } from "../../language-server/events/resource-names.ts";
import { nearestName } from "../../language-server/nearest-name.ts";
import { printOutcome, printRef } from "../../language-server/prediction/print-ref.ts";
import { calledOf } from "../../language-server/yaml/manifest.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { isTold } from "../told-objects.ts";
import { printSource } from "./place.ts";
import { headText } from "./profile-text.ts";
import { isRefused, refusedText } from "./refused-text.ts";
import { printTable } from "./table.ts";

export function explainText(result: ClusterResult, cwd: string, only?: string): string {
  const { prediction } = result;
  const head = headText(result, cwd);
  const isMeant = (ref: string): boolean =>
    only === undefined ? isTold(result, ref) : isNamed(ref, only);
  const refused = refusedText(result, cwd, isMeant);
  const explained = verdictsOn(prediction, only).map((verdict) =>
    explanation(prediction, verdict, cwd),
  );
  if (only !== undefined)
    for (const ref of standingRefs(prediction, only))
      explained.push(standing(prediction, ref, cwd));
  if (refused === "" && explained.length === 0) return `${head}\nNothing here uses storage.\n`;
  return [head, ...(refused === "" ? [] : [refused]), ...explained].join("\n");
}

/** The verdicts on all objects of the files; or on the object `only`, which may be of an imported cluster and in no file. */
export function verdictsOn(
  { verdicts, verdictOf }: ClusterResult["prediction"],
  only: string | undefined,
): readonly Verdict[] {
  return only === undefined
    ? verdicts
    : [...verdictOf.values()].filter(({ ref }) => isNamed(ref, only));
}

export function hasObject(result: ClusterResult, given: string): boolean {
  const isMeant = (ref: string): boolean => isNamed(ref, given);
  return knownRefs(result).some(isMeant) || isRefused(result, isMeant);
}

function knownRefs({ prediction }: ClusterResult): readonly string[] {
  const { verdictOf, facts } = prediction;
  const standingRefs = [...facts.objects.keys()].filter((ref) => isStanding(prediction, ref));
  return [...verdictOf.keys(), ...standingRefs, ...facts.refused.keys()];
}

/** True for objects without an outcome that a chain describes: classes, drivers and nodes. */
function isStanding({ verdictOf, facts }: ClusterResult["prediction"], ref: Ref): boolean {
  return !verdictOf.has(ref) && causalChain(facts, ref).length > 0;
}

/** The objects without an outcome that `only` names. */
export function standingRefs(
  prediction: ClusterResult["prediction"],
  only: string,
): readonly Ref[] {
  return [...prediction.facts.objects.keys()].filter(
    (ref) => isNamed(ref, only) && isStanding(prediction, ref),
  );
}

/** Describes an object without an outcome, and what is behind it. */
function standing(prediction: ClusterResult["prediction"], ref: Ref, cwd: string): string {
  const [own] = causalChain(prediction.facts, ref);
  const at = printSource(prediction, ref, undefined, cwd);
  const lines = [
    `${printRef(ref)} ${own?.text ?? ""}${at === undefined ? "" : ` (${at})`}`,
    ...chainLines(prediction, ref, cwd),
  ];
  return `${lines.join("\n")}\n`;
}

/** Why no cluster has an object of this name, as far as can be said, or what may have been meant. */
export function noSuchObject(given: string, results: readonly ClusterResult[]): string {
  const [kind = "", ...rest] = given.split("/");
  if (rest.length === 0) return `--object is KIND/NAME or KIND/NAMESPACE/NAME, not ${given}`;
  if (results.some((result) => isDeleted(result, given)))
    return `${given} is deleted before the cluster comes to rest: nothing keeps it`;
  if (results.some((result) => isWritten(result, given)))
    return `${given} is in the files, but nothing is predicted of its kind`;
  const ofKind = results
    .flatMap(knownRefs)
    .filter((ref) => ref.startsWith(`${kindOfResource(kind)}/`))
    .map((ref) => [kind, ...ref.split("/").slice(-rest.length)].join("/"));
  const elsewhere = ofKind.find((other) => other.endsWith(`/${rest.at(-1)}`));
  const near = nearestName(given, ofKind) ?? elsewhere;
  const named =
    near === undefined
      ? namesText([...new Set(ofKind)].sort(compareText))
      : `; did you mean ${near}?`;
  return `no object here is called ${given}${named}`;
}

const nameCountMax = 5;

/** Lists the names that could be asked for instead. */
function namesText(names: readonly string[]): string {
  if (names.length === 0) return "";
  const more = names.length - nameCountMax;
  const shown = names.slice(0, nameCountMax).join(", ");
  return `; there is ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

/** True if a file has such an object, whatever becomes of it. */
function isWritten({ environment }: ClusterResult, given: string): boolean {
  return environment.objects.some(({ object }) => isNamed(calledOf(object), given));
}

function isDeleted({ prediction: { trace } }: ClusterResult, given: string): boolean {
  return trace.entries.some(
    (entry) => entry.type === "write" && entry.verb === "delete" && isNamed(entry.ref, given),
  );
}

/** `pvc/data`, `PersistentVolumeClaim/default/data`, `pods/web`: as kubectl takes them. */
function isNamed(ref: string, given: string): boolean {
  const [kind = "", namespace = "", name = ""] = ref.split("/");
  const [givenKind = "", ...rest] = given.split("/");
  if (kindOfResource(givenKind) !== kind) return false;
  return rest.length > 1 ? rest[0] === namespace && rest[1] === name : rest[0] === name;
}

function explanation(
  prediction: ClusterResult["prediction"],
  verdict: Verdict,
  cwd: string,
): string {
  const lines = [printOutcome(verdict.ref, verdict.headline)];
  if (verdict.message !== undefined) {
    lines.push(`  ${verdict.reason === undefined ? "" : `${verdict.reason}: `}${verdict.message}`);
  }
  const namesake = namesakeText(prediction, verdict);
  if (namesake !== undefined) lines.push(`  ${namesake}`);
  const due = dueText(verdict);
  if (due !== undefined) lines.push(`  ${due}`);
  lines.push(...chainLines(prediction, verdict.ref, cwd));
  if (verdict.root !== undefined) {
    const at = printSource(prediction, verdict.root.ref, verdict.root.field, cwd);
    lines.push(
      `  cause: ${printRef(verdict.root.ref)} ${verdict.root.field ?? ""}`.trimEnd() +
        (at === undefined ? "" : ` at ${at}`),
    );
  }
  const table = candidateTable(verdict);
  if (table !== "")
    lines.push(
      ...table
        .trimEnd()
        .split("\n")
        .map((line) => `  ${line}`),
    );
  for (const { text, at } of verdict.fixes) {
    const place = at === undefined ? undefined : printSource(prediction, at.ref, at.field, cwd);
    lines.push(`  change: ${text}${place === undefined ? "" : ` (${place})`}`);
  }
  return `${lines.join("\n")}\n`;
}

const marks: Readonly<Record<ChainStep["state"], string>> = { right: "✓", wrong: "✗", open: "…" };

/** The causal chain behind the object, wrong steps with Kubernetes' message. */
function chainLines(
  prediction: ClusterResult["prediction"],
  about: string,
  cwd: string,
): readonly string[] {
  return causalChain(prediction.facts, about)
    .filter(({ ref }) => ref !== about)
    .flatMap(({ ref, state, text, reason, message }) => {
      const at = printSource(prediction, ref, undefined, cwd);
      const place = at === undefined ? "" : ` (${at})`;
      const evidence =
        message === undefined || state !== "wrong"
          ? []
          : [`      ${reason === undefined ? "" : `${reason}: `}${message}`];
      return [`  ${marks[state]} ${printRef(ref)} ${text}${place}`, ...evidence];
    });
}

function candidateTable({ candidates, candidateCount }: Verdict): string {
  const rows = candidates.flatMap(({ ref, failed }) =>
    failed.length === 0
      ? [[printRef(ref), "fits", "", ""]]
      : failed.map((rule, i) => [
          i === 0 ? printRef(ref) : "",
          ruleWords(rule.rule),
          rule.wanted === "" ? "none" : rule.wanted,
          rule.found === "" ? "none" : rule.found,
        ]),
  );
  const table = printTable(["CANDIDATE", "RULE", "WANTED", "FOUND"], rows);
  const more = candidateCount - candidates.length;
  return more > 0 ? `${table}and ${more} more\n` : table;
}
