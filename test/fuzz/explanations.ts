/**
 * Checks the verdicts on a run, at moments during it and at its end: each must be useful to a person, and at the end, when all
 * is at rest, none may promise that something will still happen.
 */
import type { Ref } from "../../src/engine/api/meta.ts";
import { causalChain } from "../../src/engine/explain/causal-chain.ts";
import { RunFacts } from "../../src/engine/explain/run-facts.ts";
import { isGood, type Verdict } from "../../src/engine/explain/verdict.ts";
import { verdictOn, verdicts } from "../../src/engine/explain/verdicts.ts";
import type { TraceEntry } from "../../src/engine/trace/entry.ts";
import type { Trace } from "../../src/engine/trace/trace.ts";
import { bindTimeoutMs } from "./rest.ts";

const moments = [1 / 3, 2 / 3, 1];

/** Sentences about verdicts that are of no use; empty if all are fine. */
export function poorVerdicts(trace: Trace): readonly string[] {
  const last = trace.entries.length - 1;
  return moments.flatMap((part) => {
    const facts = new RunFacts(trace, Math.floor(last * part));
    return [...facts.objects.values()].flatMap((object) => {
      const verdict = verdictOn(facts, object);
      if (verdict === undefined) return [];
      const steps = causalChain(facts, verdict.ref).map(({ text }) => text);
      return faultsOf(verdict, steps).map(
        (fault) => `${verdict.ref} ${verdict.headline}: ${fault}`,
      );
    });
  });
}

/** Sentences about verdicts that promise something although the cluster is at rest; empty if there are none. */
export function vainPromises(trace: Trace): readonly string[] {
  if (isBinding(trace)) return [];
  return verdicts(trace).flatMap(({ ref, kind, headline, withinMs = 0 }) =>
    kind === "will-happen" && withinMs <= 0 ? [`${ref} ${headline}: nothing happens any more`] : [],
  );
}

/** States that last at least this long are checked: a person could read their verdicts. */
const readableMs = 500;

/**
 * Sentences about verdicts that say "stuck" although the object recovers later without anybody's help; empty if there are none.
 * Skips runs in which a pod is stuck at the end, as it may have lost its place to one that was stuck before, and runs in which
 * the scheduler frees a place that it held for ten minutes for a pod whose volumes never came.
 */
export function hastyVerdicts(trace: Trace): readonly string[] {
  const { entries } = trace;
  if (entries.some(isBindTimeout)) return [];
  const end = new RunFacts(trace);
  if (end.list("Pod").some((pod) => verdictOn(end, pod)?.kind === "stuck")) return [];
  const begin = entries.findLastIndex(({ type }) => type === "step");
  return entries.slice(begin, -1).flatMap(({ seq, at }) => {
    if ((entries[seq + 1]?.at ?? 0) - at < readableMs) return [];
    const facts = new RunFacts(trace, seq);
    return [...facts.objects.values()].flatMap((object) => {
      const verdict = verdictOn(facts, object);
      if (verdict?.kind !== "stuck") return [];
      const later = end.objects.get(verdict.ref);
      const last = later?.metadata.uid === object.metadata.uid ? verdictOn(end, later) : undefined;
      if (last === undefined || !isGood(last)) return [];
      return [`${verdict.ref} ${verdict.headline}: but then it ${last.headline}`];
    });
  });
}

/** Upstream: volumebinding binder.go BindPodVolumes, which waits for bindTimeout. */
function isBindTimeout(entry: TraceEntry): boolean {
  return (
    entry.type === "decision" &&
    entry.decision.reason === "SchedulerError" &&
    entry.decision.text?.endsWith("context deadline exceeded") === true
  );
}

/** True if the scheduler still waits for a pod's volumes. It may do so silently for longer than the final settle watches. */
function isBinding({ entries, end }: Trace): boolean {
  const chosen = new Map<Ref, number>();
  for (const entry of entries) {
    if (entry.type === "decision" && entry.decision.reason === "Scheduled")
      chosen.set(entry.about, entry.at);
    if (
      entry.type === "write" &&
      entry.after?.kind === "Pod" &&
      entry.after.spec.nodeName !== undefined
    )
      chosen.delete(entry.ref);
  }
  return [...chosen.values()].some((at) => at + bindTimeoutMs > end);
}

function faultsOf(
  { ref, kind, headline, root, chain, fixes }: Verdict,
  steps: readonly string[],
): readonly string[] {
  const texts = [headline, ...chain, ...fixes, ...steps].map((said) =>
    typeof said === "string" ? said : said.text,
  );
  const isBad = kind === "stuck" || kind === "fails";
  return [
    // An ellipsis at the end is a cut; inside a text it stands for a missing value.
    ...(texts.some((text) => /undefined|null|NaN|\[object|…(?!$)/.test(text))
      ? [texts.join("; ")]
      : []),
    ...(isBad && root === undefined ? ["nothing is to blame"] : []),
    ...(kind === "stuck" && fixes.length === 0 && !ref.startsWith("Job/") ? ["nothing helps"] : []),
    ...(chain[0]?.ref === ref ? [] : ["its chain begins elsewhere"]),
  ];
}
