/**
 * Whether Go can load a time zone. Upstream: pkg/apis/batch/validation validateTimeZone, with Go's time.LoadLocation.
 * The machine's database ignores case; Go does not, because it reads each zone from a file.
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
/** Zones that Go's copy of the database has dropped, and the machine's may still have. */
const dropped: ReadonlySet<string> = new Set(["US/Pacific-New"]);
/** Words in names of zones that are not capitalized like `Berlin`, by their lowercase form. */
const oddWords: ReadonlyMap<string, string> = new Map(
  "ACT au BajaNorte BajaSur ComodRivadavia DeNoronha DumontDUrville EasterIsland es IN LHI McMurdo NSW of"
    .split(" ")
    .map((word) => [word.toLowerCase(), word]),
);
const etcPattern =
  /^Etc\/(GMT|GMT0|GMT\+([0-9]|1[0-2])|GMT-([0-9]|1[0-4])|Greenwich|UCT|UTC|Universal|Zulu)$/;

/** The errors for the value of a timeZone field. */
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

/** Go's error if it has no such zone. "" means UTC, and `Local` the machine's own zone. */
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
  const [region = "", ...places] = zone.split("/");
  if (places.length === 0) return standalone.has(zone);
  if (dropped.has(zone)) return false;
  if (!regions.has(region)) return etcPattern.test(zone);
  return places.every(hasUsualCapitals) && offsetsOf(zone) !== undefined;
}

function hasUsualCapitals(place: string): boolean {
  return place.split(/[_-]/).every((word) => {
    const odd = oddWords.get(word.toLowerCase());
    return odd === undefined ? /^[A-Z][a-z]+$/.test(word) : word === odd;
  });
}
