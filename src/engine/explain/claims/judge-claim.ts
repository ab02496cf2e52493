/** The function that judges a claim. It is passed in, as verdicts on claims and on pods depend on each other. */
import type { KubeObject } from "../../api/meta.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Verdict } from "../verdict.ts";

export type JudgeClaim = (facts: RunFacts, claim: KubeObject<"PersistentVolumeClaim">) => Verdict;
