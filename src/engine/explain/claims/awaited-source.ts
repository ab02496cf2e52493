/** Whether what a copy is made from comes of itself, so that the copy, which is tried again and again, comes too. */
import { type KubeObject, type Ref, refOf } from "../../api/meta.ts";
import { onceOf, type RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";

export type Source = KubeObject<"PersistentVolumeClaim" | "VolumeSnapshot">;

export type JudgeSource = (facts: RunFacts, source: Source) => Verdict;

/** The sources that are being judged: two claims may each be the other's. */
const underJudgement = onceOf(() => new Set<Ref>());

/** False also where the source waits for its copy in turn, and where `judge` has nothing to say of it. */
export function comesOfItself<S extends Source>(
  facts: RunFacts,
  source: S,
  judge: (facts: RunFacts, source: S) => Verdict | undefined,
): boolean {
  const judged = underJudgement(facts);
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
