/**
 * Predicts when a container ends by itself. Images are not run, so the pod has to tell:
 * - The environment variable `FAKE_EXIT=code@seconds` decides.
 * - Otherwise the sleeps in a command (as sleep(1) reads them) and `exit N` are believed.
 * - Otherwise an init container ends at once, and so does a container with a command if it is not always restarted.
 * - All others run until they are stopped, as do commands that wait forever.
 * Commands are assumed to succeed, so an exit in a branch or behind `||` is not reached; the binder's own recycler pods have
 * one. A container that is always restarted and does more after its sleep than print or touch a file is taken for a server that
 * starts late. The recordings' runtime (`isRecorder`) is less careful: the first exit counts wherever it is, and whatever is
 * not always restarted ends.
 */
import { isSidecar } from "../api/pod-containers.ts";
import type { Container, Pod } from "../api/types.ts";

export interface PlannedExit {
  readonly code: number;
  readonly afterMs: number;
}

const shortTaskMs = 300;

/** Returns undefined for a container that runs until it is stopped. */
export function plannedExit(
  pod: Pod,
  container: Container,
  isInit: boolean,
  isRecorder = false,
): PlannedExit | undefined {
  const fake = container.env?.find((e) => e.name === "FAKE_EXIT")?.value;
  const match = fake === undefined ? null : /^(\d+)@(\d+(?:\.\d+)?)s?$/.exec(fake);
  if (match !== null) return { code: Number(match[1]), afterMs: Number(match[2]) * 1000 };
  const runsOn = isInit
    ? isSidecar(container)
    : (container.restartPolicy ?? pod.spec.restartPolicy) === "Always";
  const command = [...(container.command ?? []), ...(container.args ?? [])].join(" ");
  // The image's own command runs.
  if (command === "") return isInit && !runsOn ? { code: 0, afterMs: shortTaskMs } : undefined;
  if (runsOn && looksLikeServer(command)) return undefined;
  if (!isRecorder && (waitsForEver(command) || waitsForInput(container, command))) return undefined;
  const sleptMs = sleepMs(command);
  const reached = isRecorder ? command : withoutBranches(command);
  if (runsOn && !isRecorder && !endsByItself(reached)) return undefined;
  const code = /\bexit\s+(\d+)/.exec(reached)?.[1];
  if (sleptMs !== undefined || code !== undefined) {
    return { code: Number(code ?? 0), afterMs: sleptMs ?? shortTaskMs };
  }
  return runsOn ? undefined : { code: 0, afterMs: shortTaskMs };
}

const unitMs: Readonly<Record<string, number>> = {
  "": 1000,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const shells = /^(?:\S*\/)?(?:ba|da|a|k|z)?sh\b/;
const plainPrograms = /^(?:exec\s+)?(?:\S*\/)?(?:sleep|tail|cat|dd|fallocate|head)\b/;

/**
 * True if the container's program ignores SIGTERM. The first process of a container only gets signals that it has a handler
 * for, which shells without a trap and such plain programs lack. But a shell may exec its last command, and other programs may
 * have a handler.
 */
export function ignoresSignal({ spec }: Pod, { command = [], args = [] }: Container): boolean {
  const isFirst = spec.shareProcessNamespace !== true && spec.hostPID !== true;
  const text = [...command, ...args].join(" ");
  if (!isFirst || /\btrap\b/.test(text)) return false;
  if (!shells.test(text)) return plainPrograms.test(text);
  const last = lastCommand(text) ?? "";
  return plainPrograms.test(last) || endsByItself(text) || last === "done";
}

/** Returns how long a hook with this command runs: as long as it sleeps, or infinitely if it waits forever. */
export function plannedHookMs(command: string): number {
  return waitsForEver(command) ? Number.POSITIVE_INFINITY : (sleepMs(command) ?? 0);
}

/** Returns the total time that a command sleeps; undefined if it does not sleep. */
function sleepMs(command: string): number | undefined {
  const sleeps = [...command.matchAll(/\bsleep((?:\s+\d+(?:\.\d+)?[smhd]?(?![\w.]))+)/g)];
  if (sleeps.length === 0) return undefined;
  const numbers = sleeps.flatMap(([, times = ""]) => [...times.matchAll(/([\d.]+)([smhd]?)/g)]);
  return numbers.reduce((sum, [, n, unit = ""]) => sum + Number(n) * (unitMs[unit] ?? 0), 0);
}

/** Loops and followers: a sleep inside does not end the command. */
function looksLikeServer(command: string): boolean {
  return /\b(while|until|for)\b|\btail\s+-[fF]\b|\binfinity\b/.test(command);
}

/** Loops whose condition always holds: a true word, a non-empty text in brackets, or a sleep. */
const endless =
  /\bwhile\s*(?:true\b|:|1\b|\[\[?\s+(?:true|1)\s+\]|\(\(?\s*\$?(?:true|1)\s*\)|sleep\s+[\d.]+[smhd]?\s*[;\n])|\buntil\s+false\b/i;

/** True for endless loops without a way out, whatever comes before them, and for followers. */
function waitsForEver(command: string): boolean {
  if (/\btail\s+-[fF]\b|\bsleep\s+inf(inity)?\b/.test(command)) return true;
  const loop = command.search(endless);
  return loop >= 0 && !/\b(break|exit|return)\b/.test(command.slice(loop));
}

/** True for a shell without a script, or `cat`, with an open stdin. */
function waitsForInput({ stdin, tty }: Container, command: string): boolean {
  const reads = /^(?:\S*\/)?(?:(?:a|ba|da|k|z)?sh(?:\s+-[il]+)?|cat)$/.test(command);
  return reads && (stdin === true || tty === true);
}

/** True if the last command is one that ends. */
function endsByItself(command: string): boolean {
  const last = lastCommand(command);
  return last !== undefined && /^(sleep|exit|true|echo|printf|date|ls|cat|touch|sync)\b/.test(last);
}

/** Returns the last command of a shell script. */
function lastCommand(command: string): string | undefined {
  const script = command.replace(/^.*?\s-\w*c\s+/s, "");
  const parts = script.split(/&&|\|\||[;|\n]/).map((part) => part.trim());
  return parts.findLast((part) => part !== "");
}

/**
 * Removes branches, because it is unknown which one is taken. Each kind is removed separately, so that a long command is
 * scanned once per kind.
 */
function withoutBranches(command: string): string {
  let left = command;
  left = withoutBetween(left, /\bif\b/, /\bfi\b/g);
  left = withoutBetween(left, /\bcase\b/, /\besac\b/g);
  left = left.replaceAll(/\btrap\s+(?:'[^']*'|"[^"]*")|\|\|\s*exit\s+\d+/g, "");
  left = withoutClosed(left, "}", /\|\|\s*\{[^}]*\}/g);
  return withoutClosed(left, ")", /\|\|\s*\([^)]*\)/g);
}

/** Removes everything from the first begin to the last end, so nested branches go too. */
function withoutBetween(command: string, begin: RegExp, end: RegExp): string {
  const start = command.search(begin);
  const last = [...command.matchAll(end)].at(-1);
  if (start < 0 || last === undefined || last.index < start) return command;
  return command.slice(0, start) + command.slice(last.index + last[0].length);
}

/** Searches only up to the last closing bracket, which bounds the time that the pattern takes. */
function withoutClosed(command: string, bracket: string, pattern: RegExp): string {
  const end = command.lastIndexOf(bracket) + 1;
  return command.slice(0, end).replaceAll(pattern, "") + command.slice(end);
}
