// `npm start`: makes sure that the packages are there, then shows the product at work on the examples.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { installPackages } from "./install.mjs";

installPackages();
const demonstration = join(import.meta.dirname, "start-demonstration.ts");
const child = spawn(
  process.execPath,
  ["--import", "tsx", demonstration, ...process.argv.slice(2)],
  { cwd: join(import.meta.dirname, ".."), stdio: "inherit" },
);
// Ctrl+C reaches both; the child ends what it has started, and this one waits for it.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (status) => {
  process.exitCode = status ?? 1;
});
