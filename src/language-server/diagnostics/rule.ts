/**
 * The types of diagnostic rules and findings. `rules/` has a file for each rule or family of rules, docs/rules a page for each.
 */
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
  /** The default; claimcheck.yaml may change it. */
  readonly severity: Severity;
  /** The object that it finds is not in the cluster: kubectl cannot read it, or the API server refuses it. */
  readonly keepsOut?: boolean;
  /** If one of these rules reports the same thing with its consequences, this rule's finding is dropped. */
  readonly yieldsTo?: readonly string[];
  /** Only if the other finding is at the same place. */
  readonly yieldsAtPlace?: true;
}

/** For rules that find causes without the engine. */
interface ExplainingRule extends RuleCommon {
  /**
   * The finding explains why an object fails, so that the outcome is not reported again. `of-field`: explains only what goes
   * wrong at the same field. For example, the kubelet may fail there, but the pod may wait for a node even before that. Drivers
   * are assumed to be installed.
   */
  readonly explainsOutcome?: true | "of-field";
}

/** For rules about objects that are in no file. */
interface MissingRule extends RuleCommon {
  /** The kind of the missing object. */
  readonly misses?: Kind | undefined;
}

/** Looks at one document alone, so its reports are valid until the document changes. */
export interface DocumentRule extends ExplainingRule {
  readonly scope: "document";
  /** About the text itself, whatever objects it describes. */
  readonly isOfText?: boolean;
  /** About kubectl, and thus not for objects of charts, which Helm installs. */
  readonly isOfKubectl?: true;
  /** The kinds that it looks at; if absent, all kinds and the text. */
  readonly kinds?: readonly Kind[] | undefined;
  check(document: FileDocument, context: DocumentContext): Iterable<DocumentReport>;
}
export interface DocumentContext {
  readonly version: KubernetesVersion;
  readonly drivers: DriverKnowledge;
}
interface ReportCommon {
  readonly message: string;
  /** The name that was probably meant by the underlined one: asked for at the end of the message, and offered as a fix. */
  readonly meant?: string | undefined;
}

/** Offsets in the document. */
export interface DocumentReport extends Span, ReportCommon, Pick<AboutObjects, "unless"> {
  readonly severity?: Severity;
  /** About the key and not its value. */
  readonly isOfKey?: boolean;
  /** A validator with a JSON schema reports it, too. */
  readonly isStructural?: boolean;
  readonly fix?: FieldFix;
  /** The folder of an overlay that is not judged, as claimcheck.yaml would name it. */
  readonly overlay?: string;
}

export interface RuleReport {
  readonly rule: DocumentRule;
  readonly report: DocumentReport;
}

/** A safe change of one field or list item that fixes the finding. */
export type FieldFix = ValueFix | KeyFix;

interface FixCommon {
  readonly title: string;
  /** From the root of the document for reports with offsets, else from the object's root. */
  readonly path: Path;
  /** Left out of Fix all: there are alternatives, or it is too much together with the fixes of other findings. */
  readonly isChoice?: boolean;
}
export interface ValueFix extends FixCommon {
  /** Null removes the field or item. */
  readonly value: Scalar | null;
}
export interface KeyFix extends FixCommon {
  /** A new name for the field, which keeps its value. */
  readonly key: string;
}

/** Looks at the file as a whole; offsets in the file. */
export interface FileRule extends RuleCommon {
  readonly scope: "file";
  check(file: WorkspaceFile, context: FileContext): Iterable<DocumentReport>;
}
export interface FileContext {
  /** Why patches that are in the file, or that it names, cannot be applied. */
  readonly patchProblems: readonly DocumentReport[];
  /** Why a chart that the file belongs to cannot be rendered. */
  readonly chartProblems: readonly ChartReport[];
  /** What is wrong with folders that a project file names. */
  readonly folderProblems: readonly ProjectProblem[];
}

export interface ChartReport extends DocumentReport {
  /** About a value that no template reads, which Helm does not refuse. */
  readonly isUnread?: true;
}

/** Compares the objects of an environment with each other. */
export interface EnvironmentRule extends ExplainingRule, MissingRule {
  readonly scope: "environment";
  /** Looks at all objects, and not only at those related to one: it is not run for each island separately. */
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
  /** About the key and not its value. */
  readonly isOfKey?: boolean;
  /** Appended to the message. */
  readonly doubt?: string;
  readonly severity?: Severity;
  readonly related?: readonly RelatedReport[];
  /** Other objects without which there would be no finding; if absent, those of `related`. */
  readonly restsOn?: readonly WorkspaceObject[];
  /** For a rule that explains outcomes: the object may still fail for another reason, so its outcome is reported as well. */
  readonly explainsOutcome?: false;
  /** Objects in other documents whose outcome this explains, so that it is not reported again. */
  readonly explains?: readonly Ref[];
  /** What the object is probably meant to be. Reports of others that miss this ref are dropped. */
  readonly standsFor?: Ref;
  /** The finding also depends on something that no file holds, such as a class of the assumed cluster. */
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

/** Reads the engine's prediction for an environment. */
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
  /** Includes the "did you mean" question. */
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
  /** Suppressed by an annotation on an object that a chart makes. */
  readonly isAccepted?: true;
  /** Reported at a dependency, but caused in that chart's files: no change at this place fixes it. */
  readonly isOfDependency?: true;
}

/** By file, place and code, so that equal findings give equal lists. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.uri, b.uri) ||
    a.start - b.start ||
    a.end - b.end ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

/** The path of an object's field from the root of its document. */
export function documentPath(object: ManifestObject, path: Path): Path {
  return [...object.path, ...path];
}

/** The documentation page of a rule. */
export function rulePage(id: string): string {
  return `https://github.com/claimcheck/claimcheck/blob/main/docs/rules/${id}.md`;
}
