/**
 * Offsets of time zones. Upstream: Go's time.LoadLocation and Location.lookup. The IANA database is the machine's, but only
 * its offsets are used, which are the same in every locale.
 */

/** By how many milliseconds a zone is ahead of UTC, at an instant in milliseconds since 1970. */
export type OffsetAt = (unixMs: number) => number;

const known = new Map<string, OffsetAt | undefined>();

/** The offsets of a zone; undefined if the database has no such zone. */
export function offsetsOf(zone: string): OffsetAt | undefined {
  // The IANA's zone for clocks that are not set is UTC; ICU does not have it.
  if (!known.has(zone)) known.set(zone, load(zone === "Factory" ? "UTC" : zone));
  return known.get(zone);
}

function load(timeZone: string): OffsetAt | undefined {
  try {
    // biome-ignore lint/style/noRestrictedGlobals: offsets do not depend on the locale, and no other way leads to the database.
    const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    return (unixMs) => {
      const parts = format.formatToParts(unixMs);
      return parsedOffset(parts.find((part) => part.type === "timeZoneName")?.value ?? "");
    };
  } catch {
    return undefined;
  }
}

/** Reads `GMT`, `GMT+05:30`, or `GMT-00:01:15` from before there were time zones. */
function parsedOffset(text: string): number {
  const match = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  if (match === null) return 0;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(2).map((part) => Number(part ?? 0));
  return (match[1] === "-" ? -1000 : 1000) * ((hours * 60 + minutes) * 60 + seconds);
}
