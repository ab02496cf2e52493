/** Folders that charts refer to as dependencies, with the environments of these charts. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { decoded, isBelow, parentUri } from "../files/uri.ts";
import type { WorkspaceFile } from "../workspace-object.ts";
import { chartFileName } from "./chart-folders.ts";
import type { LocalFolder } from "./chart-releases.ts";

export class LocalFolders {
  readonly #environments = new Map<string, Set<string>>();
  /** Valid until a file is added; files that are gone are simply not found. */
  readonly #uris = new Map<string, readonly string[]>();

  add(folder: string, environment: string): void {
    const known = this.#environments.get(folder);
    if (known === undefined) this.#environments.set(folder, new Set([environment]));
    else known.add(environment);
  }

  /** The environments whose charts may include the file. */
  environmentsOf(uri: string): readonly string[] {
    if (this.#environments.size === 0) return [];
    const ids = [...this.#environments].flatMap(([folder, of]) =>
      isBelow(uri, folder) ? [...of] : [],
    );
    return [...new Set(ids)];
  }

  /** The URIs out of `all` that are below a folder, in code unit order. */
  urisIn(folder: string, all: Iterable<string>): readonly string[] {
    const uris =
      this.#uris.get(folder) ?? [...all].filter((uri) => isBelow(uri, folder)).sort(compareText);
    this.#uris.set(folder, uris);
    return uris;
  }

  /** Must be called after a file was added. */
  forgetUris(): void {
    this.#uris.clear();
  }
}

/** For use where only the files of one environment are known. */
export function localFolderAmong(files: readonly WorkspaceFile[], folder: string): LocalFolder {
  const named = files.find(({ uri }) => decoded(uri) === decoded(`${folder}/${chartFileName}`));
  if (named === undefined) return { folder, files: [], isElsewhere: false };
  const found = parentUri(named.uri);
  const own = files.filter(({ uri }) => isBelow(uri, found));
  return { folder: found, files: own, isElsewhere: false };
}
