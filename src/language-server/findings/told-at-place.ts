/** Merges equal findings at one place: several objects may get a field from there, for example from a chart's value. */
import type { Diagnostic } from "../diagnostics/rule.ts";

/** For one file. A merged finding has the related places of all. */
export function toldAtPlace(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const told = new Map<string, Diagnostic>();
  for (const one of found) {
    const key = `${one.start} ${one.end} ${one.code} ${one.message}`;
    const known = told.get(key);
    told.set(key, known === undefined ? one : united(known, one));
  }
  return [...told.values()];
}

function united(one: Diagnostic, other: Diagnostic): Diagnostic {
  const related = [...(one.related ?? []), ...(other.related ?? [])];
  if (related.length === (one.related?.length ?? 0)) return one;
  const byText = new Map(related.map((each) => [JSON.stringify(each), each]));
  return { ...one, related: [...byText.values()] };
}
