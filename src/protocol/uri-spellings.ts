/**
 * Compares URIs of the same file that editor and server spell differently: in the characters they encode, and in the case of
 * a drive letter.
 */
import type { Environment } from "./messages.ts";

/** The same text for all spellings. It is no longer a URI, as nothing in it is encoded. */
export function plainUri(uri: string): string {
  return decoded(uri).replace(/^file:\/\/\/[A-Z]:/, (drive) => drive.toLowerCase());
}

/** Unchanged if it is not validly encoded, as a client may give a folder any name. */
function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** The environment with the deepest folder that contains the file; undefined if none does. */
export function environmentOf<Known extends Pick<Environment, "folder">>(
  environments: readonly Known[],
  uri: string,
): Known | undefined {
  const file = plainUri(uri);
  let best: Known | undefined;
  for (const environment of environments) {
    const { folder } = environment;
    // The folder of unsaved files is only their scheme.
    const start = folder.endsWith(":") ? folder : `${plainUri(folder).replace(/\/$/, "")}/`;
    if (file.startsWith(start) && folder.length > (best?.folder.length ?? -1)) best = environment;
  }
  return best;
}
