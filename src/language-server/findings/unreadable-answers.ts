/**
 * What documents seem to hold that cannot be read: templates, and those that somebody is in the middle of a line of, or whose
 * merge is not finished. Nobody knows their objects, so nothing is said to be missing that they may bring.
 */
import type { Answers, Question } from "../diagnostics/question.ts";
import type { Environment } from "../workspace/environment.ts";
import { namedObject } from "../workspace/unread-files.ts";
import { unreadableIn } from "../workspace/unreadable-documents.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";

export function unreadableAnswers({ files, charts }: Environment): Answers {
  // Nobody knows what a chart would make that cannot be rendered.
  const isOpen = (question: Question): boolean =>
    !charts.isWhole && !question.startsWith("kept out ");
  return (question) =>
    isOpen(question) || answeredBy(files).some((answered) => answered.has(question));
}

/** Those of all files, and not of each question anew. */
function answeredBy(files: Environment["files"]): readonly ReadonlySet<Question>[] {
  const known = ofEnvironments.get(files);
  if (known !== undefined) return known;
  const answered = files.flatMap(answeredIn);
  ofEnvironments.set(files, answered);
  return answered;
}

const ofEnvironments = new WeakMap<Environment["files"], readonly ReadonlySet<Question>[]>();

function answeredIn(file: WorkspaceFile): readonly ReadonlySet<Question>[] {
  const known = ofFiles.get(file);
  if (known !== undefined) return known;
  const answered = unreadableIn(file).map(({ yaml }) => answeredByText(yaml.text));
  ofFiles.set(file, answered);
  return answered;
}

const ofFiles = new WeakMap<WorkspaceFile, readonly ReadonlySet<Question>[]>();

function answeredByText(text: string): ReadonlySet<Question> {
  const answered = new Set<Question>();
  const object = namedObject(text);
  if (object !== undefined) answered.add(`object ${object.kind} ${object.name}`);
  const of = `of class ${className.exec(text)?.[1] ?? ""}` as const;
  if (object?.kind === "PersistentVolume") answered.add(`volume ${of}`);
  if (object?.kind === "PersistentVolumeClaim") answered.add(`claim ${of}`);
  for (const [, claim] of text.matchAll(claimName)) answered.add(`user of claim ${claim}`);
  return answered;
}

const className = /^[ \t]*storageClassName:[ \t]*["']?([\w.-]+)/m;
const claimName = /\bclaimName["']?[ \t]*:[ \t]*["']?([\w.-]+)/g;
