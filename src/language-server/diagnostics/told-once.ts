/** What a file or its objects say by themselves, where the prediction says it too and what comes of it. */
import { documentAt, type ManifestFile } from "../yaml/manifest-file.ts";
import type { Diagnostic } from "./rule.ts";
import { rules } from "./rules.ts";

/** The findings of a file without those that another one tells again. */
export function toldOnce(file: ManifestFile, found: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!found.some(({ code }) => successors.has(code))) return found;
  const place = ({ start }: Diagnostic, code: string): string =>
    `${documentAt(file, start)?.index} ${code}`;
  const told = new Set(found.map((one) => place(one, one.code)));
  return found.filter((one) => {
    const successor = successors.get(one.code);
    return successor === undefined || !told.has(place(one, successor));
  });
}

const successors: ReadonlyMap<string, string> = new Map(
  rules.flatMap(({ id, yieldsTo }) => (yieldsTo === undefined ? [] : [[id, yieldsTo] as const])),
);
