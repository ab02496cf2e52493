/** Snippets at the start of a document. */
import { servesKind } from "../../engine/api/decoding/later-fields.ts";
import { isDnsSubdomain } from "../../engine/api/names/names.ts";
import { newestVersion } from "../../engine/scenario.ts";
import type { Analysis } from "../analysis.ts";
import { writableNames } from "../names/names-in-cluster.ts";
import { printScalar } from "../yaml/edits.ts";
import type { Item } from "./item.ts";
import { localVolumes, plainText, type Snippet, snippets } from "./snippets.ts";

/**
 * The snippets of all served kinds: the client filters by what is typed. Node and class names that the API server would refuse
 * are left out, because they may contain snippet or YAML syntax.
 */
export function snippetItems(analysis: Analysis | undefined): readonly Item[] {
  const nodes = (analysis?.assumed.cluster.nodes ?? []).map(({ name }) => name);
  const version = analysis?.version ?? newestVersion;
  const classes = analysis === undefined ? [] : writableNames(analysis, "StorageClass", undefined);
  return [...snippets, localVolumes(nodes.filter(isDnsSubdomain))]
    .filter(({ label }) => servesKind(label, version))
    .map((snippet) =>
      asItem({ ...snippet, body: ofClasses(snippet.body, classes.filter(isDnsSubdomain)) }),
    );
}

/** Offers the existing classes in place of the default, if there are any. */
function ofClasses(body: string, classes: readonly string[]): string {
  if (classes.length === 0) return body;
  return body.replace(
    /(?<=storageClassName: )\$\{(\d+):standard\}/g,
    (_, stop) => `\${${stop}|${classes.map(printScalar).join(",")}|}`,
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
