/** Documents that cannot be read: templates, and those that somebody is in the middle of a line of, or whose merge is not finished. */
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

/** How many documents of the environment's files would bring objects and cannot be read, or rendered. */
export function unreadableCount(environment: Environment): number {
  let count = unrendered(environment.charts).length;
  for (const file of judgedFiles(environment)) for (const _ of unreadableObjects(file)) count++;
  return count;
}

/** Each at its mistake, or at what makes it a template; of charts what keeps them from being rendered. */
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

/** Whatever they are meant to be. */
export function unreadableIn({ manifest }: WorkspaceFile): readonly FileDocument[] {
  const { documents, templateAt, isKubernetes } = manifest;
  if (!isKubernetes) return [];
  return templateAt === undefined
    ? documents.filter(({ yaml }) => yaml.value === undefined)
    : documents;
}
