/** Document and workspace symbols: one for each object, named as kubectl names it. */

import { compareText } from "../workspace/uri.ts";
import { documentStart, type Environment, type WorkspaceFile } from "../workspace/workspace.ts";
import { locate, type Span } from "../yaml/locate.ts";
import type { FilePlace } from "./definition.ts";
import { placeOfName } from "./definition.ts";

export interface ObjectSymbol {
  readonly name: string;
  /** Kind and namespace. */
  readonly detail: string;
  readonly place: FilePlace;
  /** The object's whole text. */
  readonly whole: Span;
}

/** In the order of the file; none for templates. */
export function documentSymbols(file: WorkspaceFile): readonly ObjectSymbol[] {
  if (file.manifest.templateAt !== undefined) return [];
  return file.manifest.documents.flatMap((document, documentIndex) =>
    document.objects.map((object): ObjectSymbol => {
      const entry = { file, document, documentIndex, object };
      const offset = documentStart(entry);
      const { start, end } = locate(document.yaml, object.path).value;
      const namespace = object.namespace === "" || !object.served ? "" : ` in ${object.namespace}`;
      return {
        name: object.name === "" ? object.kind : object.name,
        detail: `${object.kind}${namespace}`,
        place: placeOfName(entry),
        whole: { start: start + offset, end: end + offset },
      };
    }),
  );
}

const symbolCountMax = 500;

/** Objects whose name or kind holds the letters of the query in their order. */
export function workspaceSymbols(
  environments: readonly Environment[],
  query: string,
): readonly ObjectSymbol[] {
  const wanted = query.toLowerCase();
  const found: ObjectSymbol[] = [];
  for (const { files } of environments) {
    for (const file of files) {
      if (!file.manifest.isKubernetes) continue;
      for (const symbol of documentSymbols(file)) {
        if (holdsLetters(`${symbol.name} ${symbol.detail}`.toLowerCase(), wanted))
          found.push(symbol);
        if (found.length >= symbolCountMax) return found;
      }
    }
  }
  return found.sort((a, b) => compareText(a.name, b.name));
}

function holdsLetters(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
