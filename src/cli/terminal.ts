/** The program's interface to the world; tests pass in their own. */
import { visibleText } from "../protocol/visible-text.ts";

export interface Terminal {
  readonly cwd: string;
  /** The limit of the heap; none if absent. */
  readonly heapBytesMax?: number;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Shows the progress of a long run in a line that is overwritten; does nothing if the output is no terminal. */
  readonly progress: (text: string) => void;
  readonly readInput: () => Promise<string>;
}

/** A terminal for texts that contain words from files. */
export interface TextTerminal extends Terminal {
  /** Prints a command to the build server that reads the output; `out` and `err` print none. */
  readonly command: (text: string) => void;
}

/** Keeps texts from files from moving the cursor, hiding lines, renaming the window or commanding a build server. */
export function textTerminal(terminal: Terminal): TextTerminal {
  const { out, err } = terminal;
  return {
    ...terminal,
    out: (text) => out(withoutCommands(visibleText(text))),
    err: (text) => err(withoutCommands(visibleText(text))),
    command: (text) => out(visibleText(text)),
  };
}

/** GitHub Actions obeys lines that begin with two colons; Azure Pipelines and TeamCity what follows two hashes anywhere. */
function withoutCommands(text: string): string {
  return text.replace(/^([ \t]*):(?=:)/gm, "$1\\u003a").replace(/##(?=\w*\[)/g, "#\\u0023");
}
