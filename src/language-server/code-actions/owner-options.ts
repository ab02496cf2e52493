/** Adds the mount options that set the owner of an SMB share's files, to the class or volume: chown has no effect there. */
import type { Diagnostic } from "../diagnostics/rule.ts";
import { chownWithoutEffect } from "../diagnostics/rules/chown-refused.ts";
import { fieldsAt } from "../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { type ActionContext, type CodeAction, offer, statementOf } from "./code-action.ts";
import { fieldsEdit, itemEdit } from "./field-edit.ts";

export function ownerOptions(
  { analysis }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (diagnostic.code !== chownWithoutEffect.id) return [];
  const advice = /Give (\w+) “(\S+)” the mount options (.+)/.exec(statementOf(diagnostic));
  const [, kind, name, words = ""] = advice ?? [];
  const built = analysis.environment.objects.find(
    ({ object }) => object.kind === kind && object.name === name,
  );
  const path = kind === "PersistentVolume" ? ["spec"] : [];
  const optionsOf = ({ object }: WorkspaceObject): unknown =>
    fieldsAt(object.value, ...path)["mountOptions"];
  const entry = built?.patched?.written ?? built;
  // Options that come from a patch cannot be edited here.
  if (entry === undefined || optionsOf(entry) !== (built && optionsOf(built))) return [];
  const options = [...words.matchAll(/[ug]id=\d+/g)].map(([option]) => option);
  const edits =
    optionsOf(entry) === undefined
      ? [fieldsEdit(entry, path, { mountOptions: options })]
      : options.map((option) => itemEdit(entry, [...path, "mountOptions"], option));
  return offer(`Give ${kind} “${name}” ${options.join(" and ")}`, edits, diagnostic);
}
