/**
 * Updates changed names in the objects that refer to them; runs once, after all kustomizations. Upstream: kustomize v5.8
 * api/internal/accumulator resaccumulator.go FixBackReferences, namereferencetransformer.go.
 */
import { push } from "../../../engine/api/go/multi-map.ts";
import { underline } from "../../yaml/locate.ts";
import type { KustomizeProblem } from "./loaded-patch.ts";
import { type NameReference, referralsOf } from "./name-references.ts";
import { printCurrentId, type Resource } from "./resource.ts";
import { changeFields, isOf } from "./set-fields.ts";
import { kept, type Written } from "./written.ts";

/** Returns a problem for each reference that is ambiguous. */
export function followNames(
  all: readonly Resource[],
  references: readonly NameReference[],
): readonly KustomizeProblem[] {
  const isRenamed = ({ name, previousIds }: Resource): boolean =>
    previousIds.some((id) => id.name !== name);
  if (!all.some(isRenamed)) return [];
  const renamed = new Map<string, Resource[]>();
  for (const resource of all) {
    if (resource.written === undefined) continue;
    for (const name of new Set(resource.previousIds.map((id) => id.name))) {
      push(renamed, name, resource);
    }
  }
  const problems: KustomizeProblem[] = [];
  const byKind = new Map<string, readonly NameReference[]>();
  for (const resource of all) {
    const { kind } = resource;
    const ofKind = byKind.get(kind) ?? referencesIn(kind, references);
    byKind.set(kind, ofKind);
    followIn(resource, ofKind, renamed, problems);
  }
  return problems;
}

/** The references with fields that an object of the kind may have. */
function referencesIn(
  kind: string,
  references: readonly NameReference[],
): readonly NameReference[] {
  return references.flatMap(({ fields, ...target }) => {
    const own = fields.filter((field) => field.kind === undefined || field.kind === kind);
    return own.length === 0 ? [] : [{ ...target, fields: own }];
  });
}

function followIn(
  resource: Resource,
  references: readonly NameReference[],
  renamed: ReadonlyMap<string, readonly Resource[]>,
  problems: KustomizeProblem[],
): void {
  const { written } = resource;
  if (written === undefined || resource.entry === undefined) return;
  let now = written;
  for (const target of references)
    now = changeFields(now, target.fields, now, (old) => {
      if (typeof old.value !== "string") return old;
      const known = (renamed.get(old.value) ?? []).filter(
        (one) => one.written !== undefined && isOf(one.written.value, target),
      );
      const [referral, ...others] = referralsOf(resource, known);
      if (referral === undefined || referral.name === old.value) return old;
      if (others.length > 0) {
        problems.push(unclear(old, [referral, ...others]));
        return old;
      }
      return { ...old, value: referral.name };
    });
  if (now !== written) resource.written = kept(written, followNames, now);
}

function unclear({ text, path }: Written, referrals: readonly Resource[]): KustomizeProblem {
  return {
    uri: text.file.uri,
    ...text.inFile(underline(text.yaml, path)),
    message: `kustomize refuses the name: found multiple possible referrals: ${referrals.map(printCurrentId).join(", ")}`,
    severity: "error",
  };
}
