/**
 * What a finding takes for granted of objects that nobody has found. It is not told while one of its questions may be answered
 * with yes: by a document that cannot be read, by an object that is kept out of the cluster, or by one that somebody means and
 * has mistyped (`findings/*-answers.ts`).
 */
import { kindOfRef, nameOfRef, type Ref } from "../../engine/api/meta.ts";

/** Namespaces count only where a `Ref` is asked for: of a document that cannot be read nobody knows its own. */
export type Question =
  /** Is there an object of the kind and the name? */
  | `object ${string} ${string}`
  /** Is there any object of the kind? */
  | `some ${string}`
  | `volume of class ${string}`
  | `claim of class ${string}`
  /** Is another object meant to be it, as its own finding says? */
  | `mistyped ${Ref}`
  /** Does anything use the object, or a pod the claim of the name? */
  | `user of ${Ref}`
  | `user of claim ${string}`
  /** Does another finding say why the object does not get there? */
  | `cause of ${Ref}`
  /** Is the object kept out of the cluster? */
  | `kept out ${Ref}`;

/** What a finding says of objects besides its own. */
export interface AboutObjects {
  /** The object that is nowhere. */
  readonly misses?: Ref;
  /** Those of its name in other namespaces. */
  readonly elsewhere?: readonly Ref[];
  /** The object that nobody uses. */
  readonly unused?: Ref;
  /** Whatever else would make it untrue. */
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
    // A class that volumes carry needs no object.
    if (kind === "StorageClass") questions.push(`volume of class ${name}`);
  }
  return questions;
}
