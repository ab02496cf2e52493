/** Snippets where a document begins. */
import type { Analysis } from "../analysis.ts";
import type { Item } from "./item.ts";
import { localVolumes, plainText, type Snippet, snippets } from "./snippets.ts";

/** Every snippet: the client picks by what is typed. */
export function snippetItems(analysis: Analysis | undefined): readonly Item[] {
  const nodes = (analysis?.assumed.cluster.nodes ?? []).map(({ name }) => name);
  return [...snippets, localVolumes(nodes)].map(asItem);
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
