// `npm test`: installs the packages if needed, then runs all checks.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { installPackages } from "./install.mjs";

installPackages();
const everything = join(import.meta.dirname, "test-everything.ts");
const { status } = spawnSync(process.execPath, ["--import", "tsx", everything], {
  cwd: join(import.meta.dirname, ".."),
  stdio: "inherit",
});
process.exitCode = status ?? 1;
