/**
 * A pod with scheduling gates may still be restricted to fewer nodes. Upstream: pkg/apis/core/validation
 * ValidatePodUpdate, validateNodeSelectorMutation, validateNodeAffinityMutation, v1.36.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import { specPath } from "../field-path.ts";
import { goStruct } from "../go/struct.ts";
import { sortedMap } from "../go/text.ts";
import type { Mutable } from "../mutable.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { Affinity, NodeAffinity, NodeSelectorTerm, PodSpec } from "../types.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";

/** Checks what a gated pod may change and resets it in `masked`, so that the rest can be compared with the old spec. */
export function settleGatedChanges(
  masked: Mutable<PodSpec>,
  old: PodSpec,
  errors: FieldErrors,
): void {
  if ((old.schedulingGates ?? []).length === 0) return;
  if (!semanticEqual(masked.nodeSelector, old.nodeSelector)) {
    validateSelectorGrows(masked.nodeSelector, old.nodeSelector ?? {}, errors);
    delete masked.nodeSelector;
    if (old.nodeSelector !== undefined) masked.nodeSelector = { ...old.nodeSelector };
  }
  const [next, before] = [masked.affinity?.nodeAffinity, old.affinity?.nodeAffinity];
  if (semanticEqual(next, before)) return;
  if (before !== undefined) validateAffinityGrows(next, before, errors);
  const { nodeAffinity: _, ...others } = masked.affinity ?? {};
  delete masked.affinity;
  if (before !== undefined)
    masked.affinity = { ...others, nodeAffinity: before } as Mutable<Affinity>;
  else if (old.affinity !== undefined || Object.keys(others).length > 0) masked.affinity = others;
}

type Labels = Readonly<Record<string, string>>;

function validateSelectorGrows(next: Labels | undefined, old: Labels, errors: FieldErrors): void {
  if (Object.keys(old).every((key) => next?.[key] === old[key])) return;
  errors.invalid(
    specPath.child("nodeSelector"),
    asJson(next === undefined ? null : sortedMap(next)),
    "only additions to spec.nodeSelector are allowed (no mutations or deletions)",
  );
}

/** Terms are alternatives, so none may be added or removed; each may become narrower. */
function validateAffinityGrows(
  next: NodeAffinity | undefined,
  old: NodeAffinity,
  errors: FieldErrors,
): void {
  const before = old[required]?.nodeSelectorTerms ?? [];
  const written = next?.[required]?.nodeSelectorTerms;
  const terms = written ?? [];
  if (before.length === 0) return;
  const path = specPath
    .child("affinity")
    .child("nodeAffinity")
    .child(required)
    .child("nodeSelectorTerms");
  const shown = (term: NodeSelectorTerm): unknown => goStruct("NodeSelectorTerm", term);
  if (terms.length !== before.length) {
    errors.invalid(
      path,
      asJson(written?.map(shown) ?? null),
      "no additions/deletions to non-empty NodeSelectorTerms list are allowed",
    );
    return;
  }
  terms.forEach((term, index) => {
    if (growsFrom(term, before[index] ?? {})) return;
    errors.invalid(
      path.index(index),
      asJson(shown(term)),
      "only additions are allowed (no mutations or deletions)",
    );
  });
}

function growsFrom(next: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ["matchExpressions", "matchFields"] as const;
  const count = (term: NodeSelectorTerm): number =>
    lists.reduce((total, list) => total + (term[list] ?? []).length, 0);
  // An empty term matches no node, and must not start to.
  if (count(old) === 0) return count(next) === 0;
  return lists.every((list) =>
    (old[list] ?? []).every((requirement, index) =>
      semanticEqual(requirement, next[list]?.[index]),
    ),
  );
}
