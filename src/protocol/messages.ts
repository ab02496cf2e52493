/**
 * The messages between the extension and the language server beyond the Language Server Protocol itself.
 * Positions are LSP's: zero-based lines, UTF-16 characters.
 */
import type { Ref } from "../engine/api/meta.ts";
import type { OutcomeKind } from "../engine/explain/outcome-kinds.ts";
import type { Place } from "../engine/explain/verdict.ts";
import type { KubernetesVersion, Scenario } from "../engine/scenario.ts";
import type { OutcomeMark } from "./outcome-words.ts";
import type { WhatIfStep } from "./what-if.ts";

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/**
 * One cluster that the workspace describes; objects of different environments do not affect each other. Each workspace folder
 * is an environment, and so is each folder below it with a claimcheck.yaml, unless another claimcheck.yaml includes it.
 */
export interface Environment {
  /** Stable while the server runs; unique within the workspace. */
  readonly id: string;
  /** The name for people: the folder's, or the one in claimcheck.yaml. */
  readonly name: string;
  /** URI of the folder with the environment's files; folders that claimcheck.yaml includes may be elsewhere. */
  readonly folder: string;
  readonly profile: string;
  /**
   * Where the profile's name comes from: files with the objects of a running cluster, claimcheck.yaml, the editor's settings, a
   * guess from the classes and provisioners in use, or nothing at all.
   */
  readonly profileFrom: "imported" | "project" | "settings" | "guess" | "default";
  /** The cluster described in words. */
  readonly profileTitle: string;
  readonly kubernetesVersion: KubernetesVersion;
  /** Folders of the overlays that are judged instead of others; absent if no two make different objects from the same files. */
  readonly overlays?: readonly string[];
  /** How many objects the user's files hold. */
  readonly objectCount: number;
  /** How many documents in them are left out: broken YAML, and templates. */
  readonly unreadableCount: number;
  /** Grows with each change of the environment's scenario: the same revision means the same scenario. */
  readonly revision: number;
}

/**
 * Client to server: the environments of the workspace, sorted by name. Waits until the workspace has been read;
 * empty if no file has a Kubernetes object.
 */
export const environmentsRequest = "claimcheck/environments";
export type EnvironmentsReply = readonly Environment[];

/**
 * Server to client: the current environments. Sent when the folders have been read, after each finished prediction, and when an
 * environment is gone.
 */
export const environmentsNotification = "claimcheck/environmentsChanged";
export interface EnvironmentsParams {
  readonly environments: readonly Environment[];
}

/**
 * Client to server: the scenario of one environment, unsaved edits included. Without an id it is the environment
 * that `uri` belongs to, else the first. Null if there is none.
 */
export const scenarioRequest = "claimcheck/scenario";
export interface ScenarioParams {
  readonly environment?: string;
  readonly uri?: string;
}
export interface ScenarioReply {
  readonly environment: Environment;
  readonly scenario: Scenario;
  /** Where the user's objects are written, in file order; objects of the profile have no source. */
  readonly sources: readonly ObjectSource[];
}

/**
 * Client to server: the outcomes of an environment's objects, from its newest finished prediction. Waits until the workspace
 * has been read; null if there is no prediction.
 */
export const outcomeRequest = "claimcheck/outcome";
export interface OutcomeParams {
  readonly environment: string;
}
export interface OutcomeReply {
  /** `2 stuck, 1 failing`; "" if all is well. */
  readonly trouble: string;
  /** One for each kind that has objects. */
  readonly groups: readonly OutcomeGroup[];
}
export interface OutcomeGroup {
  readonly kind: OutcomeKind;
  readonly count: number;
  readonly trouble: string;
  /** Worst outcomes first, then by name; cut if there are very many. */
  readonly rows: readonly OutcomeRow[];
}
export interface OutcomeRow {
  readonly ref: Ref;
  /** With the namespace if there are several. */
  readonly name: string;
  /** Absent if the outcome is not known. */
  readonly mark?: OutcomeMark;
  /** The status as in kubectl, and the object that it is tied to: `Bound · disk`. */
  readonly state: string;
  /** A sentence that begins with the name. */
  readonly headline: string;
  /** Markdown: the sentence, Kubernetes' message, the chain to the cause, and what would help. */
  readonly details: string;
  /** What to look at first: the field to blame, else the object. */
  readonly place: Place;
}

/**
 * Client to server: where an object, or a field of it, is written. An object that another one brings about (a pod,
 * a claim of a template, a claim's volume and its attachments) is written where that one is. Null for objects that come
 * from no file, such as those of the profile.
 */
export const locateRequest = "claimcheck/locate";
export interface LocateParams {
  readonly environment: string;
  readonly ref: Ref;
  /** As Kubernetes writes it: `spec.volumes[0].name`; absent for the whole object. */
  readonly field?: string;
}
export interface LocateReply {
  readonly uri: string;
  readonly range: Range;
}

/** Client to server: the documents of an environment that are left out, in file order, each with the reason. */
export const unreadableRequest = "claimcheck/unreadable";
export interface UnreadableParams {
  readonly environment: string;
}
export type UnreadableReply = readonly UnreadableDocument[];
export interface UnreadableDocument extends LocateReply {
  readonly why: string;
}

/**
 * Client to server: everything that is known about an object, as Markdown: its outcome, each candidate with the rules it
 * fails, the chain to the cause, all changes that would help. The object is given by ref or by a place in a file. Waits for
 * the prediction; null if there is no such object.
 */
export const explainRequest = "claimcheck/explain";
export type ExplainParams =
  | { readonly environment: string; readonly ref: Ref }
  | { readonly uri: string; readonly position: Position };
export interface ExplainReply {
  readonly environment: Environment;
  readonly ref: Ref;
  readonly text: string;
}

/**
 * Client to server: explains events copied from a terminal (a line, or a whole description), as Markdown with links into the
 * workspace. Uses the environment that `uri` belongs to, else the first. Waits for the prediction.
 */
export const explainEventRequest = "claimcheck/explainEvent";
export interface ExplainEventParams {
  readonly text: string;
  readonly uri?: string;
}
export interface ExplainEventReply {
  readonly text: string;
}

/** Client to server: all `*.scenario.yaml` of the workspace, sorted by place. Waits until the workspace has been read. */
export const scenarioFilesRequest = "claimcheck/scenarioFiles";
export interface ScenarioFileEntry {
  readonly uri: string;
  /** The file's name if the scenario has no title. */
  readonly title: string;
}
export type ScenarioFilesReply = readonly ScenarioFileEntry[];

/** Client to server: runs a scenario file as it is in the editor. Null if there is no such file, and after a cancellation. */
export const runScenarioFileRequest = "claimcheck/runScenarioFile";
export interface RunScenarioFileParams {
  readonly uri: string;
}
export interface RunScenarioFileReply {
  /** The expectations that were not met, in order; empty if all were. */
  readonly failures: readonly { readonly message: string; readonly range: Range }[];
  readonly expectationCount: number;
  /** How long the steps would have taken in a cluster. */
  readonly virtualTimeMs: number;
}

/**
 * Client to server: the steps taken on the simulation page as a scenario file, which expects their results. The client writes
 * the file. Null if the environment is gone.
 */
export const saveScenarioRequest = "claimcheck/saveScenario";
export interface SaveScenarioParams {
  readonly environment: string;
  readonly steps: readonly WhatIfStep[];
}
export interface SaveScenarioReply {
  /** Its paths are relative to the environment's folder. */
  readonly text: string;
  /** What the page shows, but the scenario cannot express; empty if nothing. */
  readonly problems: readonly string[];
}

/**
 * Client to server: turns kubectl's output into files to keep, without the data of Secrets and what is not simulated. The
 * client writes the files: the objects, and the folder's claimcheck.yaml, which names them.
 */
export const importClusterRequest = "claimcheck/importCluster";
export interface ImportClusterParams {
  readonly text: string;
  /** URI. */
  readonly folder: string;
  /** Name of the file for the objects, in the folder. */
  readonly file: string;
}
export interface ImportClusterReply {
  /** 0 if there is nothing to write. */
  readonly objectCount: number;
  readonly nodeCount: number;
  readonly problems: readonly string[];
  /** True if claimcheck.yaml already names the file, which then is an earlier import. */
  readonly isImportAlready: boolean;
  readonly files: readonly { readonly uri: string; readonly text: string }[];
}

/**
 * Client to server: kustomizations that make different objects from the same files, of which one is judged at a time in each
 * environment. Waits until the workspace has been read.
 */
export const overlaysRequest = "claimcheck/overlays";
export interface OverlayEntry {
  /** URI of the kustomization. */
  readonly uri: string;
  /** As written in claimcheck.yaml. */
  readonly folder: string;
  readonly environment: string;
  readonly isJudged: boolean;
}
export type OverlaysReply = readonly OverlayEntry[];

/** A server command for any client: writes into claimcheck.yaml that the overlay with that kustomization is judged. */
export const judgeOverlayCommand = "claimcheck.judgeOverlay";
/** A server command that writes into claimcheck.yaml that a chart is judged with the values in that file. */
export const judgeValuesCommand = "claimcheck.judgeValues";

/** Client to server: the server's state, for the log and for bug reports. */
export const statusRequest = "claimcheck/status";
export interface StatusReply {
  readonly environments: readonly Environment[];
  readonly fileCount: number;
  readonly objectCount: number;
  /** Findings of all files, by severity. */
  readonly diagnosticCounts: Readonly<Record<string, number>>;
  /** Environments whose last prediction is up to date. */
  readonly predicted: readonly string[];
  /** Environments whose outcomes were restored at this start from the last session. */
  readonly recalled: readonly string[];
  /** Environments whose last prediction is incomplete because its run ended at a limit. */
  readonly limits: readonly { readonly environment: string; readonly limit: string }[];
  /** For each environment: its islands, groups of objects that cannot influence each other, and what is kept about them. */
  readonly islands: readonly {
    readonly environment: string;
    readonly count: number;
    /** How many objects the largest has. */
    readonly largest: number;
    readonly predicted: number;
    /** How many outcomes of earlier states are kept in case these return. */
    readonly kept: number;
  }[];
  /** How long the last reading of folders, comparing of objects and run of the engine took. */
  readonly timings: {
    readonly readMs: number;
    readonly compareMs: number;
    readonly predictMs: number;
  };
}

/** Where an object is written. An object described by two documents has two sources. */
export interface ObjectSource {
  readonly ref: Ref;
  readonly uri: string;
  /** The whole document, from its first key to its last value. */
  readonly range: Range;
  /** The value of metadata.name, or the whole document if it has none. */
  readonly nameRange: Range;
}

/** What the client passes in `initializationOptions`, and again under `claimcheck` in workspace/didChangeConfiguration. */
export interface Settings {
  /** `push` for a client that supports pull diagnostics but prefers to get them sent; read at the start only. */
  readonly diagnostics?: "push" | "pull";
  /** A path where the workspace's outcomes are kept, so that the next start can show them at once; read at the start only. */
  readonly storageFolder?: string;
  /** A profile's name; "" lets claimcheck.yaml or the guess decide. */
  readonly profile: string;
  /** "" for the newest. */
  readonly kubernetesVersion: KubernetesVersion | "";
  /** False for kinds of inlay hints that are not wanted. */
  readonly inlayHints?: Readonly<Record<string, boolean>>;
  /** True if the client has the extension's commands, so that hovers, code lenses and quick fixes may use them. */
  readonly commandLinks?: boolean;
  /** The setting `yaml.schemas` if the YAML language server runs too, which then reports the structural errors of its files. */
  readonly yamlSchemas?: Readonly<Record<string, unknown>>;
  /** The setting `files.exclude`: files that match globs set to true are not read. */
  readonly exclude?: Readonly<Record<string, unknown>>;
}

/**
 * Server to client, sent only by a server without a file system of its own (the web worker): URIs of the workspace's
 * files that may be manifests, in no particular order.
 */
export const findFilesRequest = "claimcheck/findFiles";
export type FindFilesReply = readonly string[];

/** Server to client, sent only by the web worker: a file's bytes, transferred unencoded; null if it cannot be read. */
export const readFileRequest = "claimcheck/readFile";
export interface ReadFileParams {
  readonly uri: string;
}
export type ReadFileReply = Uint8Array | null;
