/**
 * Answers questions from findings about other objects: which object was meant by a wrong name or namespace, what causes an
 * outcome, and which object is a mistyped form of a missing one. Saying again that the meant object is unused, what the cause
 * leads to, or that the object is missing would repeat those findings.
 */
import { kindOfRef, namespaceOfRef, type Ref } from "../../engine/api/meta.ts";
import type { Answers, Question } from "../diagnostics/question.ts";
import type { CodedReport } from "../diagnostics/rule.ts";
import { isSuppressed } from "../diagnostics/rules/suppression.ts";
import { type PresentFiles, presentDiagnostic } from "../islands/present-entry.ts";
import { changedNames } from "../names/names-in-cluster.ts";
import type { Environment } from "../workspace/environment.ts";
import { podSpecOf } from "../workspace/manifest-fields.ts";
import { isAcceptedByProject } from "./project-suppression.ts";

/** `comparedLists` is the same array until one of its findings changes. */
export function meantAnswers(
  judged: Compared,
  environment: Environment,
  files: PresentFiles,
): Answers {
  return (question) =>
    mayBeMeant(question) && answeredBy(judged.comparedLists, environment, files).has(question);
}

interface Compared {
  readonly comparedLists: Lists;
}

type Lists = readonly (readonly CodedReport[])[];

function mayBeMeant(question: Question): boolean {
  return starts.some((start) => question.startsWith(start));
}

const starts = ["user of ", "cause of ", "mistyped "] as const;

function answeredBy(
  lists: Lists,
  environment: Environment,
  files: PresentFiles,
): ReadonlySet<Question> {
  const known = ofAll.get(lists);
  if (known !== undefined) return known;
  const answered = new Set<Question>();
  for (const list of lists)
    for (const question of meantIn(list, environment, files)) answered.add(question);
  ofAll.set(lists, answered);
  return answered;
}

const ofAll = new WeakMap<Lists, ReadonlySet<Question>>();

function* meantIn(
  list: readonly CodedReport[],
  environment: Environment,
  files: PresentFiles,
): Iterable<Question> {
  for (const found of ofOthers(list)) {
    const { entry, misses, standsFor, meant, elsewhere = [], explains = [] } = found.report;
    if (explains.length > 0 && isTold(found, environment, files))
      for (const ref of explains) yield `cause of ${ref}`;
    if (standsFor !== undefined && isTold(found, environment, files)) yield `mistyped ${standsFor}`;
    if (misses === undefined) continue;
    const kind = kindOfRef(misses);
    // A volume that is reserved for a claim does not count as its user.
    if (kind === "PersistentVolumeClaim" && podSpecOf(entry.object) === undefined) continue;
    for (const ref of elsewhere) yield `user of ${ref}`;
    if (meant === undefined) continue;
    const ref: Ref = `${kind}/${namespaceOfRef(misses)}/${meant}`;
    yield `user of ${changedNames(environment).get(ref)?.ref ?? ref}`;
  }
}

/** Few findings answer questions: these are picked out once per list. */
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

/**
 * True unless something hides the finding. Looks the object up in its own file: searching all objects for its name after each
 * edit would be slow.
 */
function isTold(found: CodedReport, environment: Environment, files: PresentFiles): boolean {
  const diagnostic = presentDiagnostic(found, files);
  const file = diagnostic && files.findFile(diagnostic.uri);
  if (diagnostic === undefined || file === undefined) return true;
  return !isAcceptedByProject(diagnostic, environment) && !isSuppressed(file, diagnostic);
}
