/** What the program sees of the world; tests hand in their own. */

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
