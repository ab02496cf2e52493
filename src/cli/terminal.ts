/** What the program sees of the world; tests hand in their own. */
import { visibleText } from "../protocol/visible-text.ts";

export interface Terminal {
  readonly cwd: string;
  /** How much memory there is; without end where absent. */
  readonly heapBytesMax?: number;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Shows how far a long run is, on a line of its own; nothing where the output is no terminal. */
  readonly progress: (text: string) => void;
  readonly readInput: () => Promise<string>;
}

/** For text in which words of files stand. */
export interface TextTerminal extends Terminal {
  /** Prints what is to command the build server that reads along, which nothing in `out` and `err` does. */
  readonly command: (text: string) => void;
}

/** Nothing that stands in a file moves the cursor, hides a line, renames the window, or has a build server do something. */
export function textTerminal(terminal: Terminal): TextTerminal {
  const { out, err } = terminal;
  return {
    ...terminal,
    out: (text) => out(withoutCommands(visibleText(text))),
    err: (text) => err(withoutCommands(visibleText(text))),
    command: (text) => out(visibleText(text)),
  };
}

/** GitHub Actions obeys a line that begins with two colons; Azure Pipelines and TeamCity what follows two hashes anywhere. */
function withoutCommands(text: string): string {
  return text.replace(/^([ \t]*):(?=:)/gm, "$1\\u003a").replace(/##(?=\w*\[)/g, "#\\u0023");
}
