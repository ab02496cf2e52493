/**
 * What unreadable documents seem to contain: templates, lines that are still being typed, unfinished merges. Their objects are
 * unknown, so nothing that they may contain is reported missing.
 */
import type { Answers, Question } from "../diagnostics/question.ts";
import type { Environment } from "../workspace/environment.ts";
import { expression, namedObject, nameInTemplate } from "../workspace/files/unread-files.ts";
import { unreadableIn } from "../workspace/unreadable-documents.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";

export function unreadableAnswers({ files, charts }: Environment): Answers {
  // What a chart that cannot be rendered would make is unknown.
  const isOpen = (question: Question): boolean =>
    !charts.isWhole && !question.startsWith("kept out ");
  return (question) => isOpen(question) || answeredBy(files).some((answers) => answers(question));
}

/** The answers of all files, cached so that not every question collects them again. */
function answeredBy(files: Environment["files"]): readonly Answers[] {
  const known = ofEnvironments.get(files);
  if (known !== undefined) return known;
  const answered = files.flatMap(answeredIn);
  ofEnvironments.set(files, answered);
  return answered;
}

const ofEnvironments = new WeakMap<Environment["files"], readonly Answers[]>();

function answeredIn(file: WorkspaceFile): readonly Answers[] {
  const known = ofFiles.get(file);
  if (known !== undefined) return known;
  const answered = unreadableIn(file).map(({ yaml }) => answeredByText(yaml.text));
  ofFiles.set(file, answered);
  return answered;
}

const ofFiles = new WeakMap<WorkspaceFile, readonly Answers[]>();

function answeredByText(text: string): Answers {
  const plain = new Set<string>();
  const made: MadeAnswer[] = [];
  const answer = (question: string, name: string): void => {
    const parts = name.split(expression);
    if (parts.length === 1) plain.add(question + name);
    else made.push({ question, parts });
  };
  const object = namedObject(text);
  if (object !== undefined) answer(`object ${object.kind} `, object.name);
  const ofClass = className.exec(text)?.[1] ?? "";
  if (object?.kind === "PersistentVolume") answer("volume of class ", ofClass);
  if (object?.kind === "PersistentVolumeClaim") answer("claim of class ", ofClass);
  for (const [, claim = ""] of text.matchAll(claimName)) answer("user of claim ", claim);
  return (question) => plain.has(question) || made.some((one) => mayBe(one, question));
}

/** The answer of an object whose name contains template expressions: `parts` is the text around those. */
interface MadeAnswer {
  readonly question: string;
  readonly parts: readonly string[];
}

function mayBe({ question, parts }: MadeAnswer, asked: Question): boolean {
  if (!asked.startsWith(question)) return false;
  const name = asked.slice(question.length);
  const [first = ""] = parts;
  const last = parts.at(-1) ?? "";
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

const className = namesBehind("^[ \\t]*storageClassName:", "m");
const claimName = namesBehind("\\bclaimName[\"']?[ \\t]*:", "g");

/** Matches a name after a key; the name may contain template expressions. */
function namesBehind(key: string, flags: string): RegExp {
  return new RegExp(`${key}[ \\t]*["']?(${nameInTemplate})`, flags);
}
