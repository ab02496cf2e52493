/**
 * What the extension and the language server say to each other beyond the Language Server Protocol itself.
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
 * One cluster that the workspace describes. Objects of two environments never meet: each workspace folder is one, and each folder
 * below it with a claimcheck.yaml, unless another one's claimcheck.yaml takes it in.
 */
export interface Environment {
  /** Stable while the server runs; unique within the workspace. */
  readonly id: string;
  /** What a person calls it: the folder's name, or the name in claimcheck.yaml. */
  readonly name: string;
  /** URI of the folder that the environment's files are under, but for those of folders that claimcheck.yaml takes in. */
  readonly folder: string;
  readonly profile: string;
  /**
   * Where the profile's name comes from: files with the objects of a cluster that runs, claimcheck.yaml, the editor's
   * settings, the classes and provisioners used, or nothing at all.
   */
  readonly profileFrom: "imported" | "project" | "settings" | "guess" | "default";
  /** What cluster it is, in words. */
  readonly profileTitle: string;
  readonly kubernetesVersion: KubernetesVersion;
  /** Folders of the overlays that are judged in place of others; absent where no two make different objects of the same files. */
  readonly overlays?: readonly string[];
  /** How many objects the user's files hold. */
  readonly objectCount: number;
  /** How many documents of theirs take no part: broken YAML, and templates. */
  readonly unreadableCount: number;
  /** Grows with each change of the environment's scenario; the same revision means the same scenario. */
  readonly revision: number;
}

/**
 * Client to server: the environments of the workspace, by name. Waits until the workspace has been read;
 * empty where no file holds a Kubernetes object.
 */
export const environmentsRequest = "claimcheck/environments";
export type EnvironmentsReply = readonly Environment[];

/** Server to client: the environments as they are now, sent when the folders have been read, after each prediction that ended, and when one is gone. */
export const environmentsNotification = "claimcheck/environmentsChanged";
export interface EnvironmentsParams {
  readonly environments: readonly Environment[];
}

/**
 * Client to server: the scenario of one environment, unsaved edits included. Without an id it is the environment
 * that `uri` belongs to, else the first. Null where there is none.
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
 * Client to server: what becomes of all objects of an environment that storage is about. Waits until the workspace has been
 * read; of the newest prediction there is, null where there is none.
 */
export const outcomeRequest = "claimcheck/outcome";
export interface OutcomeParams {
  readonly environment: string;
}
export interface OutcomeReply {
  /** `2 stuck, 1 failing`; "" where all is well. */
  readonly trouble: string;
  /** One for each kind that has objects. */
  readonly groups: readonly OutcomeGroup[];
}
export interface OutcomeGroup {
  readonly kind: OutcomeKind;
  readonly count: number;
  readonly trouble: string;
  /** The worst off first, then by name; not all where there are very many. */
  readonly rows: readonly OutcomeRow[];
}
export interface OutcomeRow {
  readonly ref: Ref;
  /** With its namespace where there are several. */
  readonly name: string;
  /** Absent where nobody can say. */
  readonly mark?: OutcomeMark;
  /** As kubectl has it, and what the object is tied to: `Bound · disk`. */
  readonly state: string;
  /** A sentence that begins with the name. */
  readonly headline: string;
  /** Markdown: the sentence, what Kubernetes says, the way to the cause, and what would help. */
  readonly details: string;
  /** What to look at first: the field to blame, else the object. */
  readonly place: Place;
}

/**
 * Client to server: where an object, or a field of it, is written. An object that another one brings about (a pod,
 * a claim of a template, a claim's volume and its attachments) is written where that one is. Null for objects of the
 * profile, and of no file.
 */
export const locateRequest = "claimcheck/locate";
export interface LocateParams {
  readonly environment: string;
  readonly ref: Ref;
  /** As Kubernetes writes it: `spec.volumes[0].name`; the whole object where absent. */
  readonly field?: string;
}
export interface LocateReply {
  readonly uri: string;
  readonly range: Range;
}

/** Client to server: the documents of an environment that take no part, in file order, and what keeps each from it. */
export const unreadableRequest = "claimcheck/unreadable";
export interface UnreadableParams {
  readonly environment: string;
}
export type UnreadableReply = readonly UnreadableDocument[];
export interface UnreadableDocument extends LocateReply {
  readonly why: string;
}

/**
 * Client to server: everything that is known of an object, as Markdown: what becomes of it, each candidate with the
 * rules it fails, the chain to the cause, all changes that would help. The object is named, or it is the one at a
 * place of a file. Waits for the prediction; null where there is no object.
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
 * Client to server: what events mean that somebody has copied from a terminal, a line or a whole description, as Markdown
 * with links into the workspace. Of the environment that `uri` belongs to, else of the first. Waits for the prediction.
 */
export const explainEventRequest = "claimcheck/explainEvent";
export interface ExplainEventParams {
  readonly text: string;
  readonly uri?: string;
}
export interface ExplainEventReply {
  readonly text: string;
}

/** Client to server: all `*.scenario.yaml` of the workspace, by place. Waits until the workspace has been read. */
export const scenarioFilesRequest = "claimcheck/scenarioFiles";
export interface ScenarioFileEntry {
  readonly uri: string;
  /** The file's name where it has none. */
  readonly title: string;
}
export type ScenarioFilesReply = readonly ScenarioFileEntry[];

/** Client to server: runs a scenario file as it is in the editor. Null where there is none, and after a cancellation. */
export const runScenarioFileRequest = "claimcheck/runScenarioFile";
export interface RunScenarioFileParams {
  readonly uri: string;
}
export interface RunScenarioFileReply {
  /** What did not come as expected, in order; empty where all did. */
  readonly failures: readonly { readonly message: string; readonly range: Range }[];
  readonly expectationCount: number;
  /** How long the steps would have taken a cluster. */
  readonly virtualTimeMs: number;
}

/**
 * Client to server: what was done on the simulation page, as a scenario file that expects what came of it. The file is for the
 * client to write. Null where the environment is gone.
 */
export const saveScenarioRequest = "claimcheck/saveScenario";
export interface SaveScenarioParams {
  readonly environment: string;
  readonly steps: readonly WhatIfStep[];
}
export interface SaveScenarioReply {
  /** Its paths are relative to the environment's folder. */
  readonly text: string;
  /** What the scenario does not hold of what the page shows; empty where it holds everything. */
  readonly problems: readonly string[];
}

/**
 * Client to server: what kubectl has printed, as it may be kept: without what Secrets hold and what is not simulated. The
 * files are for the client to write: the objects, and the folder's claimcheck.yaml, which names them.
 */
export const importClusterRequest = "claimcheck/importCluster";
export interface ImportClusterParams {
  readonly text: string;
  /** URI. */
  readonly folder: string;
  /** Name of the file in the folder. */
  readonly file: string;
}
export interface ImportClusterReply {
  /** 0 where there is nothing to write. */
  readonly objectCount: number;
  readonly nodeCount: number;
  readonly problems: readonly string[];
  /** Whether claimcheck.yaml names the file already: what stands there then is of an earlier import. */
  readonly isImportAlready: boolean;
  readonly files: readonly { readonly uri: string; readonly text: string }[];
}

/**
 * Client to server: kustomizations that make different objects of the same files, so that of each environment one is judged
 * at a time. Waits until the workspace has been read.
 */
export const overlaysRequest = "claimcheck/overlays";
export interface OverlayEntry {
  /** Of the kustomization. */
  readonly uri: string;
  /** As claimcheck.yaml writes it. */
  readonly folder: string;
  readonly environment: string;
  readonly isJudged: boolean;
}
export type OverlaysReply = readonly OverlayEntry[];

/** A command of the server, for any client: writes into claimcheck.yaml that the overlay with that kustomization is judged. */
export const judgeOverlayCommand = "claimcheck.judgeOverlay";
/** Likewise, that a chart is judged with the values in that file. */
export const judgeValuesCommand = "claimcheck.judgeValues";

/** Client to server: how the server is, for the log and for bug reports. */
export const statusRequest = "claimcheck/status";
export interface StatusReply {
  readonly environments: readonly Environment[];
  readonly fileCount: number;
  readonly objectCount: number;
  /** Findings of all files, by severity. */
  readonly diagnosticCounts: Readonly<Record<string, number>>;
  /** Environments whose last prediction is of their present state. */
  readonly predicted: readonly string[];
  /** Environments of which this start could tell at once what they came to at the last one. */
  readonly recalled: readonly string[];
  /** Why the last prediction of an environment says less than there is to say: its run was ended at a limit. */
  readonly limits: readonly { readonly environment: string; readonly limit: string }[];
  /** Of each environment: groups of objects that cannot influence each other, and what is kept of them. */
  readonly islands: readonly {
    readonly environment: string;
    readonly count: number;
    /** Objects of the largest one. */
    readonly largest: number;
    readonly predicted: number;
    /** Outcomes of earlier states, in case that they come back. */
    readonly kept: number;
  }[];
  /** Milliseconds of the last time: reading the folders, comparing objects, running the engine. */
  readonly timings: {
    readonly readMs: number;
    readonly compareMs: number;
    readonly predictMs: number;
  };
}

/** The lines an object is written in. An object that two documents describe has two sources. */
export interface ObjectSource {
  readonly ref: Ref;
  readonly uri: string;
  /** Of the whole document, from its first key to its last value. */
  readonly range: Range;
  /** Of metadata.name, or of the whole document where it has none. */
  readonly nameRange: Range;
}

/** What the client hands over in `initializationOptions`, and again under `claimcheck` in workspace/didChangeConfiguration. */
export interface Settings {
  /** `push` for a client that could ask for diagnostics and rather has them sent; read at the start only. */
  readonly diagnostics?: "push" | "pull";
  /** A path: where to keep what the workspace has come to, so that the next start can tell it at once; read at the start only. */
  readonly storageFolder?: string;
  /** A profile's name; "" lets claimcheck.yaml or the guess decide. */
  readonly profile: string;
  /** "" is the newest. */
  readonly kubernetesVersion: KubernetesVersion | "";
  /** Kinds of inlay hints that are not wanted are false. */
  readonly inlayHints?: Readonly<Record<string, boolean>>;
  /** Whether hovers, code lenses and quick fixes may lead to the extension's commands, which this client knows. */
  readonly commandLinks?: boolean;
  /** What `yaml.schemas` holds where the YAML language server runs too: it then tells the structural errors of its files. */
  readonly yamlSchemas?: Readonly<Record<string, unknown>>;
  /** What `files.exclude` holds: globs that are true are not read. */
  readonly exclude?: Readonly<Record<string, unknown>>;
}

/**
 * Server to client, asked only by a server that has no file system of its own (the web worker): the workspace's
 * files that may be manifests, as URIs in no particular order.
 */
export const findFilesRequest = "claimcheck/findFiles";
export type FindFilesReply = readonly string[];

/** Server to client, likewise: a file's bytes, which a worker is handed as they are; null where it cannot be read. */
export const readFileRequest = "claimcheck/readFile";
export interface ReadFileParams {
  readonly uri: string;
}
export type ReadFileReply = Uint8Array | null;
