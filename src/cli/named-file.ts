/** Files that a command names. */
import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { fileText } from "../language-server/workspace/files/file-text.ts";

/** More than what kubectl prints of a large cluster; devices have no end. */
const sizeMax = 400 * 1024 * 1024;

/** A pipe as well, which a shell makes of `<(helm template …)`; undefined where it cannot be read, or not as a whole. */
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
