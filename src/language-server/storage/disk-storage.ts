/** A folder of the user in which the server keeps texts from one start to the next. */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { TextStorage } from "./text-storage.ts";

/** `program` is the running file: its digest keeps other builds from reading what this one has kept. */
export function diskStorage(folder: string, program: string): TextStorage {
  let ofProgram: string | undefined;
  const fileOf = (name: string): string => path.join(folder, `${name}.txt`);
  return {
    digest() {
      ofProgram ??= createHash("sha256").update(readFileSync(program)).digest("hex");
      const hash = createHash("sha256").update(ofProgram);
      return {
        add: (text) => {
          hash.update(`${text.length}:`).update(text);
        },
        end: () => hash.digest("hex"),
      };
    },
    async read(name) {
      try {
        return await readFile(fileOf(name), "utf8");
      } catch {
        return undefined;
      }
    },
    // Two windows may have the same folder open: renaming keeps one from reading a half-written file of the other.
    async write(name, text) {
      const made = `${fileOf(name)}.${randomUUID()}`;
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(made, text, { mode: 0o600 });
        await rename(made, fileOf(name));
      } catch {
        await rm(made, { force: true }).catch(() => undefined);
      }
    },
  };
}
