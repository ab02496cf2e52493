/** File modes written as one says them, without the zero that makes them octal. */
import { fieldsAt, itemsOf, type Located, podVolumesOf } from "../../workspace/manifest-fields.ts";
import type { Path } from "../../yaml/place.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

/** Modes above 511, as 644 is, are refused by the API server. */
const suspicious: ReadonlySet<unknown> = new Set([400, 440, 444, 500]);

export const modeLooksOctal: DocumentRule = objectRule(
  "mode-looks-octal",
  "warning",
  {},
  function* (object) {
    for (const [path, mode] of podVolumesOf(object).flatMap(modesOf)) {
      if (typeof mode !== "number" || !suspicious.has(mode)) continue;
      const octal = mode.toString(8).padStart(4, "0");
      const meant = Number.parseInt(String(mode), 8);
      yield {
        path,
        message: `${mode} decimal is ${octal}; as an octal mode write 0${mode}`,
        fix: { title: `Change to ${meant}, which is 0${mode}`, path, value: meant, isChoice: true },
      };
    }
  },
);

type Mode = readonly [Path, unknown];

function modesOf({ fields, path }: Located): readonly Mode[] {
  const sources = ["configMap", "secret", "downwardAPI"].map((name) => ({
    fields: fieldsAt(fields, name),
    path: [...path, name],
  }));
  const projected = fieldsAt(fields, "projected");
  const inner = itemsOf(projected["sources"], [...path, "projected", "sources"]).flatMap((source) =>
    ["configMap", "secret", "downwardAPI"].map((name) => ({
      fields: fieldsAt(source.fields, name),
      path: [...source.path, name],
    })),
  );
  return [...sources, { fields: projected, path: [...path, "projected"] }, ...inner].flatMap(
    (source): Mode[] => [
      [[...source.path, "defaultMode"], source.fields["defaultMode"]],
      ...itemsOf(source.fields["items"], [...source.path, "items"]).map(
        (item): Mode => [[...item.path, "mode"], item.fields["mode"]],
      ),
    ],
  );
}
