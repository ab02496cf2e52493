/** How processes in which the engine runs are set up, by the extension, by their own entries and by whoever measures them. */

/** A run of the engine makes many short-lived objects: with more room for them it takes some 6 % less of the processor. */
export const serverExecArgv: readonly string[] = ["--max-semi-space-size=32"];

/**
 * Switches for V8, set by each entry itself. A run is spread over thousands of functions. Three times as much has to be done by
 * one as usual before V8 makes it fast: of those that a first run would have made fast, most do not come to pay for it. Versions
 * from 12 on have a compiler in between, which makes that cheap, and no such switch.
 */
export function optimizeLater(v8Version: string): readonly string[] {
  return Number.parseInt(v8Version, 10) < 12 ? ["--interrupt-budget=200000"] : [];
}
