/** Replays one recorded scenario. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { compareRecordings } from "./agree.ts";
import { type Recording, record } from "./recording.ts";
import { readScenario } from "./scenario-file.ts";

export interface Replay {
  /** Absent if the run crashed. */
  readonly recording?: Recording;
  /** Empty if the engine agrees; undefined if there is no recording and the run came to rest. */
  readonly differences: readonly string[] | undefined;
}

/** `AREA/NAME` of every scenario in a folder, sorted; empty if the folder has no scenarios. */
export function scenarioIds(directory: string): readonly string[] {
  const scenarios = path.join(directory, "scenarios");
  if (!existsSync(scenarios)) return [];
  return readdirSync(scenarios)
    .sort()
    .flatMap((area) =>
      readdirSync(path.join(scenarios, area))
        .sort()
        .map((file) => `${area}/${file.replace(/\.yaml$/, "")}`),
    );
}

export function replay(directory: string, id: string): Replay {
  try {
    const { recording, simulation } = record(id, readScenario(directory, id).scenario);
    if (simulation.stopped) return { recording, differences: ["the run was ended by a limit"] };
    const file = path.join(directory, "recordings", `${id}.json`);
    if (!existsSync(file)) return { recording, differences: undefined };
    const wanted = JSON.parse(readFileSync(file, "utf8")) as Recording;
    return { recording, differences: compareRecordings(wanted, recording) };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { differences: [`crashed: ${text}`] };
  }
}
