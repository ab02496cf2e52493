/** Texts for a driver's controller that somebody stopped: nothing is wrong with the objects that wait for it. */
import type { Fix } from "./verdict.ts";

/** The clause that a headline about a waiting object ends with. */
export function downText(driver: string): string {
  return `the controller of ${driver} is down`;
}

export function startAgain(driver: string): readonly Fix[] {
  return [{ text: `start the controller of ${driver} again` }];
}
