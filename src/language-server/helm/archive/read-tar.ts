/**
 * Reads the files of a tar archive: ustar, with long names and attributes of pax and GNU. Upstream: Go, archive/tar/reader.go.
 * Not read: sparse files, and sizes that are not octal, which only gigabyte-sized files have.
 */
import type { Failed } from "./packed-chart.ts";

export interface TarFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const blockSize = 512;

/** Folders, links and devices are skipped. Each file is a view of the archive's bytes. */
export function readTar(archive: Uint8Array): readonly TarFile[] | Failed {
  const files: TarFile[] = [];
  let longName: string | undefined;
  for (let at = 0; at < archive.length; ) {
    const header = archive.subarray(at, at + blockSize);
    if (header.every((byte) => byte === 0) && header.length === blockSize) return files;
    if (header.length < blockSize) return { failed: "unexpected EOF" };
    const size = numberAt(header, 124, 12);
    if (size === undefined || !hasItsSum(header))
      return { failed: "archive/tar: invalid tar header" };
    const end = at + blockSize + size;
    if (end > archive.length) return { failed: "unexpected EOF" };
    const bytes = archive.subarray(at + blockSize, end);
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === "x") longName = paxPath(bytes) ?? longName;
    else if (type === "L") longName = textAt(bytes, 0, bytes.length);
    else {
      const name = longName ?? nameIn(header);
      longName = undefined;
      if (isFile(type, name)) files.push({ name, bytes });
    }
    at = end + ((blockSize - (size % blockSize)) % blockSize);
  }
  return files;
}

/** Old archives have no type; in these a trailing slash marks a folder. */
function isFile(type: string, name: string): boolean {
  return (type === "0" || type === "\0" || type === "7") && !name.endsWith("/");
}

function nameIn(header: Uint8Array): string {
  const name = textAt(header, 0, 100);
  const isUstar = textAt(header, 257, 5) === "ustar" && header[262] === 0;
  const prefix = isUstar ? textAt(header, 345, 155) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** Records are `21 path=some/file.yaml`, preceded by the length of the whole line. Undefined if none has a path. */
function paxPath(bytes: Uint8Array): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < bytes.length; ) {
    const length = Number(/^\d+(?= )/.exec(textAt(bytes, at, 12))?.[0] ?? 0);
    if (length === 0) return path;
    const record = textAt(bytes, at, length);
    path = /^\d+ path=(.+)\n$/s.exec(record)?.[1] ?? path;
    at += length;
  }
  return path;
}

/** Text up to the first NUL. */
function textAt(bytes: Uint8Array, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return decoder.decode(end < 0 ? field : field.subarray(0, end));
}

const decoder = new TextDecoder();

/** Reads an octal number; undefined if it is not one. */
function numberAt(header: Uint8Array, start: number, length: number): number | undefined {
  const text = textAt(header, start, length).trim();
  return /^[0-7]*$/.test(text) ? Number.parseInt(text || "0", 8) : undefined;
}

/** Verifies the checksum: the sum of all bytes, with spaces in place of the checksum itself. */
function hasItsSum(header: Uint8Array): boolean {
  const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  return sum === numberAt(header, 148, 8);
}
