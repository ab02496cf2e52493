/** The file modes that a pod's volume sets, as written. */
import { type Fields, fieldsAt, itemsOf, type Located } from "../../workspace/manifest-fields.ts";
import type { Path } from "../../yaml/place.ts";

export interface WrittenMode {
  readonly path: Path;
  readonly mode: unknown;
}

const sourceNames = ["configMap", "secret", "downwardAPI"] as const;

/** Modes of ConfigMaps, Secrets and fields of the pod, projected or not. */
export function writtenModes({ fields, path }: Located): readonly WrittenMode[] {
  const projected = fieldsAt(fields, "projected");
  const inner = itemsOf(projected["sources"], [...path, "projected", "sources"]);
  const sources = [{ fields, path }, ...inner].flatMap((one) =>
    sourceNames.map((name) => ({ fields: fieldsAt(one.fields, name), path: [...one.path, name] })),
  );
  return [...sources, { fields: projected, path: [...path, "projected"] }].flatMap(modesOf);
}

function modesOf(source: { readonly fields: Fields; readonly path: Path }): readonly WrittenMode[] {
  const items = itemsOf(source.fields["items"], [...source.path, "items"]);
  return [
    { path: [...source.path, "defaultMode"], mode: source.fields["defaultMode"] },
    ...items.map(({ fields, path }) => ({ path: [...path, "mode"], mode: fields["mode"] })),
  ].filter(({ mode }) => mode !== undefined);
}

/** As people write modes: `0644`. */
export function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
