/**
 * What is told of a run, at moments on the way and at its end: of each object something that a person can use, and at the end,
 * where all is at rest, of none that something will still happen to it.
 */
import type { Ref } from "../../src/engine/api/meta.ts";
import { causalChain } from "../../src/engine/explain/causal-chain.ts";
import { RunFacts } from "../../src/engine/explain/run-facts.ts";
import type { Verdict } from "../../src/engine/explain/verdict.ts";
import { verdictOn, verdicts } from "../../src/engine/explain/verdicts.ts";
import type { Trace } from "../../src/engine/trace/trace.ts";
import { bindTimeoutMs } from "./rest.ts";

const moments = [1 / 3, 2 / 3, 1];

/** Sentences about verdicts that help nobody; empty where all are well. */
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

/** Sentences about verdicts on a cluster at rest that nothing is known to make true; empty where there is none. */
export function vainPromises(trace: Trace): readonly string[] {
  if (isBinding(trace)) return [];
  return verdicts(trace).flatMap(({ ref, kind, headline, withinMs = 0 }) =>
    kind === "will-happen" && withinMs <= 0 ? [`${ref} ${headline}: nothing happens any more`] : [],
  );
}

/** Whether the scheduler still waits for a pod's volumes, which it may do without a sign for longer than a cluster at rest is watched. */
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
    // What is cut off ends so; within a text the value of a pattern is missing.
    ...(texts.some((text) => /undefined|null|NaN|\[object|…(?!$)/.test(text))
      ? [texts.join("; ")]
      : []),
    ...(isBad && root === undefined ? ["nothing is to blame"] : []),
    ...(kind === "stuck" && fixes.length === 0 && !ref.startsWith("Job/") ? ["nothing helps"] : []),
    ...(chain[0]?.ref === ref ? [] : ["its chain begins elsewhere"]),
  ];
}
