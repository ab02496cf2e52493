/** What the executable `code.mjs` does: takes desktop VS Code's arguments, runs the tests, ends with their status. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { hostVersions, installHost } from "../../../scripts/vscode/install.ts";
import { openWorkbench, type Workbench, type WorkbenchOptions } from "./workbench.ts";

// VS Code's own log lines arrive mixed with what the extension host prints. These are left out.
const noise =
  /^(Resolv(ing|ed) connection token|Creating a socket|\[reconnection-grace-time\]|Ignoring fetching additional builtin|\[Service Worker\] registration|\[AgentHost|\[AccountPolicyGate\]|Updating additional builtin|Timed out waiting for authentication provider|ChatSessionStore|Creation of workbench contribution|Canceled|Error: Could not locate the bindings file|Cannot find module '\.\/build\/Release\/watchdog')/;

const timeLimitMs = 600_000;

interface Result {
  readonly code: number;
  readonly reason?: string;
}

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: "string", multiple: true },
    extensionDevelopmentKind: { type: "string" },
    extensionTestsPath: { type: "string" },
    "extensions-dir": { type: "string" },
    "remote-debugging-port": { type: "string" },
    "user-data-dir": { type: "string" },
  },
});

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function optionsOf(mark: string): WorkbenchOptions {
  const kind = text(values["extensionDevelopmentKind"]);
  const tests = text(values["extensionTestsPath"]);
  const paths = values["extensionDevelopmentPath"];
  // The web worker host has neither require nor files, so it gets the test module itself.
  const wrapped = tests !== undefined && kind !== "web";
  return {
    target: positionals[0],
    extensionDevelopmentPaths: Array.isArray(paths) ? paths.map(String) : [],
    extensionDevelopmentKind: kind,
    extensionTestsPath: wrapped ? join(import.meta.dirname, "run-tests.cjs") : tests,
    ...(wrapped ? { environment: { TESTS_MODULE: resolve(tests), TESTS_MARK: mark } } : {}),
    userDataDir: text(values["user-data-dir"]),
    extensionsDir: text(values["extensions-dir"]),
    debuggingPort: text(values["remote-debugging-port"]),
    disableWorkspaceTrust: values["disable-workspace-trust"] === true,
    disableExtensions: values["disable-extensions"] === true,
    onLog: (type, parts) => {
      if (noise.test(String(parts[0]))) return;
      (type === "error" || type === "warn" ? console.error : console.log)(...parts);
    },
  };
}

async function run(): Promise<Result> {
  const version = hostVersions.find((known) => known === process.env["VSCODE_HOST"]) ?? "current";
  const folder = mkdtempSync(join(tmpdir(), "claimcheck-mark-"));
  const mark = join(folder, "done");
  const options = optionsOf(mark);
  let workbench: Workbench | undefined;
  try {
    const result = new Promise<Result>((report) => {
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
        process.on(signal, () => report({ code: 130, reason: `got ${signal}` }));
      }
      setTimeout(() => report({ code: 124, reason: "no result in time" }), timeLimitMs).unref();
      const onExit = (code: unknown): void => {
        // If the extension host dies or a test calls process.exit, the workbench reports 0 nevertheless.
        const unfinished = options.environment !== undefined && !existsSync(mark);
        if (code === 0 && unfinished) report({ code: 1, reason: "the tests did not end" });
        else report({ code: typeof code === "number" ? code : 1 });
      };
      openWorkbench(installHost(version), { ...options, onExit }).then(
        (opened) => {
          workbench = opened;
          void opened.gone.then((reason) => report({ code: 1, reason }));
        },
        (error: unknown) => report({ code: 1, reason: String(error) }),
      );
    });
    return await result;
  } finally {
    await workbench?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const { code, reason } = await run();
if (reason !== undefined) console.error(reason);
process.exit(code);
