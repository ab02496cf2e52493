/** Labels that tell environments apart: their names, preceded by as many parent folders as needed. */
import type { Environment } from "./messages.ts";

type Named = Pick<Environment, "id" | "name" | "folder">;

/** The labels by the environments' ids. */
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

/** The names of the parent folders, nearest first. */
function foldersAbove(folder: string): readonly string[] {
  const [, path = ""] = /^[a-z][a-z\d+.-]*:\/\/[^/]*\/(.*)$/i.exec(folder) ?? [];
  return path.split("/").slice(0, -1).map(decoded).reverse();
}

/** Unchanged if it is not validly encoded, as a client may give a folder any name. */
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
