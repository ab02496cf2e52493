/** What a diagnostic rule is. `rules/` has a file for each rule or family of rules, docs/rules a page for each. */
import { compareText } from "../../engine/api/go/text-order.ts";
import type { Kind, Ref } from "../../engine/api/meta.ts";
import type { DriverKnowledge } from "../../engine/csi/catalogue/driver-knowledge.ts";
import type { ClusterProfile, KubernetesVersion } from "../../engine/scenario.ts";
import type { Prediction } from "../prediction/prediction.ts";
import type { ProfileOrigin } from "../prediction/scenario-of.ts";
import type { ProjectProblem } from "../project/project-file.ts";
import type { ClusterNames } from "../workspace/cluster-names.ts";
import type { Environment } from "../workspace/environment.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace/workspace-object.ts";
import type { Scalar } from "../yaml/edits.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import type { FileDocument } from "../yaml/manifest-file.ts";
import type { Path, Span } from "../yaml/place.ts";
import type { AboutObjects } from "./question.ts";

export type Severity = "error" | "warning" | "information" | "hint";

interface RuleCommon {
  readonly id: string;
  /** What claimcheck.yaml may change. */
  readonly severity: Severity;
  /** What it finds is not in the cluster: kubectl cannot read it, or the API server refuses it. */
  readonly keepsOut?: boolean;
  /** The rules under which the same is told of the document's object, with what comes of it: then that alone is told. */
  readonly yieldsTo?: readonly string[];
  /** Only where that is told at the very place. */
  readonly yieldsAtPlace?: true;
}

/** Of rules that can find it without the engine. */
interface ExplainingRule extends RuleCommon {
  /**
   * What it finds keeps an object from getting there, which is not told a second time as an outcome; `of-field`: only what goes
   * wrong at the very field, as where a kubelet finds it and the pod may wait for a node before that. Drivers are assumed to be
   * there.
   */
  readonly explainsOutcome?: true | "of-field";
}

/** Of rules on what is in no file. */
interface MissingRule extends RuleCommon {
  /** The kind of what is missing. */
  readonly misses?: Kind | undefined;
}

/** Looks at one document alone, so its answer holds until the document changes. */
export interface DocumentRule extends ExplainingRule {
  readonly scope: "document";
  /** About the text itself, whatever it stands for. */
  readonly isOfText?: boolean;
  /** About what kubectl does, and not Helm, which brings the objects of charts. */
  readonly isOfKubectl?: true;
  /** Of the objects that it looks at; all, and the text besides, where absent. */
  readonly kinds?: readonly Kind[] | undefined;
  check(document: FileDocument, context: DocumentContext): Iterable<DocumentReport>;
}
export interface DocumentContext {
  readonly version: KubernetesVersion;
  readonly drivers: DriverKnowledge;
}
interface ReportCommon {
  readonly message: string;
  /** What somebody has meant by the name that is underlined: asked behind the message, and offered. */
  readonly meant?: string | undefined;
}

/** Offsets are the document's. */
export interface DocumentReport extends Span, ReportCommon, Pick<AboutObjects, "unless"> {
  readonly severity?: Severity;
  /** About the key, and not about what it holds. */
  readonly isOfKey?: boolean;
  /** A validator with a JSON schema says so too. */
  readonly isStructural?: boolean;
  readonly fix?: FieldFix;
  /** The folder of an overlay, as claimcheck.yaml names it, that is not judged here. */
  readonly overlay?: string;
}

export interface RuleReport {
  readonly rule: DocumentRule;
  readonly report: DocumentReport;
}

/** A change of one field, or of a list's item, that mends the finding and harms nothing. */
export type FieldFix = ValueFix | KeyFix;

interface FixCommon {
  readonly title: string;
  /** From the root of the document where the finding has offsets, else of the object. */
  readonly path: Path;
  /** Something else would do instead, or the fixes of other findings, and all together too much: it is not made with all others at once. */
  readonly isChoice?: boolean;
}
export interface ValueFix extends FixCommon {
  /** Null to remove the field, or the item. */
  readonly value: Scalar | null;
}
export interface KeyFix extends FixCommon {
  /** Another name for the field, which keeps what it holds. */
  readonly key: string;
}

/** Looks at the file as a whole; offsets are the file's. */
export interface FileRule extends RuleCommon {
  readonly scope: "file";
  check(file: WorkspaceFile, context: FileContext): Iterable<DocumentReport>;
}
export interface FileContext {
  /** What keeps the patches in the file, or those that it names, from being applied. */
  readonly patchProblems: readonly DocumentReport[];
  /** What keeps a chart that the file belongs to from being rendered. */
  readonly chartProblems: readonly ChartReport[];
  /** What is wrong with the folders that a project file names. */
  readonly folderProblems: readonly ProjectProblem[];
}

export interface ChartReport extends DocumentReport {
  /** About a value that no template reads, and nothing that Helm refuses. */
  readonly isUnread?: true;
}

/** Compares the objects of an environment with each other. */
export interface EnvironmentRule extends ExplainingRule, MissingRule {
  readonly scope: "environment";
  /** Asks about all objects, and not only about those that the object at hand has to do with: it is not asked island by island. */
  readonly looksAtAll?: boolean;
  check(context: EnvironmentContext): Iterable<ObjectReport>;
}
export interface EnvironmentContext {
  readonly environment: Environment;
  readonly version: KubernetesVersion;
  readonly cluster: ClusterProfile;
  readonly profileFrom: ProfileOrigin;
  readonly names: ClusterNames;
}
export interface ObjectReport extends ReportCommon, AboutObjects {
  readonly entry: WorkspaceObject;
  /** From the object's root. */
  readonly path: Path;
  /** About the key, and not about what it holds. */
  readonly isOfKey?: boolean;
  /** Said behind all else. */
  readonly doubt?: string;
  readonly severity?: Severity;
  readonly related?: readonly RelatedReport[];
  /** The other objects without which there would be no finding; those of `related` where absent. */
  readonly restsOn?: readonly WorkspaceObject[];
  /** Objects of other documents whose outcome it explains, which is not told a second time. */
  readonly explains?: readonly Ref[];
  /** What the object is meant to be, which others miss: they do not tell it again. */
  readonly standsFor?: Ref;
  /** There would be none either without something that no file holds: a class of the assumed cluster, say. */
  readonly assumes?: boolean;
  readonly fix?: FieldFix;
}
/** A finding about an object, with the rule that made it. */
export interface CodedReport {
  readonly code: string;
  readonly severity: Severity;
  readonly report: ObjectReport;
}

export interface RelatedReport {
  readonly entry: WorkspaceObject;
  readonly path: Path;
  readonly message: string;
}

/** Reads what the engine predicts for an environment. */
export interface PredictionRule extends MissingRule {
  readonly scope: "prediction";
  check(prediction: Prediction): Iterable<ObjectReport>;
}

export type Rule = DocumentRule | FileRule | EnvironmentRule | PredictionRule;

/** A finding at its place in a file. */
export interface Diagnostic extends AboutObjects {
  readonly uri: string;
  /** Offsets in the file. */
  readonly start: number;
  readonly end: number;
  readonly severity: Severity;
  /** The rule's id. */
  readonly code: string;
  /** With the question what was meant. */
  readonly message: string;
  readonly meant?: string;
  readonly overlay?: string;
  readonly related?: readonly {
    readonly uri: string;
    readonly start: number;
    readonly end: number;
    readonly message: string;
  }[];
  /** Its path starts at the document's root. */
  readonly fix?: FieldFix;
  /** An annotation of what a chart has made says so. */
  readonly isAccepted?: true;
  /** It is told at a dependency, for the files of that chart: nothing at its place mends it. */
  readonly isOfDependency?: true;
}

/** By file, place and code: the same findings give the same list. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.uri, b.uri) ||
    a.start - b.start ||
    a.end - b.end ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

/** The path of a field of an object in its document. */
export function documentPath(object: ManifestObject, path: Path): Path {
  return [...object.path, ...path];
}

/** Where a rule is explained. */
export function rulePage(id: string): string {
  return `https://github.com/claimcheck/claimcheck/blob/main/docs/rules/${id}.md`;
}
