/**
 * Unpacks a chart (`charts/db-1.2.3.tgz`) into the text that `packed-chart.ts` reads, including charts packed inside. An
 * archive may be designed to exhaust memory, so one that grows too large is discarded. Upstream:
 * pkg/chart/loader/archive/archive.go LoadArchiveFiles, which allows 100 MiB for a chart.
 */
import { type Failed, packedText } from "./packed-chart.ts";
import { readTar, type TarFile } from "./read-tar.ts";

const sizeMax = 16 * 1024 * 1024;
const tooLarge: Failed = {
  failed: `decompressed chart is larger than the maximum size ${sizeMax}`,
};
/** Escaping makes the text longer, once for each level of nesting. */
const textLengthMax = sizeMax;
const fileSizeMax = 5 * 1024 * 1024;
const fileCountMax = 20_000;
/** Levels of archives within archives; deeper ones are not read. */
const depthMax = 5;

/** What may still be unpacked, for all archives together. */
interface Budget {
  bytes: number;
  files: number;
}

/** `textOf` decodes a file's bytes. */
export async function unpackChart(
  archive: Uint8Array,
  textOf: (bytes: Uint8Array) => string,
): Promise<string> {
  const budget = { bytes: sizeMax, files: fileCountMax };
  return await unpackInside(archive, textOf, budget, 0);
}

async function unpackInside(
  archive: Uint8Array,
  textOf: (bytes: Uint8Array) => string,
  budget: Budget,
  depth: number,
): Promise<string> {
  if (depth > depthMax) return packedText({ failed: "charts are packed too deep in one another" });
  const unzipped = await gunzipped(archive, budget);
  const read = unzipped instanceof Uint8Array ? readTar(unzipped) : unzipped;
  const files = "failed" in read ? read : namedFiles(read, budget);
  if ("failed" in files) return packedText(files);
  const texts: [string, string][] = [];
  for (const { name, bytes } of files) {
    const isPacked = /^charts\/[^/]+\.tgz$/.test(name);
    const text = isPacked ? unpackInside(bytes, textOf, budget, depth + 1) : textOf(bytes);
    texts.push([name, await text]);
  }
  const whole = packedText(texts);
  return whole.length <= textLengthMax ? whole : packedText(tooLarge);
}

async function gunzipped(archive: Uint8Array, budget: Budget): Promise<Uint8Array | Failed> {
  if (archive.length === 0) return { failed: "EOF" };
  if (archive[0] !== 0x1f || archive[1] !== 0x8b) return { failed: "gzip: invalid header" };
  const chunks: Uint8Array[] = [];
  try {
    const unzipped = new Blob([new Uint8Array(archive)])
      .stream()
      .pipeThrough(new DecompressionStream("gzip"));
    for await (const chunk of unzipped) {
      budget.bytes -= chunk.length;
      if (budget.bytes < 0) return tooLarge;
      chunks.push(chunk);
    }
  } catch {
    return { failed: "unexpected EOF" }; // Truncated, or not an archive.
  }
  return joined(chunks);
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** The files with their paths below the chart's folder, which is the first part of each name. */
function namedFiles(files: readonly TarFile[], budget: Budget): readonly TarFile[] | Failed {
  const named: TarFile[] = [];
  for (const { name, bytes } of files) {
    const path = pathInChart(name);
    if (typeof path !== "string") return path;
    if (bytes.length > fileSizeMax)
      return {
        failed: `decompressed chart file "${name}" is larger than the maximum file size ${fileSizeMax}`,
      };
    if (budget.files-- <= 0) return { failed: `the chart has more than ${fileCountMax} files` };
    named.push({ name: path, bytes });
  }
  return named.length === 0 ? { failed: "no files in chart archive" } : named;
}

function pathInChart(name: string): string | Failed {
  const parts = name.split(name.includes("\\") ? "\\" : "/");
  const path = parts.slice(1).join("/");
  if (path.startsWith("/")) return { failed: "chart illegally contains absolute paths" };
  const clean = cleanPath(path);
  if (clean === ".")
    return { failed: `chart illegally contains content outside the base directory: "${name}"` };
  if (clean.startsWith("..")) return { failed: "chart illegally references parent directory" };
  if (/^[a-zA-Z]:\//.test(clean)) return { failed: "chart contains illegally named files" };
  if (parts[0] === "Chart.yaml") return { failed: "chart yaml not in base directory" };
  return clean;
}

/** `.` for an empty path. Upstream: Go, path.Clean. */
function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/"))
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return parts.join("/") || ".";
}
