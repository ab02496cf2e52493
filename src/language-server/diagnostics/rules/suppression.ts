/**
 * Suppresses accepted findings: by a comment `# claimcheck-ignore RULE: REASON`, or the annotation `claimcheck.dev/ignore`. A
 * suppression that suppresses nothing is reported, so that none outlives its cause.
 */
import type { SeveritySetting } from "../../project/project-file.ts";
import { fieldsAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceFile } from "../../workspace/workspace-object.ts";
import { locate, underline } from "../../yaml/locate.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { FileDocument, ManifestFile } from "../../yaml/manifest-file.ts";
import type { Span } from "../../yaml/place.ts";
import { type Diagnostic, documentPath, type Severity } from "../rule.ts";

interface Suppression {
  readonly rule: string;
  /** The part of the file that it applies to. */
  readonly scope: Span;
  /** Where it is written. */
  readonly place: Span;
}

export const unusedSuppression: { readonly id: string; readonly severity: Severity } = {
  id: "unused-suppression",
  severity: "warning",
};

const ignoreAnnotation = "claimcheck.dev/ignore";
export const suppressionWord = "claimcheck-ignore";

export interface SuppressionContext {
  readonly severities: ReadonlyMap<string, SeveritySetting>;
  readonly ruleIds: readonly string[];
  /** True if all findings are known. Until the prediction has finished, no suppression of an existing rule counts as unused. */
  readonly isComplete: boolean;
}

/** The findings of a file without the suppressed ones, plus those about unused suppressions. */
export function withoutSuppressed(
  file: WorkspaceFile,
  found: readonly Diagnostic[],
  context: SuppressionContext,
): readonly Diagnostic[] {
  const suppressions = suppressionsOf(file);
  if (suppressions.length === 0) return found.filter(({ isAccepted }) => isAccepted !== true);
  const used = new Set<Suppression>();
  const kept = found.filter((one) => {
    const matching = suppressions.filter((suppression) => silences(suppression, one));
    for (const suppression of matching) used.add(suppression);
    return matching.length === 0 && one.isAccepted !== true;
  });
  const severity = context.severities.get(unusedSuppression.id) ?? unusedSuppression.severity;
  if (severity === "off") return kept;
  const unused = suppressions.filter((suppression) => !used.has(suppression));
  return [
    ...kept,
    ...unused.flatMap(({ rule, place }): Diagnostic[] => {
      const message = unusedMessage(rule, context.ruleIds, context.isComplete);
      if (message === undefined) return [];
      return [{ uri: file.uri, ...place, severity, code: unusedSuppression.id, message }];
    }),
  ];
}

/** True if a comment or an annotation in the file suppresses the finding. */
export function isSuppressed(file: WorkspaceFile, found: Diagnostic): boolean {
  if (found.isAccepted === true) return true;
  return suppressionsOf(file).some((suppression) => silences(suppression, found));
}

function silences({ rule, scope }: Suppression, { code, start }: Diagnostic): boolean {
  return rule === code && start >= scope.start && start < scope.end;
}

/** Undefined if it is not yet known whether the suppression is used. */
export function unusedMessage(
  rule: string,
  ruleIds: readonly string[],
  isComplete: boolean,
): string | undefined {
  if (!ruleIds.includes(rule)) return `No rule has the id “${rule}”`;
  return isComplete ? `Nothing here is reported by “${rule}”: remove the suppression` : undefined;
}

/** The rule's id in a finding about a suppression. */
export function unusedRule({ message }: Diagnostic): string | undefined {
  return /“([^”]*)”/.exec(message)?.[1];
}

function suppressionsOf(file: WorkspaceFile): readonly Suppression[] {
  const { text, documents, templateAt, isForHelm } = file.manifest;
  if (templateAt !== undefined) return [];
  if (isForHelm === true) return text.includes(suppressionWord) ? commentsOf(file) : [];
  const mentioned = documents.map(mentionsIn);
  return [
    ...(mentioned.some(({ comment }) => comment) ? commentsOf(file) : []),
    ...(mentioned.some(({ annotation }) => annotation) ? annotationsOf(file) : []),
  ];
}

interface Mentions {
  readonly comment: boolean;
  readonly annotation: boolean;
}

/** Cached per document. */
function mentionsIn({ yaml }: FileDocument): Mentions {
  const known = mentions.get(yaml);
  if (known !== undefined) return known;
  const found = {
    comment: yaml.text.includes(suppressionWord),
    annotation: yaml.text.includes(ignoreAnnotation),
  };
  mentions.set(yaml, found);
  return found;
}

const mentions = new WeakMap<FileDocument["yaml"], Mentions>();

/**
 * After other text in its line, a comment applies to that line; alone, to the next line; before any content, to the whole
 * document.
 */
function commentsOf({ manifest }: WorkspaceFile): readonly Suppression[] {
  const { text } = manifest;
  const parts = commentedParts(manifest).map((part) => ({
    ...part,
    contentStart: contentStart(text, part),
  }));
  const found: Suppression[] = [];
  for (const match of text.matchAll(/(?:^|[ \t])#[ \t]*claimcheck-ignore[ \t]+([^\n]*)/gm)) {
    const lineStart = text.lastIndexOf("\n", match.index) + 1;
    const hash = text.indexOf("#", match.index);
    const lineEnd = endOfLine(text, hash);
    const part = parts.find(({ start, end }) => hash >= start && hash < end);
    if (part === undefined) continue;
    const isAlone = text.slice(lineStart, hash).trim() === "";
    const isFirst = isAlone && lineStart <= part.contentStart;
    const scope = isFirst
      ? part
      : isAlone
        ? { start: lineEnd + 1, end: endOfLine(text, lineEnd + 1) + 1 }
        : { start: lineStart, end: lineEnd + 1 };
    const place = { start: hash, end: hash + text.slice(hash, lineEnd).trimEnd().length };
    for (const rule of rulesIn(match[1] ?? "")) found.push({ rule, scope, place });
  }
  return found;
}

/** The parts to which a comment at their head applies: documents, or the whole file for Helm. */
export function commentedParts({ text, slices, isForHelm }: ManifestFile): readonly Span[] {
  return isForHelm === true ? [{ start: 0, end: text.length }] : slices;
}

/** Start of the first line that is more than a comment. */
function contentStart(text: string, { start, end }: Span): number {
  for (let at = start; at < end; at = endOfLine(text, at) + 1)
    if (!/^\s*(?:$|#|---|%)/.test(text.slice(at, endOfLine(text, at)))) return at;
  return end;
}

function annotationsOf({ manifest }: WorkspaceFile): readonly Suppression[] {
  const { documents, slices } = manifest;
  return documents.flatMap(({ yaml, objects }, index) => {
    const { start = 0, end = 0 } = slices[index] ?? {};
    return objects.flatMap((object): Suppression[] => {
      const rules = fieldsAt(object.value, "metadata", "annotations")[ignoreAnnotation];
      if (typeof rules !== "string") return [];
      const at = underline(
        yaml,
        documentPath(object, ["metadata", "annotations", ignoreAnnotation]),
      );
      const place = { start: start + at.start, end: start + at.end };
      const whole = object.path.length === 0 ? undefined : locate(yaml, object.path).value;
      const scope =
        whole === undefined
          ? { start, end }
          : { start: start + whole.start, end: start + whole.end };
      return rulesIn(rules).map((rule) => ({ rule, scope, place }));
    });
  });
}

/** True if the object's own annotation suppresses the rule. */
export function ignoresRule({ value }: ManifestObject, rule: string): boolean {
  const rules = fieldsAt(value, "metadata", "annotations")[ignoreAnnotation];
  return typeof rules === "string" && rulesIn(rules).includes(rule);
}

/** The ids in `rule-a, rule-b: why`. */
function rulesIn(text: string): readonly string[] {
  const [ids = ""] = text.split(":");
  return ids.split(/[\s,]+/).filter((id) => id !== "");
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}
