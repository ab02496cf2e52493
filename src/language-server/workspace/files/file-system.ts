/** Where files come from: the disk in Node, memory in a browser and in tests. */
import { packedText } from "../../helm/archive/packed-chart.ts";
import { unpackChart } from "../../helm/archive/unpack-chart.ts";
import { isOfChart, isPackedChart } from "../helm/chart-folders.ts";
import { isKustomization } from "../kustomize.ts";
import { fileText } from "./file-text.ts";
import { baseName } from "./uri.ts";

/** A file with manifests, or from which manifests are made; `skipped` says why it is not read. */
export interface FoundFile {
  readonly uri: string;
  /** For a link, the file that it leads to. */
  readonly linkTo?: string;
  readonly skipped?: string;
}

export interface FileSystem {
  /**
   * All manifest files below a folder, sorted by URI in code unit order; empty if the folder cannot be read. Skips links that
   * lead outside all of `within` (by default the folder). Includes packed charts even if ignored: what `helm dependency build`
   * makes is rarely kept in version control.
   */
  listFiles(folder: string, within?: readonly string[]): Promise<readonly FoundFile[]>;
  /** For a packed chart, its contents as a text. Undefined if the file is gone, unreadable, or not a regular file. */
  readFile(uri: string): Promise<string | undefined>;
  /**
   * The file that links lead to, named below one of the folders; undefined if it is outside all of them. It need not exist.
   * Absent if there are no links.
   */
  linkTarget?(uri: string, folders: readonly string[]): Promise<string | undefined>;
  /**
   * Manifests of the last commit below a folder; the text is undefined if the file on disk is the same. Absent if there is no
   * version control.
   */
  committedFiles?(folder: string): Promise<ReadonlyMap<string, string | undefined>>;
  /** Maps all names of the same file to one spelling of its URI. */
  canonicalUri(uri: string): string;
}

/** In bytes; a larger file is reported and not read. */
export const fileSizeMax: number = 16 * 1024 * 1024;
export const tooLarge: string = `This file is larger than ${fileSizeMax / 1024 / 1024} MiB and is not read`;
export const linkOutside: string =
  "This file is a link that leads out of the folder, and is not read";
/** Completes a message that begins with the file's name. */
export const linkNotWritten: string = "is a link that leads out of the folder, and is not written";
export const fileCountMax = 50_000;

/** Resolves links; a file whose target is outside all folders is skipped. Ignores the file's size. */
export async function foundAt(
  uri: string,
  folders: readonly string[],
  { linkTarget }: Pick<FileSystem, "linkTarget">,
): Promise<FoundFile> {
  const target = linkTarget === undefined ? uri : await linkTarget(uri, folders);
  if (target === undefined) return { uri, skipped: linkOutside };
  return target === uri ? { uri } : { uri, linkTo: target };
}

/** True for packed charts and for names that manifests may have. */
export function isReadAt(uri: string): boolean {
  return isManifestName(baseName(uri)) || isPackedChart(uri);
}

/** The text of a file's bytes; for a packed chart, its contents. */
export function textAt(uri: string, bytes: Uint8Array): string | Promise<string> {
  if (!isPackedChart(uri)) return fileText(bytes);
  if (bytes.length > fileSizeMax) return packedText({ failed: tooLarge });
  return unpackChart(bytes, fileText);
}

/** Manifests, and the files that kustomizations and charts make them from. */
export function isManifestName(name: string): boolean {
  return isYamlName(name) || isKustomization(name) || isOfChart(name);
}

function isYamlName(name: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(name) && !foreignJson.has(name);
}

/** JSON files that are common in repositories and never manifests. */
const foreignJson: ReadonlySet<string> = new Set([
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "composer.json",
  ".eslintrc.json",
]);
