/** What a file or its objects say by themselves, where another finding says it too and what comes of it. */

import type { Diagnostic } from "../diagnostics/rule.ts";
import { documentSeparator } from "../diagnostics/rules/document-separator.ts";
import { rules } from "../diagnostics/rules.ts";
import { documentAt, type ManifestFile } from "../yaml/manifest-file.ts";

/** The findings of a file without those that another one tells again. */
export function toldOnce(file: ManifestFile, found: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!found.some(({ code }) => successors.has(code))) return found;
  const inDocument = (one: Diagnostic, code: string): string =>
    `${documentIndex(file, one)} ${code}`;
  const atPlace = ({ start }: Diagnostic, code: string): string => `at ${start} ${code}`;
  const told = new Set(found.flatMap((one) => [inDocument(one, one.code), atPlace(one, one.code)]));
  return found.filter((one) => {
    const successor = successors.get(one.code);
    if (successor === undefined) return true;
    const place = successor.yieldsAtPlace === true ? atPlace : inDocument;
    return !successor.yieldsTo.some((code) => told.has(place(one, code)));
  });
}

/** What stands behind a separator is told of the document that it begins. */
function documentIndex(file: ManifestFile, { code, start }: Diagnostic): number | undefined {
  return code === documentSeparator.id
    ? file.slices.findIndex(({ separatorRest }) => separatorRest?.start === start)
    : documentAt(file, start)?.index;
}

const successors = new Map(
  rules.flatMap(({ id, yieldsTo, yieldsAtPlace }) =>
    yieldsTo === undefined ? [] : [[id, { yieldsTo, yieldsAtPlace }] as const],
  ),
);
