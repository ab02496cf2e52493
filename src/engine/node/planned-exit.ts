/**
 * When a container ends by itself. Images are not run, so the pod has to say it: the environment variable
 * `FAKE_EXIT=code@seconds` decides; what a command sleeps, as sleep(1) reads it, and `exit N` are believed; an init container,
 * and a container with a command that is not always restarted, is otherwise done at once. All others run until they are
 * stopped, as do commands that wait forever. What a command does is taken to succeed, so an exit in a branch or behind `||`
 * is not reached: the binder's own recycler pods have one. The recordings' runtime (`isRecorder`) is less careful: the first
 * exit counts wherever it stands, and what is not always restarted ends. Who is always restarted and does more after its sleep
 * than a word or a file is taken for a server that started late.
 */
import { isSidecar } from "../api/pod-containers.ts";
import type { Container, Pod } from "../api/types.ts";

export interface PlannedExit {
  readonly code: number;
  readonly afterMs: number;
}

const shortTaskMs = 300;

/** Undefined for a container that runs until it is stopped. */
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
  // The image's own.
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
 * Does the container's program leave the signal to end unanswered? The first process of a container hears only what it has
 * asked for, which shells without a trap and such programs have not. A shell may give its place to its last command, though, and
 * of any other program nobody knows what it asks for.
 */
export function ignoresSignal({ spec }: Pod, { command = [], args = [] }: Container): boolean {
  const isFirst = spec.shareProcessNamespace !== true && spec.hostPID !== true;
  const text = [...command, ...args].join(" ");
  if (!isFirst || /\btrap\b/.test(text)) return false;
  if (!shells.test(text)) return plainPrograms.test(text);
  const last = lastCommand(text) ?? "";
  return plainPrograms.test(last) || endsByItself(text) || last === "done";
}

/** How long a hook runs that is such a command: as long as it sleeps, without end where it waits forever. */
export function plannedHookMs(command: string): number {
  return waitsForEver(command) ? Number.POSITIVE_INFINITY : (sleepMs(command) ?? 0);
}

/** All that a command sleeps; undefined where it does not. */
function sleepMs(command: string): number | undefined {
  const sleeps = [...command.matchAll(/\bsleep((?:\s+\d+(?:\.\d+)?[smhd]?(?![\w.]))+)/g)];
  if (sleeps.length === 0) return undefined;
  const numbers = sleeps.flatMap(([, times = ""]) => [...times.matchAll(/([\d.]+)([smhd]?)/g)]);
  return numbers.reduce((sum, [, n, unit = ""]) => sum + Number(n) * (unitMs[unit] ?? 0), 0);
}

/** Loops and followers: what sleeps in there does not end with the sleep. */
function looksLikeServer(command: string): boolean {
  return /\b(while|until|for)\b|\btail\s+-[fF]\b|\binfinity\b/.test(command);
}

/** Conditions that always hold: a true word, a text in brackets, which is true unless it is empty, and a sleep. */
const endless =
  /\bwhile\s*(?:true\b|:|1\b|\[\[?\s+(?:true|1)\s+\]|\(\(?\s*\$?(?:true|1)\s*\)|sleep\s+[\d.]+[smhd]?\s*[;\n])|\buntil\s+false\b/i;

/** Loops without a condition or a way out, whatever stands before them, and followers. */
function waitsForEver(command: string): boolean {
  if (/\btail\s+-[fF]\b|\bsleep\s+inf(inity)?\b/.test(command)) return true;
  const loop = command.search(endless);
  return loop >= 0 && !/\b(break|exit|return)\b/.test(command.slice(loop));
}

/** A shell without a script, or `cat`, where somebody could type. */
function waitsForInput({ stdin, tty }: Container, command: string): boolean {
  const reads = /^(?:\S*\/)?(?:(?:a|ba|da|k|z)?sh(?:\s+-[il]+)?|cat)$/.test(command);
  return reads && (stdin === true || tty === true);
}

/** Is the last command one that ends? */
function endsByItself(command: string): boolean {
  const last = lastCommand(command);
  return last !== undefined && /^(sleep|exit|true|echo|printf|date|ls|cat|touch|sync)\b/.test(last);
}

/** Of a shell's script. */
function lastCommand(command: string): string | undefined {
  const script = command.replace(/^.*?\s-\w*c\s+/s, "");
  const parts = script.split(/&&|\|\||[;|\n]/).map((part) => part.trim());
  return parts.findLast((part) => part !== "");
}

/** Of branches nobody knows which is taken. Each kind by itself, so that a long command is looked through once for each. */
function withoutBranches(command: string): string {
  let left = command;
  left = withoutBetween(left, /\bif\b/, /\bfi\b/g);
  left = withoutBetween(left, /\bcase\b/, /\besac\b/g);
  left = left.replaceAll(/\btrap\s+(?:'[^']*'|"[^"]*")|\|\|\s*exit\s+\d+/g, "");
  left = withoutClosed(left, "}", /\|\|\s*\{[^}]*\}/g);
  return withoutClosed(left, ")", /\|\|\s*\([^)]*\)/g);
}

/** Up to the last end: of one in another both go. */
function withoutBetween(command: string, begin: RegExp, end: RegExp): string {
  const start = command.search(begin);
  const last = [...command.matchAll(end)].at(-1);
  if (start < 0 || last === undefined || last.index < start) return command;
  return command.slice(0, start) + command.slice(last.index + last[0].length);
}

/** Behind the last closing bracket nothing is looked for. */
function withoutClosed(command: string, bracket: string, pattern: RegExp): string {
  const end = command.lastIndexOf(bracket) + 1;
  return command.slice(0, end).replaceAll(pattern, "") + command.slice(end);
}
