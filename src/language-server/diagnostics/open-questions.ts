/**
 * Findings that say of something that it is nowhere, as long as a document that cannot be read, or an object that is kept
 * out, may be it, or somebody has mistyped it.
 */
import { kindOfRef, nameOfRef } from "../../engine/api/meta.ts";
import type { Question } from "../workspace/unreadable-documents.ts";
import type { AboutObjects } from "./rule.ts";

export function isOpen(about: AboutObjects, answers: (question: Question) => boolean): boolean {
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
    questions.push(`${kind} ${name}`);
    // A class that volumes carry needs no object.
    if (kind === "StorageClass") questions.push(`volume of class ${name}`);
  }
  return questions;
}
