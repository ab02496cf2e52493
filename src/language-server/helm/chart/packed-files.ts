/** The files of a packed chart, by their paths in it; the same objects as long as the archive is the same. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { type Failed, readPackedText } from "../archive/packed-chart.ts";
import type { ChartFile, Dependency, NamedFile } from "./chart.ts";

export function packedFiles(archive: ChartFile): readonly NamedFile[] | Failed {
  const known = read.get(archive);
  if (known !== undefined) return known;
  const packed = readPackedText(archive.text);
  const files =
    "failed" in packed ? packed : packed.map(([name, text]) => named(archive, name, text));
  if (!("failed" in files)) files.sort((a, b) => compareText(a.name, b.name));
  read.set(archive, files);
  return files;
}

const read = new WeakMap<ChartFile, readonly NamedFile[] | Failed>();

/** There is no file at this URI; it only serves as an identifier. */
function named({ uri }: ChartFile, name: string, text: string): NamedFile {
  return { name, file: { uri: `${uri}/${encodeURI(name)}`, text: text.replace(/^\ufeff/, "") } };
}

/** The archive of a dependency, `name-1.2.3.tgz`. */
export function archiveOf({ name }: Dependency, archives: readonly string[]): string | undefined {
  return archives.find(
    (archive) => archive.startsWith(`${name}-`) && /^v?\d/.test(archive.slice(name.length + 1)),
  );
}
