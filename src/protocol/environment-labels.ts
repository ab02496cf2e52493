/** What tells the environments apart to a person: their names, after as many folders above as it takes. */
import type { Environment } from "./messages.ts";

type Named = Pick<Environment, "id" | "name" | "folder">;

/** By id. */
export function environmentLabels(environments: readonly Named[]): ReadonlyMap<string, string> {
  return new Map(
    environments.map((environment) => [
      environment.id,
      labelAmong(
        environments.filter((other) => other !== environment && other.name === environment.name),
        environment,
      ),
    ]),
  );
}

function labelAmong(namesakes: readonly Named[], { folder, name }: Named): string {
  const above = foldersAbove(folder);
  const count = above.findIndex((_, index) =>
    namesakes.every((other) => pathOf(foldersAbove(other.folder), index) !== pathOf(above, index)),
  );
  if (namesakes.length === 0 || above.length === 0) return name;
  return `${pathOf(above, count < 0 ? above.length - 1 : count)}/${name}`;
}

/** The nearest first. */
function foldersAbove(folder: string): readonly string[] {
  const [, path = ""] = /^[a-z][a-z\d+.-]*:\/\/[^/]*\/(.*)$/i.exec(folder) ?? [];
  return path.split("/").slice(0, -1).map(decoded).reverse();
}

/** As it stands where it is not well encoded: a client may give a folder any name. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function pathOf(above: readonly string[], last: number): string {
  return above
    .slice(0, last + 1)
    .reverse()
    .join("/");
}
