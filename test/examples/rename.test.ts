/** A rename changes only the name: the findings are the same before and after. */
import assert from "node:assert/strict";
import { rename } from "../../src/language-server/features/rename.ts";
import { namePlaces } from "../../src/language-server/names/name-places.ts";
import type { LanguageService } from "../../src/language-server/service.ts";
import { exampleFiles, exampleNames, serviceWith } from "../support/example-files.ts";
import { findingsOf } from "../support/findings.ts";
import { memoryUri } from "../support/memory-workspace.ts";

function findings(service: LanguageService, files: ReadonlyMap<string, string>): readonly string[] {
  return [...files.keys()]
    .flatMap((name) => findingsOf(service, memoryUri(name)).map(({ code }) => `${name} ${code}`))
    .sort();
}

suite("rename in the examples", () => {
  for (const example of exampleNames) {
    // Objects of a chart have to be renamed by hand in its templates.
    if (exampleFiles(example).has("shop/Chart.yaml")) continue;
    test(`renaming an object of ${example} does not change findings`, async () => {
      const files = exampleFiles(example);
      const service = await serviceWith(files);
      const before = findings(service, files);
      const [environment] = service.environments();
      assert.ok(environment !== undefined);
      const analysis = service.analysis(environment);
      let count = 0;
      for (const place of namePlaces(environment)) {
        const span = place.span();
        if (!place.isDefinition || span === undefined) continue;
        const answer = rename(analysis, place.file, span.start + 1, `${place.name}-x`);
        if (!answer.ok) continue;
        const after = new Map(files);
        for (const { file, start, end, text } of [...answer.value.edits].reverse()) {
          const name = file.uri.slice(memoryUri("").length);
          const old = after.get(name) ?? "";
          after.set(name, old.slice(0, start) + text + old.slice(end));
        }
        assert.deepEqual(findings(await serviceWith(after), after), before, answer.value.title);
        count++;
      }
      assert.ok(count > 0);
    });
  }
});
