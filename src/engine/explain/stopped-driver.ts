/** Somebody has stopped a driver's controller: nothing is wrong with what waits for it. */
import type { Fix } from "./verdict.ts";

/** Behind what has to wait. */
export function isDown(driver: string): string {
  return `the controller of ${driver} is down`;
}

export function startAgain(driver: string): readonly Fix[] {
  return [{ text: `start the controller of ${driver} again` }];
}
