/** What is said of several objects that have a field from one place, as the value of a chart, is told once there. */
import type { Diagnostic } from "../diagnostics/rule.ts";

/** Of a file. With what is related to any of the objects. */
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
