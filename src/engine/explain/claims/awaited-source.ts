/** Whether the source of a copy becomes ready by itself, so that the copy, which is retried, succeeds too. */
import { type KubeObject, type Ref, refOf } from "../../api/meta.ts";
import { onceOf, type RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";

export type Source = KubeObject<"PersistentVolumeClaim" | "VolumeSnapshot">;

export type JudgeSource = (facts: RunFacts, source: Source) => Verdict;

/** The sources that are being judged: two claims may be each other's source. */
const beingJudged = onceOf(() => new Set<Ref>());

/** False also if the source in turn waits for its copy, or if `judge` returns nothing. */
export function comesOfItself<S extends Source>(
  facts: RunFacts,
  source: S,
  judge: (facts: RunFacts, source: S) => Verdict | undefined,
): boolean {
  const judged = beingJudged(facts);
  const ref = refOf(source);
  if (judged.has(ref)) return false;
  judged.add(ref);
  try {
    const verdict = judge(facts, source);
    return verdict !== undefined && isGood(verdict);
  } finally {
    judged.delete(ref);
  }
}
