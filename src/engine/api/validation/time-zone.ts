/**
 * Whether a time zone can be loaded. Upstream: pkg/apis/batch/validation validateTimeZone, with Go's time.LoadLocation.
 * The machine's database does not mind capitals; Go does, which is held for regions and for zones without one.
 */
import { offsetsOf } from "../go/time-zone.ts";

const partPattern = /^[A-Za-z.\-_0-9+]{1,14}$/;

const regions: ReadonlySet<string> = new Set(
  "Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile Europe Indian Mexico Pacific US".split(
    " ",
  ),
);
const standalone: ReadonlySet<string> = new Set(
  "CET CST6CDT Cuba EET EST EST5EDT Egypt Eire Factory GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu".split(
    " ",
  ),
);
/** What Go's copy of the database has dropped, and the machine's may still have. */
const dropped: ReadonlySet<string> = new Set(["US/Pacific-New"]);
const etcPattern =
  /^Etc\/(GMT|GMT0|GMT\+([0-9]|1[0-2])|GMT-([0-9]|1[0-4])|Greenwich|UCT|UTC|Universal|Zulu)$/;

/** The complaints about a time zone that is written. */
export function timeZoneErrors(zone: string): readonly string[] {
  if (zone === "") return ["timeZone must be nil or non-empty string"];
  if (!hasLegalParts(zone)) return [`unknown time zone ${zone}`];
  const problem = locationError(zone);
  return [
    ...(zone.toLowerCase() === "local"
      ? ["timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"]
      : []),
    ...(problem === undefined ? [] : [problem]),
  ];
}

/** What Go says where it has no such zone. Nothing is UTC, and `Local` the machine's own. */
export function locationError(zone: string): string | undefined {
  if (zone === "" || zone === "Local") return undefined;
  if (zone.includes("..") || /^[/\\]/.test(zone)) return "time: invalid location name";
  return hasLegalParts(zone) && isKnown(zone) ? undefined : `unknown time zone ${zone}`;
}

function hasLegalParts(zone: string): boolean {
  return zone
    .split("/")
    .every(
      (part) => partPattern.test(part) && part !== "." && part !== ".." && !part.startsWith("-"),
    );
}

function isKnown(zone: string): boolean {
  const [region = "", city] = zone.split("/");
  if (city === undefined) return standalone.has(zone);
  if (dropped.has(zone)) return false;
  return (regions.has(region) && offsetsOf(zone) !== undefined) || etcPattern.test(zone);
}
