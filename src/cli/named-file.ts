/** Reads files that the command line names. */
import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { fileText } from "../language-server/workspace/files/file-text.ts";

/** More than kubectl prints for a large cluster; a limit, as devices have no end. */
const sizeMax = 400 * 1024 * 1024;

/** Reads a file, or a pipe as shells make of `<(helm template …)`; undefined if it cannot be read, or is too large. */
export async function readNamedFile(uri: string): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of createReadStream(fileURLToPath(uri)) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > sizeMax) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return fileText(Buffer.concat(chunks));
}
