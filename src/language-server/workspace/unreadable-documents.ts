/**
 * What documents seem to hold that cannot be read: templates, and those that somebody is in the middle of a line of, or whose
 * merge is not finished. Nobody knows their objects, so nothing is said to be missing that they may bring.
 */
import type { Ref } from "../../engine/api/meta.ts";
import type { FileDocument } from "../yaml/manifest-file.ts";
import type { Environment } from "./environment.ts";
import { namedObject } from "./unread-files.ts";
import type { WorkspaceFile } from "./workspace-object.ts";

/**
 * What somebody would say is nowhere: an object, a user of one, a pod that uses a claim, a volume or a claim of a class; that
 * an object is kept out; or something else that says why it does not get there.
 */
export type Question =
  | `${string} ${string}`
  | `user of ${Ref}`
  | `user of claim ${string}`
  | `cause of ${Ref}`
  | `kept out ${Ref}`
  | `volume of class ${string}`
  | `claim of class ${string}`;

type Answers = (question: Question) => boolean;

/** Whether an unreadable document of the environment may be the answer. */
export function unreadableAnswers(environment: Environment): Answers {
  let answers = answersOfEnvironments.get(environment);
  if (answers === undefined) {
    let hints: readonly ReadonlySet<string>[] | undefined;
    answers = (question) => {
      hints ??= environment.files.flatMap(hintsIn);
      return hints.some((hint) => hint.has(question));
    };
    answersOfEnvironments.set(environment, answers);
  }
  return answers;
}

const answersOfEnvironments = new WeakMap<Environment, Answers>();

export interface UnreadableDocument {
  readonly file: WorkspaceFile;
  /** Offsets in the file. */
  readonly start: number;
  readonly end: number;
  readonly why: string;
}

/** How many documents of the environment's files would bring objects and cannot be read. */
export function unreadableCount({ files }: Environment): number {
  let count = 0;
  for (const file of files) for (const _ of unreadableObjects(file)) count++;
  return count;
}

/** Each at its mistake, or at what makes it a template. */
export function unreadableDocuments({ files }: Environment): readonly UnreadableDocument[] {
  return files.flatMap((file) => [...unreadableObjects(file)].map((one) => placed(file, one)));
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

function unreadableIn({ manifest }: WorkspaceFile): readonly FileDocument[] {
  const { documents, templateAt, isKubernetes } = manifest;
  if (!isKubernetes) return [];
  return templateAt === undefined
    ? documents.filter(({ yaml }) => yaml.value === undefined)
    : documents;
}

function hintsIn(file: WorkspaceFile): readonly ReadonlySet<string>[] {
  const known = hintsOfFiles.get(file);
  if (known !== undefined) return known;
  const hints = unreadableIn(file).map(({ yaml: { text } }) => hintsOf(text, namedObject(text)));
  hintsOfFiles.set(file, hints);
  return hints;
}

const hintsOfFiles = new WeakMap<WorkspaceFile, readonly ReadonlySet<string>[]>();

function hintsOf(text: string, object: HintedObject | undefined): ReadonlySet<string> {
  const hints = new Set<Question>();
  if (object !== undefined) hints.add(`${object.kind} ${object.name}`);
  const of = `of class ${className.exec(text)?.[1] ?? ""}` as const;
  if (object?.kind === "PersistentVolume") hints.add(`volume ${of}`);
  if (object?.kind === "PersistentVolumeClaim") hints.add(`claim ${of}`);
  for (const [, claim] of text.matchAll(claimName)) hints.add(`user of claim ${claim}`);
  return hints;
}

interface HintedObject {
  readonly kind: string;
  readonly name: string;
}

const className = /^[ \t]*storageClassName:[ \t]*["']?([\w.-]+)/m;
const claimName = /\bclaimName["']?[ \t]*:[ \t]*["']?([\w.-]+)/g;
