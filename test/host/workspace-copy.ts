/** The examples as a workspace of the tests' own: what they edit and save is never the project's. */
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
