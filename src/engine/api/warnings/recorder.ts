/**
 * What of the warnings reaches the client: each once, and of long lists only beginnings.
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

/** From there on, and back to the first, texts are cut. */
function beyond(texts: readonly string[]): number | undefined {
  let count = 0;
  for (const [index, text] of texts.entries()) {
    if (isWritable(text)) count += [...text].length;
    if (count > countMax) return index;
  }
  return undefined;
}

/** A header is one line. */
function isWritable(text: string): boolean {
  return !control.test(text);
}

function cut(text: string): string {
  return [...text].slice(0, countOfEachMax).join("");
}
