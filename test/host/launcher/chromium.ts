/** Starts a headless Chromium that can reach only this machine. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places: readonly string[] = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

function findChromium(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  return named !== undefined ? named : places.find((place) => existsSync(place));
}

/** Returns the browser's path. Installs Debian's package if there is no browser; throws if that fails. */
export function installChromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  console.log("Installing Debian's chromium for the tests …");
  const elevate = process.getuid?.() === 0 ? [] : ["sudo", "--non-interactive"];
  const run = (...command: readonly string[]): boolean => {
    const [program = "", ...rest] = [...elevate, ...command];
    const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    return spawnSync(program, rest, { stdio: "ignore", env: environment }).status === 0;
  };
  const install = ["apt-get", "install", "-y", "--no-install-recommends", "chromium"];
  if (!run(...install)) {
    run("apt-get", "update");
    run(...install);
  }
  const installed = findChromium();
  if (installed !== undefined) return installed;
  throw new Error(
    "These tests need Chromium: install it with `apt-get install chromium`, or name one in CHROMIUM_PATH.",
  );
}

export function launchChromium(debuggingPort?: string): Promise<Browser> {
  return chromium.launch({
    executablePath: installChromium(),
    headless: true,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-dev-shm-usage",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
      ...(debuggingPort === undefined ? [] : [`--remote-debugging-port=${debuggingPort}`]),
    ],
  });
}
