/**
 * Who means to use an object and names another, or the same in another namespace, whose finding says why another object does
 * not get there, and who is meant to be what others miss: that nobody uses it, what comes of it, or that they miss it would
 * tell the same a second time.
 */
import { kindOfRef, namespaceOfRef, type Ref } from "../../engine/api/meta.ts";
import { fromObject } from "../diagnostics/object-diagnostic.ts";
import type { Answers, Question } from "../diagnostics/question.ts";
import type { CodedReport } from "../diagnostics/rule.ts";
import { isSuppressed } from "../diagnostics/rules/suppression.ts";
import { changedNames } from "../names/names-in-cluster.ts";
import type { Environment } from "../workspace/environment.ts";
import { podSpecOf } from "../workspace/manifest-fields.ts";
import { isAcceptedByProject } from "./project-suppression.ts";

/** `comparedLists` is the same array for as long as objects say the same of each other. */
export function meantAnswers(judged: Compared, environment: Environment): Answers {
  return (question) =>
    mayBeMeant(question) && answeredBy(judged.comparedLists, environment).has(question);
}

interface Compared {
  readonly comparedLists: Lists;
}

type Lists = readonly (readonly CodedReport[])[];

function mayBeMeant(question: Question): boolean {
  return starts.some((start) => question.startsWith(start));
}

const starts = ["user of ", "cause of ", "mistyped "] as const;

function answeredBy(lists: Lists, environment: Environment): ReadonlySet<Question> {
  const known = ofAll.get(lists);
  if (known !== undefined) return known;
  const answered = new Set<Question>();
  for (const list of lists)
    for (const question of meantIn(list, environment)) answered.add(question);
  ofAll.set(lists, answered);
  return answered;
}

const ofAll = new WeakMap<Lists, ReadonlySet<Question>>();

function* meantIn(list: readonly CodedReport[], environment: Environment): Iterable<Question> {
  for (const found of ofOthers(list)) {
    const { entry, misses, standsFor, meant, elsewhere = [], explains = [] } = found.report;
    if (explains.length > 0 && isTold(found, environment))
      for (const ref of explains) yield `cause of ${ref}`;
    if (standsFor !== undefined && isTold(found, environment)) yield `mistyped ${standsFor}`;
    if (misses === undefined) continue;
    const kind = kindOfRef(misses);
    // Volumes that are reserved for a claim do not use it.
    if (kind === "PersistentVolumeClaim" && podSpecOf(entry.object) === undefined) continue;
    for (const ref of elsewhere) yield `user of ${ref}`;
    if (meant === undefined) continue;
    const ref: Ref = `${kind}/${namespaceOfRef(misses)}/${meant}`;
    yield `user of ${changedNames(environment).get(ref)?.ref ?? ref}`;
  }
}

/** Few findings are about what others lack: they are looked for once in each list. */
function ofOthers(list: readonly CodedReport[]): readonly CodedReport[] {
  const known = ofLists.get(list);
  if (known !== undefined) return known;
  const found = list.filter(
    ({ report: { misses, standsFor, explains = [] } }) =>
      misses !== undefined || standsFor !== undefined || explains.length > 0,
  );
  ofLists.set(list, found);
  return found;
}

const ofLists = new WeakMap<readonly CodedReport[], readonly CodedReport[]>();

/** Whether no comment hides it. */
function isTold({ report, code, severity }: CodedReport, environment: Environment): boolean {
  const { object, file } = report.entry;
  const present = environment.byRef.get(object.ref ?? "")?.find((one) => one.file.uri === file.uri);
  if (present === undefined) return true;
  const diagnostic = fromObject({ ...report, entry: present }, code, severity);
  return !isAcceptedByProject(diagnostic, environment) && !isSuppressed(present.file, diagnostic);
}
