/** Drops findings that another finding repeats together with the consequences. */

import type { Diagnostic } from "../diagnostics/rule.ts";
import { rules } from "../diagnostics/rules.ts";
import { documentAt, type ManifestFile } from "../yaml/manifest-file.ts";

/** The findings of a file without those that another one replaces. */
export function toldOnce(file: ManifestFile, found: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!found.some(({ code }) => successors.has(code))) return found;
  const inDocument = ({ start }: Diagnostic, code: string): string =>
    `${documentAt(file, start)?.index} ${code}`;
  const atPlace = ({ start }: Diagnostic, code: string): string => `at ${start} ${code}`;
  const told = new Set(found.flatMap((one) => [inDocument(one, one.code), atPlace(one, one.code)]));
  return found.filter((one) => {
    const successor = successors.get(one.code);
    if (successor === undefined) return true;
    const place = successor.yieldsAtPlace === true ? atPlace : inDocument;
    return !successor.yieldsTo.some((code) => told.has(place(one, code)));
  });
}

const successors = new Map(
  rules.flatMap(({ id, yieldsTo, yieldsAtPlace }) =>
    yieldsTo === undefined ? [] : [[id, { yieldsTo, yieldsAtPlace }] as const],
  ),
);
