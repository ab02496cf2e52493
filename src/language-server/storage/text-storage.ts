/** Where the server keeps what it may start with the next time: a folder in Node, nothing in a web worker. */
export interface TextStorage {
  /** Begins a text that stands for others: the same for the same texts, and for this very program only. */
  digest(): Digest;
  /** Undefined where nothing is kept by that name. */
  read(name: string): Promise<string | undefined>;
  /** In place of what was kept by that name. Nothing is kept where there is no room, or no leave to write. */
  write(name: string, text: string): Promise<void>;
}

export interface Digest {
  add(text: string): void;
  /** Letters and digits, so that it may name what is kept. */
  end(): string;
}
