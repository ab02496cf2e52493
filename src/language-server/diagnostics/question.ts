/**
 * What a finding assumes about objects that nobody has found. It is held back while one of its questions may have the answer
 * yes: because of an unreadable document, an object that is kept out of the cluster, or a mistyped name
 * (`findings/*-answers.ts`).
 */
import { kindOfRef, nameOfRef, type Ref } from "../../engine/api/meta.ts";

/** Namespaces matter only in a `Ref`: an unreadable document's namespace is unknown. */
export type Question =
  /** Is there an object of this kind and name? */
  | `object ${string} ${string}`
  /** Is there any object of this kind? */
  | `some ${string}`
  | `volume of class ${string}`
  | `claim of class ${string}`
  /** Does another finding say that an object with a mistyped name is meant to be this one? */
  | `mistyped ${Ref}`
  /** Does anything use this object, or a pod a claim of this name? */
  | `user of ${Ref}`
  | `user of claim ${string}`
  /** Does another finding explain this object's outcome? */
  | `cause of ${Ref}`
  /** Is the object kept out of the cluster? */
  | `kept out ${Ref}`;

/** Other objects that a finding is about. */
export interface AboutObjects {
  /** The object that does not exist. */
  readonly misses?: Ref;
  /** Objects of that name in other namespaces. */
  readonly elsewhere?: readonly Ref[];
  /** The object that nobody uses. */
  readonly unused?: Ref;
  /** Anything else that would refute the finding. */
  readonly unless?: readonly Question[];
}

export type Answers = (question: Question) => boolean;

export function isOpen(about: AboutObjects, answers: Answers): boolean {
  return questionsOf(about).some(answers);
}

function questionsOf({ misses, unused, unless = [] }: AboutObjects): readonly Question[] {
  const questions: Question[] = [...unless];
  if (unused !== undefined) {
    questions.push(`user of ${unused}`);
    if (kindOfRef(unused) === "PersistentVolumeClaim")
      questions.push(`user of claim ${nameOfRef(unused)}`);
  }
  if (misses !== undefined) {
    const [kind, name] = [kindOfRef(misses), nameOfRef(misses)];
    questions.push(`object ${kind} ${name}`, `mistyped ${misses}`);
    // If volumes carry the class name, no StorageClass object is needed.
    if (kind === "StorageClass") questions.push(`volume of class ${name}`);
  }
  return questions;
}
