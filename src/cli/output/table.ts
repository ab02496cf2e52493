/** Prints columns as kubectl does: three blanks between them, but no blanks at the end of a line. */

export function printTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return "";
  const all = [header, ...rows].map((row) => row.map((cell) => cell.replaceAll("\n", "\\n")));
  const widths = header.map((_, column) =>
    Math.max(...all.map((row) => (row[column] ?? "").length)),
  );
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd((widths[column] ?? 0) + 3))
      .join("")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

/** A duration in Kubernetes' short form. Upstream: apimachinery util/duration, HumanDuration. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return join(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return join(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return join(days, "d", hours % 24, "h");
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? join(years, "y", days % 365, "d") : `${years}y`;
}

function join(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
