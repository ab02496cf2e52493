/** Charts as `helm package` packs them, for tests. */
import { gzipSync } from "node:zlib";

export interface TarEntry {
  readonly name: string;
  readonly data: string | Uint8Array;
  /** The type flag; `0`, a file, if absent. */
  readonly type?: string;
}

/** Packs files, given by their names in the archive. */
export function packed(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return gzipSync(tarOf(Object.entries(files).map(([name, data]) => ({ name, data }))));
}

export function tarOf(entries: readonly TarEntry[]): Uint8Array {
  return Buffer.concat([...entries.map(blocksOf), Buffer.alloc(1024)]);
}

function blocksOf({ name, data, type = "0" }: TarEntry): Buffer {
  const bytes = Buffer.from(data);
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write("0000644\0", 100);
  header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
