/** Parses and checks the command line. */
import { parseArgs } from "node:util";
import { profileNames } from "../engine/profiles/assume-cluster.ts";
import {
  type KubernetesVersion,
  kubernetesVersionOf,
  kubernetesVersions,
} from "../engine/scenario.ts";
import { setKinds } from "../language-server/helm/chart/set-values.ts";
import { asking, nearestName } from "../language-server/nearest-name.ts";
import type { ChartOptions } from "./chart-files.ts";
import { inputName } from "./load-paths.ts";
import { objectIn } from "./told-objects.ts";

export type CommandName = "check" | "predict" | "simulate" | "explain" | "test";
export type FailOn = "error" | "warning" | "information" | "never";

export interface Options extends ChartOptions {
  readonly command: CommandName;
  readonly paths: readonly string[];
  /** `sarif`, `github` and `gitlab` go with `check`, `junit` with `test`, which has no `json`. */
  readonly output: "text" | "json" | "sarif" | "github" | "gitlab" | "junit";
  readonly failOn: FailOn;
  readonly profile?: string;
  /** Files with the objects of a running cluster, `-` for standard input. */
  readonly cluster?: readonly string[];
  readonly kubernetesVersion?: KubernetesVersion;
  /** Only this object, as `KIND/NAME` or `KIND/NAMESPACE/NAME`. */
  readonly object?: string;
  /** The only namespace to print. */
  readonly namespace?: string | undefined;
  /** Text with events to explain, or `-` for standard input. */
  readonly event?: string;
}

/** True if the command line starts the language server, which reads the other arguments itself. */
export function isServerCommand(argv: readonly string[]): boolean {
  const isOther = ["--help", "-h", "--version"].some((option) => argv.includes(option));
  return argv[0] === "lsp" && !isOther && wrongForServer(argv) === undefined;
}

export type ParsedOptions =
  | { readonly type: "run"; readonly options: Options }
  | { readonly type: "help" }
  | { readonly type: "version" }
  | { readonly type: "usage"; readonly message: string };

const commands: readonly CommandName[] = ["check", "predict", "simulate", "explain", "test"];
const failOns: readonly FailOn[] = ["error", "warning", "information", "never"];

export const help: string = `Claimcheck tells you what Kubernetes will do with storage manifests before you apply them.

Usage: claimcheck COMMAND PATH… [OPTIONS]

PATH is a file, a folder, a glob pattern, or - for standard input. All paths together are one cluster;
a folder with a claimcheck.yaml is a cluster of its own.

Commands:
  check      print all findings, as an editor would underline them
  predict    print what happens to volumes, claims, pods and workloads, and why some fail or wait
  simulate   print the same, all events in order, and what a login to each node would show
  explain    print, for each claim, volume and pod, the chain from the symptom to its cause
  test       run the scenarios (*.scenario.yaml) and print each expectation that was not met
  lsp        start the language server on standard input and output (--stdio)

Options:
  --profile NAME               the cluster to assume: ${profileNames.slice(0, 5).join(", ")},
                               ${profileNames.slice(5).join(", ")}
  --cluster FILE               the objects of a running cluster, as kubectl get … -A -o yaml prints them: a file,
                               a folder of such files, or - for standard input; may be repeated
  --kubernetes-version VERSION ${kubernetesVersions.join(", ")} (default: as claimcheck.yaml says, else the newest)
  -f, --values FILE            values for charts, as for helm template; may be repeated
  --set NAME=VALUE             a value for charts; also --set-string (always a string), --set-json (JSON),
                               --set-file (the contents of a file) and --set-literal (the text as it is);
                               may be repeated
  --object KIND/[NAMESPACE/]NAME
                               explain only this object, of the files or of --cluster (PATH may be left out with
                               --cluster)
  -n, --namespace NAMESPACE    show only objects in this namespace and objects without one; everything is still
                               judged (objects that name no namespace are in default)
  --event TEXT                 explain what an event or the output of kubectl describe means; - for standard input
                               (PATH may be left out)
  -o, --output text|json|sarif|github|gitlab|junit
                               json follows schemas/report.schema.json; sarif, github (annotations of changed lines)
                               and gitlab (code quality) are for check, junit is for test
  --fail-on SEVERITY           exit with 1 from this severity on: error (default), warning, information, never
  -h, --help
  --version

Options take precedence over claimcheck.yaml.

Exit codes: 0 no errors, 1 at least one error (see --fail-on) or failed scenario, 2 wrong usage,
3 a limit was reached or Claimcheck itself failed.
`;

export function parseOptions(argv: readonly string[]): ParsedOptions {
  const wrongServer = argv[0] === "lsp" ? wrongForServer(argv) : undefined;
  if (wrongServer !== undefined) return usage(wrongServer);
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(argv);
  } catch (error) {
    return usage(wrongOption(error, optionTypes));
  }
  const { values, positionals } = parsed;
  const [name, ...paths] = positionals;
  if (values.help === true || name === "help") return { type: "help" };
  if (values.version === true) return { type: "version" };
  const command = commands.find((known) => known === name);
  if (name === undefined) return usage("no command given");
  if (command === undefined) return usage(noCommand(name));
  const { profile, object, event, cluster, namespace } = values;
  const wrongPath = wrongPaths(paths, values);
  if (wrongPath !== undefined) return usage(wrongPath);
  const outputs = outputsOf(command);
  const output = outputs.find((known) => known === values.output);
  if (output === undefined) return usage(isOneOf(`--output of ${command}`, outputs, values.output));
  const failOn = failOns.find((known) => known === values["fail-on"]);
  if (failOn === undefined) return usage(isOneOf("--fail-on", failOns, values["fail-on"]));
  const wrong = wrongUse(command, output, values);
  if (wrong !== undefined) return usage(wrong);
  const inputs = [...paths, ...(cluster ?? []), event].filter((given) => given === inputName);
  if (inputs.length > 1) return usage("standard input can be read for one thing only");
  if (profile !== undefined && !profileNames.includes(profile)) {
    return usage(isOneOf("--profile", profileNames, profile));
  }
  const wanted = values["kubernetes-version"];
  const version = kubernetesVersionOf(wanted ?? "");
  if (wanted !== undefined && version === undefined) {
    return usage(isOneOf("--kubernetes-version", kubernetesVersions, wanted));
  }
  const options: Options = {
    command,
    paths,
    output,
    failOn,
    ...chartOptions(values),
    ...(profile !== undefined && { profile }),
    ...(cluster !== undefined && { cluster }),
    ...(version !== undefined && { kubernetesVersion: version }),
    ...(object !== undefined && { object: objectIn(object, namespace) }),
    namespace,
    ...(event !== undefined && { event }),
  };
  return { type: "run", options };
}

function chartOptions(given: ReturnType<typeof parse>["values"]): ChartOptions {
  const lines = setKinds.flatMap((type) => (given[type] ?? []).map((line) => ({ type, line })));
  return { values: given.values ?? [], lines };
}

function wrongPaths(
  paths: readonly string[],
  values: ReturnType<typeof parse>["values"],
): string | undefined {
  if (paths.length === 0 && needsPath(values)) return "no path given";
  // Most likely an unset variable in a script; the current folder is `.`.
  if (paths.includes("")) return "a path is empty";
  if (values.cluster?.includes("") === true) return "--cluster is empty";
  return values.namespace === "" ? "--namespace is empty" : undefined;
}

/** An event, or an object of `--cluster`, can be explained without files. */
function needsPath({ event, object, cluster }: ReturnType<typeof parse>["values"]): boolean {
  return event === undefined && (object === undefined || cluster === undefined);
}

function outputsOf(command: CommandName): readonly Options["output"][] {
  if (command === "test") return ["text", "junit"];
  return command === "check" ? ["text", "json", "sarif", "github", "gitlab"] : ["text", "json"];
}

function isOneOf(option: string, known: readonly string[], given: string): string {
  return `${option} must be one of ${known.join(", ")}, not “${given}”`;
}

function wrongForServer(argv: readonly string[]): string | undefined {
  try {
    const options = serverOptionTypes;
    const { positionals } = parseArgs({ args: [...argv], allowPositionals: true, options });
    return positionals.length > 1 ? "lsp takes no path" : undefined;
  } catch (error) {
    return wrongOption(error, serverOptionTypes);
  }
}

/** Node's message in our style, without its advice on file names that begin like an option. */
function wrongOption(error: unknown, known: object): string {
  const [message = ""] = (error instanceof Error ? error.message : String(error)).split(/\.\s/);
  const [, name] = /^Unknown option '--([^']+)'$/.exec(message) ?? [];
  const near = name === undefined ? undefined : nearestName(name, Object.keys(known));
  const told = message.charAt(0).toLowerCase() + message.slice(1).replace(/'([^']*)'/g, "“$1”");
  return asking(told, near === undefined ? undefined : `--${near}`);
}

function noCommand(name: string): string {
  if (name === "lsp") return "lsp comes before its options";
  return asking(`unknown command “${name}”`, nearestName(name, [...commands, "lsp"], 1));
}

/** What is wrong with options that go with one command only; undefined if nothing is. */
function wrongUse(
  command: CommandName,
  output: Options["output"],
  { object, event, namespace }: ReturnType<typeof parse>["values"],
): string | undefined {
  if (namespace !== undefined) {
    if (command === "test") return "--namespace does not go with test";
    if (event !== undefined) return "--namespace does not go with --event";
    const [, named, name] = object?.split("/") ?? [];
    if (name !== undefined && named !== namespace)
      return `--object is in namespace ${named}, and --namespace is ${namespace}`;
  }
  if (command !== "explain") {
    if (object !== undefined) return "--object goes with explain";
    return event === undefined ? undefined : "--event goes with explain";
  }
  return event !== undefined && output === "json" ? "--event prints text only" : undefined;
}

const optionTypes = {
  profile: { type: "string" },
  cluster: { type: "string", multiple: true },
  "kubernetes-version": { type: "string" },
  values: { type: "string", short: "f", multiple: true },
  set: { type: "string", multiple: true },
  "set-string": { type: "string", multiple: true },
  "set-json": { type: "string", multiple: true },
  "set-file": { type: "string", multiple: true },
  "set-literal": { type: "string", multiple: true },
  object: { type: "string" },
  namespace: { type: "string", short: "n" },
  event: { type: "string" },
  output: { type: "string", short: "o", default: "text" },
  "fail-on": { type: "string", default: "error" },
  stdio: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

/** Options that editors pass to a language server, which the protocol's library reads. */
const serverOptionTypes = {
  stdio: { type: "boolean" },
  "node-ipc": { type: "boolean" },
  socket: { type: "string" },
  pipe: { type: "string" },
  clientProcessId: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], allowPositionals: true, options: optionTypes });
}

function usage(message: string): ParsedOptions {
  return { type: "usage", message };
}
