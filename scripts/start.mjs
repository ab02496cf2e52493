// `npm start`: installs the packages if needed, then shows the product on the examples.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { installPackages } from "./install.mjs";

const unknown = process.argv.slice(2).find((switchName) => switchName !== "--cli-only");
if (unknown !== undefined) {
  const isHelp = unknown === "--help" || unknown === "-h";
  const usage = `npm start                opens a VS Code on the examples, and prints a prediction of one of them
npm start -- --cli-only  prints the prediction alone\n`;
  if (isHelp) process.stdout.write(usage);
  else process.stderr.write(`npm start does not know ${unknown}\n\n${usage}`);
  process.exit(isHelp ? 0 : 2);
}
installPackages();
const demonstration = join(import.meta.dirname, "start-demonstration.ts");
const child = spawn(
  process.execPath,
  ["--import", "tsx", demonstration, ...process.argv.slice(2)],
  { cwd: join(import.meta.dirname, ".."), stdio: "inherit" },
);
// Ctrl+C reaches both processes; the child ends what it started, and this one waits for it.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
// A signal sent only to npm ends npm and its shell, but not this process: end the child once our parent is gone.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  child.kill("SIGTERM");
}, 1000);
watch.unref();
child.on("exit", (status) => {
  process.exitCode = status ?? 1;
});
