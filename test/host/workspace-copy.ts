/** Copies the examples into a temporary workspace, so that tests never edit or save the project's files. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface WorkspaceCopy {
  readonly file: string;
  remove(): void;
}

export function copyExamples(): WorkspaceCopy {
  const folder = mkdtempSync(join(tmpdir(), "claimcheck-examples-"));
  cpSync(join(import.meta.dirname, "..", "..", "examples"), folder, { recursive: true });
  return {
    file: join(folder, "claimcheck.code-workspace"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
