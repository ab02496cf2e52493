/** What Go makes of a text that is used as a format without operands. Upstream: fmt.Sprintf, print.go doPrintf. */

/** A directive: flags, index, width, precision, index, verb. */
const directive = /%[-+# 0]*(\[(?:[^\]]*\])?)?(\*|\d+)?(\.(?:\*|\d*))?(\[(?:[^\]]*\])?)?(.|$)/gsu;

/** Replaces each directive in the text with Go's complaint about it; `%%` becomes `%`. */
export function goFormat(text: string): string {
  return text.replace(
    directive,
    (_all, ...[first, width, precision, second, verb = ""]: (string | undefined)[]) => {
      const missing = `${width === "*" ? "%!(BADWIDTH)" : ""}${precision === ".*" ? "%!(BADPREC)" : ""}`;
      if (verb === "") return `${missing}%!(NOVERB)`;
      if (verb === "%") return `${missing}%`;
      const isIndexed = first !== undefined || second !== undefined;
      return `${missing}%!${verb}(${isIndexed ? "BADINDEX" : "MISSING"})`;
    },
  );
}
