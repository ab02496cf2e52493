/** What axe finds wrong with a page for people who use a screen reader or only the keyboard, or see little contrast. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Frame } from "playwright-core";

const source: string = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

/** Returns a line for each rule that an element breaks. Contrast is checked only if a theme sets the colors. */
export async function barriersIn(frame: Frame, isThemed = true): Promise<readonly string[]> {
  await frame.evaluate(source);
  const options: RunOptions = { rules: { "color-contrast": { enabled: isThemed } } };
  const { violations } = (await frame.evaluate(
    `axe.run(${JSON.stringify(options)})`,
  )) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ""}`),
  );
}
