/** Formats virtual time for the page: since the start of the run, to the millisecond at first. */
import type { Instant } from "../../engine/trace/instant.ts";

/** `+0.050s`, `+12.4s`, `+5m03s`, `+1h00m00s`. */
export function instantText(at: Instant): string {
  const seconds = Math.floor(at / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  if (seconds < 10) return `+${(at / 1000).toFixed(3)}s`;
  if (seconds < 60) return `+${(at / 1000).toFixed(1)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `+${minutes}m${two(seconds % 60)}s`;
  return `+${Math.floor(minutes / 60)}h${two(minutes % 60)}m${two(seconds % 60)}s`;
}
