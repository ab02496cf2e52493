/** Files that a command names. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { fileText } from "../language-server/workspace/file-text.ts";

/** A pipe as well, which a shell makes of `<(helm template …)`; undefined where it cannot be read. */
export async function readNamedFile(uri: string): Promise<string | undefined> {
  const bytes = await readFile(fileURLToPath(uri)).catch(() => undefined);
  return bytes === undefined ? undefined : fileText(bytes);
}
