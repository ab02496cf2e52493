/** Snippets where a document begins. */
import { servesKind } from "../../engine/api/decoding/later-fields.ts";
import { newestVersion } from "../../engine/scenario.ts";
import type { Analysis } from "../analysis.ts";
import { writableNames } from "../names/names-in-cluster.ts";
import type { Item } from "./item.ts";
import { localVolumes, plainText, type Snippet, snippets } from "./snippets.ts";

/** Every snippet of a kind that is served: the client picks by what is typed. */
export function snippetItems(analysis: Analysis | undefined): readonly Item[] {
  const nodes = (analysis?.assumed.cluster.nodes ?? []).map(({ name }) => name);
  const version = analysis?.version ?? newestVersion;
  const classes = analysis === undefined ? [] : writableNames(analysis, "StorageClass", undefined);
  return [...snippets, localVolumes(nodes)]
    .filter(({ label }) => servesKind(label, version))
    .map((snippet) => asItem({ ...snippet, body: ofClasses(snippet.body, classes) }));
}

/** With the classes that there are to choose from, where there are any. */
function ofClasses(body: string, classes: readonly string[]): string {
  if (classes.length === 0) return body;
  return body.replace(
    /(?<=storageClassName: )\$\{(\d+):standard\}/g,
    (_, stop) => `\${${stop}|${classes.join(",")}|}`,
  );
}

function asItem({ label, detail, body }: Snippet): Item {
  return {
    label,
    kind: "snippet",
    detail,
    insert: body,
    about: { type: "text", text: `\`\`\`yaml\n${plainText(body)}\`\`\`` },
  };
}
