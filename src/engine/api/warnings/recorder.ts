/**
 * The warnings that reach the client: each once, and shortened if there are too many.
 * Upstream: apiserver v0.36 pkg/server/filters/warning.go AddWarning, apimachinery v0.36 pkg/util/net NewWarningHeader.
 */
const countMax = 4096;
const countOfEachMax = 256;
const control = /\p{Cc}/u;

export function recordWarnings(texts: readonly string[]): readonly string[] {
  const different = [...new Set(texts)];
  const firstBeyond = beyond(different);
  if (firstBeyond === undefined) return different.filter(isWritable);
  let count = 0;
  return different.map(cut).filter((text, index) => {
    if (!isWritable(text) || (index > firstBeyond && count >= countMax)) return false;
    count += [...text].length;
    return true;
  });
}

/** The index of the text with which the total exceeds the limit: then all texts are cut. Undefined if it does not. */
function beyond(texts: readonly string[]): number | undefined {
  let count = 0;
  for (const [index, text] of texts.entries()) {
    if (isWritable(text)) count += [...text].length;
    if (count > countMax) return index;
  }
  return undefined;
}

/** A header cannot contain control characters. */
function isWritable(text: string): boolean {
  return !control.test(text);
}

function cut(text: string): string {
  return [...text].slice(0, countOfEachMax).join("");
}
