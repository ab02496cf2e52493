/** The files of the examples, and a service that has loaded some. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createLanguageService, type LanguageService } from "../../src/language-server/service.ts";
import { memoryFileSystem, memoryFolder } from "./memory-workspace.ts";

const examples: string = join(import.meta.dirname, "..", "..", "examples");

export const exampleNames: readonly string[] = readdirSync(examples).filter((name) =>
  statSync(join(examples, name)).isDirectory(),
);

/** The texts of an example's files, by their path in the example's folder. */
export function exampleFiles(example: string): ReadonlyMap<string, string> {
  const folder = join(examples, example);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll("\\", "/"));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

export async function serviceWith(files: ReadonlyMap<string, string>): Promise<LanguageService> {
  const pause = (): Promise<void> => Promise.resolve();
  const service = createLanguageService({ fileSystem: memoryFileSystem(files), pause });
  await service.loadFolders([memoryFolder]);
  return service;
}
