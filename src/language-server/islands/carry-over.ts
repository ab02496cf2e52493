/** Decides what is still known about an island after an edit. */
import type { Environment } from "../workspace/environment.ts";
import { type Basis, isSameBasis, rulesBasis } from "./basis.ts";
import { asksForPaths, changedPaths } from "./cluster-changes.ts";
import { generatedText } from "./generated-text.ts";
import { islandEnvironment, isWhole } from "./island-environment.ts";
import {
  type Comparison,
  comparedOf,
  isSameIsland,
  type JudgedIsland,
  saysTheSame,
  saysTheSameOfCommit,
} from "./judged-island.ts";
import { moved } from "./kept-runs.ts";
import type { Island } from "./parting/islands.ts";

export class CarryOver {
  readonly #now: Basis;
  readonly hasSameRules: boolean;
  readonly #hasSameNames: boolean;
  readonly #hasSameCommit: boolean;
  readonly #hasSameGenerated: boolean;
  /** Undefined if anything else about the cluster has changed. */
  readonly #changedPaths: readonly string[] | undefined;

  constructor(before: Basis, now: Basis) {
    this.#now = now;
    this.hasSameRules = isSameBasis(before, now) || rulesBasis(before) === rulesBasis(now);
    this.#hasSameNames = before.names.index === now.names.index;
    this.#hasSameCommit = saysTheSameOfCommit(before.environment, now.environment);
    this.#hasSameGenerated = generatedText(before.environment) === generatedText(now.environment);
    this.#changedPaths = changedPaths(before.assumption, now.assumption);
  }

  /** True if everything that rules look at is unchanged, except perhaps the objects. */
  get isSameBeyondIslands(): boolean {
    return this.hasSameRules && this.#hasSameNames && this.#hasSameCommit && this.#hasSameGenerated;
  }

  /** The island as it was judged before if nothing about it has changed, else what still holds. */
  judged(old: JudgedIsland, island: Island): JudgedIsland {
    const isSame =
      isSameIsland(old.island, island) &&
      this.hasSameRules &&
      this.#hasSameCommit &&
      this.#hasSameGenerated &&
      this.#changedPaths?.length === 0;
    if (!isSame) return this.#ofChanged(old, island);
    const same = this.#inPresent(old);
    if (same.comparison === undefined) return same.isRecalled === true ? withoutRecall(same) : same;
    return this.#holds(same.comparison) ? same : withoutComparison(withoutRecall(same));
  }

  /** An island that is the whole environment moves to the present one, which may have been rebuilt from the same objects. */
  #inPresent(old: JudgedIsland): JudgedIsland {
    const { environment } = this.#now;
    if (!isWhole(old.island, environment) || old.environment === environment) return old;
    const { prediction } = old;
    const moves = prediction && { prediction: moved(prediction, environment) };
    return { ...old, ...moves, environment };
  }

  readonly #allRefs = (): Environment["byRef"] => this.#now.environment.byRef;

  /** True if the rules would still find the same names and objects outside the island. */
  #holds({ names, refs }: Comparison): boolean {
    return (this.#hasSameNames || names.holdFor(this.#now.names)) && refs.holdFor(this.#allRefs);
  }

  #ofChanged(old: JudgedIsland, island: Island): JudgedIsland {
    const environment = islandEnvironment(this.#now.environment, island);
    const { comparison, outcome } = old;
    const lastPrediction = old.prediction ?? old.lastPrediction;
    const lastCompared = comparedOf(old);
    const stale: JudgedIsland = {
      island,
      environment,
      ...(lastCompared !== undefined && { lastCompared }),
      ...(outcome !== undefined && { outcome }),
      ...(lastPrediction !== undefined && { lastPrediction }),
    };
    if (!this.#hasSameGenerated || !saysTheSame(old.environment, environment)) return stale;
    const compares =
      this.hasSameRules &&
      saysTheSameOfCommit(old.environment, environment) &&
      comparison !== undefined &&
      this.#holds(comparison);
    const paths = this.#changedPaths;
    const knowsCluster = paths !== undefined && !asksForPaths(environment, paths);
    // The same run has the same outcome; only places have changed.
    const prediction =
      old.prediction !== undefined && knowsCluster ? moved(old.prediction, environment) : undefined;
    // A new outcome is matched with the comparison's findings by document, so the documents must be the same.
    const keepsCompared =
      compares && (prediction !== undefined || hasSameDocuments(old.environment, environment));
    return {
      ...stale,
      ...(keepsCompared && { comparison }),
      ...(prediction !== undefined && { prediction }),
    };
  }
}

function hasSameDocuments(a: Environment, b: Environment): boolean {
  return a.objects.every(({ document }, index) => document === b.objects[index]?.document);
}

function withoutComparison({ comparison, ...rest }: JudgedIsland): JudgedIsland {
  return comparison === undefined ? rest : { ...rest, lastCompared: comparison.own };
}

/** The recalled outcome leaves out what the comparison finds, and that may be something else now. */
function withoutRecall({ isRecalled, ...rest }: JudgedIsland): JudgedIsland {
  return rest;
}
