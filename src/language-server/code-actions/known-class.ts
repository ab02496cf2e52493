/** For a class that does not exist and resembles none: offers the existing classes. */
import { type Kind, kindOfRef, nameOfRef } from "../../engine/api/meta.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { targetAt } from "../features/target.ts";
import { knownClasses } from "../names/known-classes.ts";
import { valueAt } from "../yaml/manifest.ts";
import { type ActionContext, type CodeAction, offer, ruleContext } from "./code-action.ts";
import { fieldEdit } from "./field-edit.ts";

/** A longer menu would have to be searched; completion can do that. */
const countMax = 5;

export function knownClass(context: ActionContext, diagnostic: Diagnostic): readonly CodeAction[] {
  const { misses, meant, start } = diagnostic;
  const kind = misses === undefined ? "" : kindOfRef(misses);
  if (misses === undefined || !kind.endsWith("Class") || meant !== undefined) return [];
  const target = targetAt(context.analysis.environment, context.file, start);
  // In a quota, the class's name is part of a key.
  if (target === undefined || valueAt(target.built.object.value, target.path) !== nameOfRef(misses))
    return [];
  const names = knownClasses(ruleContext(context), kind as Kind);
  if (names.length > countMax) return [];
  return names
    .flatMap((name) =>
      offer(`Change to “${name}”`, [fieldEdit(target.built, target.path, name)], diagnostic),
    )
    .map((action) => ({ ...action, isChoice: true }));
}
