/**
 * URIs of the same file, as the editor and the server spell them: they differ in the characters that they encode, and in
 * whether they write a drive with a capital letter.
 */
import type { Environment } from "./messages.ts";

/** The same for all spellings. It is no URI any more: nothing in it is encoded. */
export function plainUri(uri: string): string {
  return decoded(uri).replace(/^file:\/\/\/[A-Z]:/, (drive) => drive.toLowerCase());
}

/** As it stands where it is not well encoded: a client may give a folder any name. */
function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** The environment with the deepest folder that holds the file. */
export function environmentOf<Known extends Pick<Environment, "folder">>(
  environments: readonly Known[],
  uri: string,
): Known | undefined {
  const file = plainUri(uri);
  let best: Known | undefined;
  for (const environment of environments) {
    const { folder } = environment;
    // Unsaved files are under their scheme alone.
    const start = folder.endsWith(":") ? folder : `${plainUri(folder).replace(/\/$/, "")}/`;
    if (file.startsWith(start) && folder.length > (best?.folder.length ?? -1)) best = environment;
  }
  return best;
}
