/**
 * When a container ends by itself. Images are not run, so the pod has to say it: the environment variable
 * `FAKE_EXIT=code@seconds` decides; `sleep N` and `exit N` in the command are believed; an init container, and a container
 * with a command that is not always restarted, is otherwise done at once. All others run until they are stopped.
 * What a command does is taken to succeed, so `exit N` behind `||` is not reached: the binder's own recycler pods have one.
 * The recordings' runtime believes that too (`believesGuards`).
 */
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
  believesGuards = false,
): PlannedExit | undefined {
  const fake = container.env?.find((e) => e.name === "FAKE_EXIT")?.value;
  const match = /^(\d+)@(\d+(?:\.\d+)?)s?$/.exec(fake ?? "");
  if (match !== null) return { code: Number(match[1]), afterMs: Number(match[2]) * 1000 };
  const runsOn = isInit
    ? container.restartPolicy === "Always"
    : (container.restartPolicy ?? pod.spec.restartPolicy) === "Always";
  const command = [...(container.command ?? []), ...(container.args ?? [])].join(" ");
  if (runsOn && neverEnds(command)) return undefined;
  const slept = /\bsleep\s+(\d+(?:\.\d+)?)/.exec(command)?.[1];
  const reached = believesGuards ? command : command.replaceAll(/\|\|\s*exit\s+\d+/g, "");
  const code = /\bexit\s+(\d+)/.exec(reached)?.[1];
  if (slept !== undefined || code !== undefined) {
    return {
      code: Number(code ?? 0),
      afterMs: slept === undefined ? shortTaskMs : Number(slept) * 1000,
    };
  }
  if (runsOn || (!isInit && command === "")) return undefined;
  return { code: 0, afterMs: shortTaskMs };
}

/** Loops and followers: what sleeps in there does not end with the sleep. */
function neverEnds(command: string): boolean {
  return /\b(while|until|for)\b|\btail\s+-[fF]\b|\binfinity\b/.test(command);
}
