/** Where files come from. The disk in Node, memory in a browser and in tests. */
import { packedText } from "../../helm/archive/packed-chart.ts";
import { unpackChart } from "../../helm/archive/unpack-chart.ts";
import { isOfChart, isPackedChart } from "../helm/chart-folders.ts";
import { isKustomization } from "../kustomize.ts";
import { fileText } from "./file-text.ts";
import { baseName } from "./uri.ts";

/** A file that holds, or may hold, manifests, or that they are made of; `skipped` says why it is not read. */
export interface FoundFile {
  readonly uri: string;
  /** Of a link, the file that it leads to. */
  readonly linkTo?: string;
  readonly skipped?: string;
}

export interface FileSystem {
  /**
   * All manifest files below a folder, in code unit order of their URIs; none where the folder cannot be read. Links that lead
   * out of all of `within`, which is the folder where absent, are skipped. With packed charts, ignored or not: nobody
   * keeps what `helm dependency build` makes in version control.
   */
  listFiles(folder: string, within?: readonly string[]): Promise<readonly FoundFile[]>;
  /** Of a packed chart what it holds. Undefined where the file is gone, cannot be read, or has no end: a device or a pipe. */
  readFile(uri: string): Promise<string | undefined>;
  /**
   * The file that links on the way to a file lead to, as it is called below one of the folders; undefined outside of all of
   * them. It need not be there. Absent where there are no links.
   */
  linkTarget?(uri: string, folders: readonly string[]): Promise<string | undefined>;
  /**
   * Manifests of the last commit below a folder; the text is undefined where the disk holds the same. Absent where there is
   * no version control to ask.
   */
  committedFiles?(folder: string): Promise<ReadonlyMap<string, string | undefined>>;
  /** The one spelling of a URI that two names of the same file share. */
  canonicalUri(uri: string): string;
}

/** Bytes; a larger file is named in the diagnostics and not read. */
export const fileSizeMax: number = 16 * 1024 * 1024;
export const tooLarge: string = `This file is larger than ${fileSizeMax / 1024 / 1024} MiB and is not read`;
export const linkOutside: string =
  "This file is a link that leads out of the folder, and is not read";
/** Behind the file's name. */
export const linkNotWritten: string = "is a link that leads out of the folder, and is not written";
export const fileCountMax = 50_000;

/** A file whatever its size, as far as links lead to others, which are skipped outside of all of the folders. */
export async function foundAt(
  uri: string,
  folders: readonly string[],
  { linkTarget }: Pick<FileSystem, "linkTarget">,
): Promise<FoundFile> {
  const target = linkTarget === undefined ? uri : await linkTarget(uri, folders);
  if (target === undefined) return { uri, skipped: linkOutside };
  return target === uri ? { uri } : { uri, linkTo: target };
}

/** Whether it is read: what may be a manifest by its name, and packed charts. */
export function isReadAt(uri: string): boolean {
  return isManifestName(baseName(uri)) || isPackedChart(uri);
}

/** The text of a file's bytes; of a packed chart, what it holds. */
export function textAt(uri: string, bytes: Uint8Array): string | Promise<string> {
  if (!isPackedChart(uri)) return fileText(bytes);
  if (bytes.length > fileSizeMax) return packedText({ failed: tooLarge });
  return unpackChart(bytes, fileText);
}

/** Manifests, and what kustomizations and charts make them of. */
export function isManifestName(name: string): boolean {
  return isYamlName(name) || isKustomization(name) || isOfChart(name);
}

function isYamlName(name: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(name) && !foreignJson.has(name);
}

/** JSON files that every other repository has and no cluster reads. */
const foreignJson: ReadonlySet<string> = new Set([
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "composer.json",
  ".eslintrc.json",
]);
