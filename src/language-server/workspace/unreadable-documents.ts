/** Documents that cannot be read: templates, lines that are still being typed, unfinished merges. */
import type { FileDocument } from "../yaml/manifest-file.ts";
import type { Charts, RenderProblem } from "./charts.ts";
import type { Environment } from "./environment.ts";
import { judgedFiles } from "./files/repeated-links.ts";
import type { WorkspaceFile } from "./workspace-object.ts";

export interface UnreadableDocument {
  readonly file: WorkspaceFile;
  /** Offsets in the file. */
  readonly start: number;
  readonly end: number;
  readonly why: string;
}

/** Number of documents that seem to be objects but cannot be read, and of problems that keep charts from being rendered. */
export function unreadableCount(environment: Environment): number {
  let count = unrendered(environment.charts).length;
  for (const file of judgedFiles(environment)) for (const _ of unreadableObjects(file)) count++;
  return count;
}

/** Each at its mistake or template expression; for charts, at what keeps them from being rendered. */
export function unreadableDocuments(environment: Environment): readonly UnreadableDocument[] {
  const ofCharts = unrendered(environment.charts);
  return judgedFiles(environment).flatMap((file) => [
    ...[...unreadableObjects(file)].map((one) => placed(file, one)),
    ...ofCharts
      .filter(({ uri }) => uri === file.uri)
      .map(({ start, end, message }) => ({ file, start, end, why: message })),
  ]);
}

function unrendered({ isWhole, problems }: Charts): readonly RenderProblem[] {
  return isWhole ? [] : problems.filter(({ isUnread }) => isUnread !== true);
}

function* unreadableObjects(file: WorkspaceFile): Iterable<FileDocument> {
  for (const document of unreadableIn(file)) if (document.yaml.claimsKubernetes) yield document;
}

function placed(file: WorkspaceFile, document: FileDocument): UnreadableDocument {
  const { documents, slices } = file.manifest;
  const from = slices[documents.indexOf(document)]?.start ?? 0;
  const { problems, templateAt = 0 } = document.yaml;
  const [problem] = problems;
  if (problem === undefined || file.manifest.templateAt !== undefined)
    return { file, start: from + templateAt, end: from + templateAt, why: "in a template" };
  const { start, end, message } = problem;
  return { file, start: from + start, end: from + end, why: message };
}

/** Includes documents that do not claim to be Kubernetes objects. */
export function unreadableIn({ manifest }: WorkspaceFile): readonly FileDocument[] {
  const { documents, templateAt, isKubernetes } = manifest;
  if (!isKubernetes) return [];
  return templateAt === undefined
    ? documents.filter(({ yaml }) => yaml.value === undefined)
    : documents;
}
