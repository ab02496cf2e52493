/** Installs the extension in an editor as users do: packaged, then installed from its .vsix. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Host } from "./install.ts";
import { runServerCli } from "./server.ts";

const root: string = join(import.meta.dirname, "..", "..");

/** Packages the contents of dist/. The package stays beside the extensions' folder. */
export function installExtension(host: Host, extensionsDir: string): void {
  mkdirSync(extensionsDir, { recursive: true });
  const extension = `${extensionsDir}.vsix`;
  const vsce = join(root, "node_modules", ".bin", "vsce");
  const parameters = ["package", "--no-dependencies", "-o", extension];
  execFileSync(vsce, parameters, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  runServerCli(host, ["--install-extension", extension], { extensionsDir });
}
