/** How to judge a claim; handed in, because a claim's verdict in turn rests on the pods that it waits for. */
import type { KubeObject } from "../../api/meta.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Verdict } from "../verdict.ts";

export type JudgeClaim = (facts: RunFacts, claim: KubeObject<"PersistentVolumeClaim">) => Verdict;
