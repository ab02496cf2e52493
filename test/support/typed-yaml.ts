/** Lines of the examples with random edits, as while typing. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { splitDocuments } from "../../src/language-server/yaml/split-documents.ts";
import { dedent } from "./markers.ts";

/** All documents of the examples' YAML files, except templates of charts, which are not YAML. */
export const exampleDocuments: readonly string[] = readdirSync("examples", {
  recursive: true,
  encoding: "utf8",
})
  .filter((name) => name.endsWith(".yaml") && !/[\\/]templates[\\/]/.test(name))
  .map((name) => readFileSync(join("examples", name), "utf8"))
  .flatMap((text) => splitDocuments(text).map(({ start, end }) => text.slice(start, end)));

/** Texts that change the meaning of a line, or make it meaningless. */
const marks: readonly string[] = [
  ..." \n-:#\"'|>[]{},&*!%@?~=_.\\\t0aé",
  "  ",
  "- ",
  ": ",
  " #",
  "|-",
  "\n\n",
  "\n  ",
  "\n- ",
  "# x\n",
  "...",
  "<<",
  "a: b",
  "a:\n",
  "- a: b\n",
  "1e3",
  "null",
  "yes: 1\n",
  "__proto__: 1\n",
];

const edit: fc.Arbitrary<{ at: number; removed: number; mark: string }> = fc.record({
  at: fc.nat(),
  removed: fc.integer({ min: 0, max: 3 }),
  mark: fc.constantFrom("", ...marks),
});

/** Some lines of a document, with up to three edits. */
export const typedYaml: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...exampleDocuments),
    fc.nat(),
    fc.integer({ min: 1, max: 12 }),
    fc.array(edit, { maxLength: 3 }),
  )
  .map(([document, from, count, edits]) => {
    const all = document.split("\n");
    const first = from % all.length;
    let text = dedent(all.slice(first, first + count).join("\n"));
    for (const { at, removed, mark } of edits) {
      const place = at % (text.length + 1);
      text = text.slice(0, place) + mark + text.slice(place + removed);
    }
    return text;
  });
