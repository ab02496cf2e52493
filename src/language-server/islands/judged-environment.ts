/**
 * Everything known about an environment, island by island, carried over from one state of its files to the next: an edit costs
 * only the islands that it touches. The result depends on the present files alone, never on earlier states.
 */
import { blamedObjects } from "../diagnostics/blamed-object.ts";
import { compareObjects, outcomeReports } from "../diagnostics/object-reports.ts";
import type { CodedReport, EnvironmentContext } from "../diagnostics/rule.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { scenarioOf } from "../prediction/scenario-of.ts";
import { projectFileName } from "../project/project-file.ts";
import type { ClusterNames } from "../workspace/cluster-names.ts";
import { type Environment, hasCluster } from "../workspace/environment.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import type { Basis } from "./basis.ts";
import { CarryOver } from "./carry-over.ts";
import { changedFiles, looksTheSame, rebuiltFiles } from "./changed-files.ts";
import { changedPaths } from "./cluster-changes.ts";
import { generatedText } from "./generated-text.ts";
import { islandCluster } from "./island-cluster.ts";
import { islandEnvironment } from "./island-environment.ts";
import {
  comparedOf,
  type JudgedIsland,
  type OutcomeReports,
  saysTheSame,
} from "./judged-island.ts";
import { KeptRuns, moved } from "./kept-runs.ts";
import { NotedFiles } from "./noted-files.ts";
import { type Island, type Islands, islandsOf } from "./parting/islands.ts";
import { isWorthParting, mayBeParted, shownToParting } from "./parting/parting.ts";
import type { Preview } from "./preview/preview.ts";
import { Previews } from "./preview/previews.ts";
import { RecordedNames } from "./recorded-names.ts";
import { RecordedRefs } from "./recorded-refs.ts";
import {
  comparedReports,
  explainingOutcomes,
  islandsByFile,
  type ListsInFile,
  listsIn,
  reportsOf,
} from "./reports-in-files.ts";
import { UnitedIslands } from "./united-islands.ts";

/** How many objects are still to be compared, and how many to be predicted. */
export interface WorkLeft {
  readonly compareCount: number;
  readonly predictCount: number;
}

export class JudgedEnvironment {
  readonly #small: number | undefined;
  #basis: Basis;
  #islands: Islands;
  #judged: readonly JudgedIsland[];
  /** By file, the islands that have findings there; undefined once one of them may have changed. */
  #byFile: ReadonlyMap<string, readonly JudgedIsland[]> | undefined;
  /** The findings of comparisons in all files; undefined once they may have changed. */
  #compared:
    | { readonly lists: readonly (readonly CodedReport[])[]; readonly preview: Preview | undefined }
    | undefined;
  /** Findings of the rules that look at all objects; those of an earlier state until the rules run again. */
  #wide: readonly CodedReport[] = [];
  #isWideKnown = false;
  readonly #united = new UnitedIslands();
  readonly #changed = new NotedFiles();
  readonly #failures: unknown[] = [];
  readonly #kept = new KeptRuns();
  /** What edits change, until the next complete run has ended; only used if everything is judged together. */
  readonly #previews = new Previews(this.#changed, () => this.#judged);

  constructor(basis: Basis, small?: number) {
    this.#basis = basis;
    this.#small = small;
    this.#islands = islandsOf(basis.environment, undefined, this.#mayBeParted());
    this.#judged = this.#islands.all.map((island) => this.#fresh(island));
    this.noteAllFiles();
  }

  /** The only island, if there is only one and its run takes long. */
  #whole(): JudgedIsland | undefined {
    const [only] = this.#judged;
    const isWhole = only !== undefined && only.environment === this.environment;
    return isWhole && isWorthParting(this.environment, this.#small) ? only : undefined;
  }

  #mayBeParted(): boolean {
    const { environment, assumption } = this.#basis;
    return mayBeParted(environment, assumption.assumed.cluster, this.#small);
  }

  /** Whether the environment is still parted; undefined if an edit may have changed that. */
  #isStillParted(before: Basis): boolean | undefined {
    const { environment, assumption } = this.#basis;
    if (assumption !== before.assumption) return undefined;
    if (before.environment.objects.length !== environment.objects.length) return undefined;
    const changed = changedFiles(before.environment, environment);
    if (changed === undefined || !looksTheSame(changed, shownToParting)) return undefined;
    return this.#islands.byFile !== undefined;
  }

  get basis(): Basis {
    return this.#basis;
  }

  get environment(): Environment {
    return this.#basis.environment;
  }

  /** Moves to another state of the files; keeps what still holds. */
  update(basis: Basis): void {
    const before = this.#basis;
    const known = new Map(this.#judged.map((judged) => [judged.island.key, judged]));
    this.#basis = basis;
    const isParted = this.#isStillParted(before) ?? this.#mayBeParted();
    this.#islands = islandsOf(basis.environment, this.#islands, isParted);
    this.#united.forgetPresent();
    const carryOver = new CarryOver(before, basis);
    const isKustomizedAlike = before.environment.kustomized === basis.environment.kustomized;
    let isUnchanged = carryOver.isSameBeyondIslands && isKustomizedAlike;
    this.#forgetLists();
    this.#judged = this.#islands.all.map((island) => {
      const old = known.get(island.key);
      const judged = old === undefined ? this.#fresh(island) : carryOver.judged(old, island);
      if (judged !== old && judged.comparison === undefined) isUnchanged = false;
      return judged;
    });
    if (!isUnchanged || known.size !== this.#judged.length) this.#isWideKnown = false;
    this.#comeBack();
    this.#noteChanges(before.environment, known);
    // Severities, suppressions and versions affect every file.
    if (!carryOver.hasSameRules || before.environment.project !== basis.environment.project)
      this.noteAllFiles();
  }

  /** Notes the files that have changed, and those in which changed islands have findings. */
  #noteChanges(before: Environment, known: ReadonlyMap<string, JudgedIsland>): void {
    const files = new Set(before.files);
    for (const file of this.environment.files) if (!files.has(file)) this.#changed.add(file.uri);
    for (const uri of rebuiltFiles(before, this.environment)) this.#changed.add(uri);
    const { imported, folderProblems } = this.environment;
    const isSameBeside =
      before.imported === imported &&
      JSON.stringify(before.folderProblems) === JSON.stringify(folderProblems);
    if (!isSameBeside) this.#noteProjectFile();
    const present = new Set(this.#judged);
    for (const judged of known.values()) if (!present.has(judged)) this.#noteIsland(judged);
  }

  #noteIsland(judged: JudgedIsland): void {
    const { outcome } = judged;
    this.#changed.addSpokenOf(comparedOf(judged), outcome?.own, outcome?.ofRead);
  }

  /** Notes that the findings of every file may have changed. */
  noteAllFiles(): void {
    for (const { uri } of this.environment.files) this.#changed.add(uri);
  }

  /** For status reports. */
  counts(): {
    readonly count: number;
    readonly largest: number;
    readonly predicted: number;
    readonly kept: number;
  } {
    return {
      count: this.#judged.length,
      largest: Math.max(0, ...this.#judged.map(({ island }) => island.members.length)),
      predicted: this.#judged.filter(({ prediction }) => prediction !== undefined).length,
      kept: this.#kept.count,
    };
  }

  takeChanged(): readonly string[] {
    return this.#changed.take();
  }

  takeChangedByPreview(): readonly string[] {
    return this.#changed.takeOfPreviews();
  }

  #fresh(island: Island): JudgedIsland {
    return { island, environment: islandEnvironment(this.environment, island) };
  }

  readonly #allRefs = (): Environment["byRef"] => this.environment.byRef;

  /** If an edit restores what was last run, the outcome of that run is valid again. */
  #comeBack(): void {
    const whole = this.#whole();
    const last = whole?.lastPrediction;
    if (whole === undefined || whole.prediction !== undefined || last === undefined) return;
    if (generatedText(last.environment) !== generatedText(this.environment)) return;
    if (!saysTheSame(last.environment, this.environment)) return;
    if (changedPaths(last, this.#basis.assumption)?.length !== 0) return;
    whole.prediction = moved(last, this.environment);
    this.#previews.end();
  }

  /** Runs the rules that compare objects: for the islands of a file, or for all. Yields often. */
  *compare(uri?: string): Generator<void> {
    for (const judged of this.#of(uri))
      yield* this.#guarded(judged, () => this.#compareIsland(judged));
    if (uri !== undefined || this.#isWideKnown) return;
    try {
      const context = this.#context(this.environment, this.#basis.names);
      const found = yield* compareObjects(context, "wide");
      const lists = comparedReports(this.#judged, this.#previews.current);
      const blamed = blamedObjects(lists, this.environment, this.#basis.names);
      this.#changed.addSpokenOf(this.#wide, found, blamed);
      this.#wide = [...found, ...blamed];
      this.#compared = undefined;
    } catch (error) {
      this.#failures.push(error);
    }
    this.#isWideKnown = true;
  }

  *#compareIsland(judged: JudgedIsland): Generator<void> {
    if (judged.comparison !== undefined) return;
    const names = new RecordedNames();
    const refs = new RecordedRefs();
    const { environment } = judged;
    const own =
      environment === this.environment
        ? environment
        : { ...environment, byRef: refs.record(environment.byRef, this.#allRefs) };
    const context = this.#context(own, names.record(this.#basis.names));
    const reports = yield* compareObjects(context, "island");
    const read = new Set(judged.island.context);
    const ofMembers = reports.filter(({ report }) => !read.has(report.entry));
    this.#changed.addSpokenOf(judged.lastCompared, ofMembers);
    judged.comparison = { reports, own: ofMembers, names, refs };
    this.#forgetLists();
    if (judged.prediction !== undefined)
      this.#setOutcome(judged, yield* this.#outcome(judged, judged.prediction));
  }

  /** Notes the files in which the previous outcome or the new one has findings. */
  #setOutcome(judged: JudgedIsland, outcome: OutcomeReports): void {
    for (const { own, ofRead } of [judged.outcome ?? outcome, outcome])
      this.#changed.addSpokenOf(own, ofRead);
    judged.outcome = outcome;
    this.#forgetLists();
  }

  *#outcome(judged: JudgedIsland, prediction: Prediction): Generator<void, OutcomeReports> {
    const { island, comparison } = judged;
    const reports = yield* outcomeReports(prediction, comparison?.reports ?? []);
    const read = new Set(island.context);
    return {
      own: reports.filter(({ report }) => !read.has(report.entry)),
      ofRead: reports.filter(({ report }) => read.has(report.entry)),
    };
  }

  #context(environment: Environment, names: ClusterNames): EnvironmentContext {
    const { assumption } = this.#basis;
    const { version, profileFrom, assumed } = assumption;
    return { environment, version, cluster: assumed.cluster, profileFrom, names };
  }

  /** Runs the engine on islands that have changed: those of a file, or all. Yields often. */
  *predict(uri?: string): Generator<void> {
    for (const judged of this.#of(uri)) {
      if (judged.prediction !== undefined) continue;
      yield* this.#guarded(judged, () => this.#judgeIsland(judged));
    }
    if (uri === undefined && this.environment.project.suppressions.length > 0)
      this.#noteProjectFile();
  }

  /** The project file is where problems of imports and folders, and useless suppressions, are reported. */
  #noteProjectFile(): void {
    this.#changed.add(`${this.environment.id}/${projectFileName}`);
  }

  *#judgeIsland(judged: JudgedIsland): Generator<void> {
    yield* this.#compareIsland(judged);
    const prediction = yield* this.#predictIsland(judged);
    const outcome = yield* this.#outcome(judged, prediction);
    this.#previews.forget();
    this.#setOutcome(judged, outcome);
    judged.prediction = prediction;
    judged.lastPrediction = prediction;
    this.#changed.addSpokenOf(comparedOf(judged));
  }

  /** The outcomes of all islands, in order; undefined until all have been predicted, or if one has failed. */
  outcomes(): readonly OutcomeReports[] | undefined {
    const known = this.#judged.flatMap(({ prediction, outcome, hasFailed }) =>
      prediction === undefined || outcome === undefined || hasFailed === true ? [] : [outcome],
    );
    return known.length === this.#judged.length ? known : undefined;
  }

  /** Takes outcomes that were kept for the very same state; they are shown until it has been predicted. */
  recall(outcomes: readonly OutcomeReports[]): void {
    if (outcomes.length !== this.#judged.length) return;
    for (const [index, judged] of this.#judged.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined || judged.outcome !== undefined) continue;
      this.#setOutcome(judged, outcome);
      judged.isRecalled = true;
    }
  }

  /** Prepares for later edits. Yields often. */
  *prepare(): Generator<void> {
    const whole = this.#whole();
    if (whole?.prediction !== undefined) yield* this.#previews.prepare(whole.prediction);
    const { environment, assumption } = this.#basis;
    if (environment.imported !== undefined)
      yield* this.#kept.prepare(scenarioOf(environment, assumption));
  }

  /**
   * If everything is judged together, judges only what an edit reaches, beside what all other objects have become. The result
   * is shown until the complete run has ended. Yields often.
   */
  *preview(): Generator<void> {
    const last = this.#previewed();
    if (last === undefined) return;
    try {
      yield* this.#previews.make(last, this.#basis);
    } catch (error) {
      this.#previews.giveUp();
      this.#failures.push(error);
    }
  }

  get canPreview(): boolean {
    return this.#previewed() !== undefined;
  }

  /** The last complete run, if it is of an earlier state; undefined if there is nothing to preview. */
  #previewed(): Prediction | undefined {
    const whole = this.#whole();
    if (whole === undefined || whole.prediction !== undefined) return undefined;
    return this.#previews.areGivenUp ? undefined : whole.lastPrediction;
  }

  /** True if a preview shows what edits have changed. */
  get hasPreview(): boolean {
    return this.#previews.current !== undefined;
  }

  /** Undefined if the preview covers none of the entries. */
  previewOf(entries: readonly WorkspaceObject[]): Prediction | undefined {
    const { current } = this.#previews;
    return entries.some((entry) => current?.tellsOf(entry) === true)
      ? current?.prediction
      : undefined;
  }

  /** A bug in one island is reported once and does not affect the others. */
  *#guarded(judged: JudgedIsland, work: () => Generator<void>): Generator<void> {
    if (judged.hasFailed === true) return;
    try {
      yield* work();
    } catch (error) {
      judged.hasFailed = true;
      this.#failures.push(error);
    }
  }

  /** Internal errors since the last call. */
  takeFailures(): readonly unknown[] {
    return this.#failures.splice(0);
  }

  *#predictIsland({ island, environment }: JudgedIsland): Generator<void, Prediction> {
    const { assumption } = this.#basis;
    const { cluster } = assumption.assumed;
    const isWhole = environment === this.environment;
    const own = isWhole ? cluster : islandCluster(cluster, island, environment.objects);
    const from = scenarioOf(environment, {
      ...assumption,
      assumed: { ...assumption.assumed, cluster: own },
    });
    yield;
    return yield* this.#kept.run(environment, from);
  }

  #of(uri: string | undefined): Iterable<JudgedIsland> {
    const { byFile } = this.#islands;
    if (uri === undefined || byFile === undefined) return this.#judged;
    return [...(byFile.get(uri) ?? [])].flatMap((at) => this.#judged[at] ?? []);
  }

  /** The present state's prediction; undefined until all islands have been predicted. */
  prediction(): Prediction | undefined {
    return this.#united.present(this.#basis, this.#judged);
  }

  /** The newest prediction of each island, united; undefined if there is none. */
  lastPrediction(): Prediction | undefined {
    return this.#united.newest(this.#basis, this.#judged);
  }

  /** For the islands of a file, or for all. */
  workLeft(uri?: string): WorkLeft {
    const left = { compareCount: 0, predictCount: 0 };
    for (const { environment, comparison, prediction, hasFailed } of this.#of(uri)) {
      if (hasFailed === true) continue;
      if (comparison === undefined) left.compareCount += environment.objects.length;
      if (prediction === undefined) left.predictCount += environment.objects.length;
    }
    return left;
  }

  /** True if everything about a file, or about all, is known. */
  isComplete(uri?: string): boolean {
    // An environment without objects is never run.
    if (!hasCluster(this.environment)) return true;
    for (const { prediction, isRecalled, comparison, hasFailed } of this.#of(uri)) {
      const isJudged = prediction !== undefined || isRecalled === true;
      if (hasFailed !== true && !(isJudged && comparison !== undefined)) return false;
    }
    return true;
  }

  /** All lists of reports with findings in a file; an unchanged list is the same array. */
  sourcesOf(uri: string): readonly (readonly CodedReport[])[] {
    const { own, ofRead, ahead } = this.#listsIn(uri);
    return [...own, ...ofRead, ahead].filter((list) => list.length > 0);
  }

  /** The reports known so far for a file. */
  reportsIn(uri: string): Iterable<CodedReport> {
    return reportsOf(this.#listsIn(uri));
  }

  #listsIn(uri: string): ListsInFile {
    return listsIn(uri, this.#wide, this.#speakingOf(uri), this.#previews.current);
  }

  /** The findings of comparisons in all files, and outcomes that explain them. The same array until one of them changes. */
  get comparedLists(): readonly (readonly CodedReport[])[] {
    const preview = this.#previews.current;
    if (this.#compared === undefined || this.#compared.preview !== preview)
      this.#compared = {
        lists: [
          this.#wide,
          ...comparedReports(this.#judged, preview),
          ...explainingOutcomes(this.#judged, preview),
        ],
        preview,
      };
    return this.#compared.lists;
  }

  #forgetLists(): void {
    this.#byFile = undefined;
    this.#compared = undefined;
  }

  /** If there is only one island, it is returned even without findings: a preview depends on whether it was compared since. */
  #speakingOf(uri: string): readonly JudgedIsland[] {
    if (this.#judged.length === 1) return this.#judged;
    this.#byFile ??= islandsByFile(this.#judged);
    return this.#byFile.get(uri) ?? [];
  }
}
