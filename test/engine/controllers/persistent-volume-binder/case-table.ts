/** Reads upstream-cases.md. */
import { readFileSync } from "node:fs";
import type { PersistentVolume, PersistentVolumeClaim } from "../../../../src/engine/api/types.ts";
import { readClaim, readVolume } from "./case-objects.ts";

export interface ExpectedEvent {
  readonly about: "PersistentVolume" | "PersistentVolumeClaim" | undefined;
  /** The event's type, reason and message. */
  readonly text: string;
}

export interface UpstreamCase {
  readonly id: string;
  readonly title: string;
  readonly how: "sync claim" | "sync volume" | "whole controller";
  readonly volumes: readonly PersistentVolume[];
  readonly claims: readonly PersistentVolumeClaim[];
  readonly volumesAfter: readonly PersistentVolume[];
  readonly claimsAfter: readonly PersistentVolumeClaim[];
  readonly events: readonly ExpectedEvent[];
}

const noVolume =
  "Normal FailedBinding no persistent volumes available for this claim and no storage class is set";

export function readCases(): readonly UpstreamCase[] {
  const text = readFileSync(new URL("./upstream-cases.md", import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => /^\| \d/.test(line))
    .map(readCase);
}

function readCase(line: string): UpstreamCase {
  const [id = "", run = "", ...cells] = line
    .replace(/^\|\s*|\s*\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
  const [volumesBefore = "", claimsBefore = "", volumesAfter = "", claimsAfter = "", events = ""] =
    cells;
  const number = id.replace("-2nd", "");
  const volumes = readList(volumesBefore, (item) => readVolume(item, number)) ?? [];
  const claims = readList(claimsBefore, (item) => readClaim(item, number)) ?? [];
  return {
    id,
    title: `${id}: ${run}`,
    how: run.startsWith("sC")
      ? "sync claim"
      : run.startsWith("sV")
        ? "sync volume"
        : "whole controller",
    volumes,
    claims,
    volumesAfter: readList(volumesAfter, (item) => readVolume(item, number)) ?? volumes,
    claimsAfter: readList(claimsAfter, (item) => readClaim(item, number)) ?? claims,
    events: readEvents(events),
  };
}

/** Returns the items of a cell; undefined for `=`. */
function readList<T>(cell: string, read: (item: string) => T): readonly T[] | undefined {
  if (cell === "=") return undefined;
  return cell === "—" ? [] : cell.split("; ").map(read);
}

function readEvents(cell: string): readonly ExpectedEvent[] {
  if (cell === "none") return [];
  return cell.split("<br>").map((item) => {
    const about = /^on (PV|PVC): /.exec(item)?.[1];
    const text = item.replace(/^on (PV|PVC): /, "").replace(/`([^`]*)`/, "$1");
    const kind =
      about === undefined
        ? undefined
        : about === "PV"
          ? "PersistentVolume"
          : "PersistentVolumeClaim";
    return { about: kind, text: text === "FB" ? noVolume : text };
  });
}
