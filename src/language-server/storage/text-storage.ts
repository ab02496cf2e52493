/** Where the server keeps texts for its next start: a folder in Node; not available in a web worker. */
export interface TextStorage {
  /** Starts a digest: the same for the same texts, and only for this build of the program. */
  digest(): Digest;
  /** Undefined if nothing is kept under that name. */
  read(name: string): Promise<string | undefined>;
  /** Replaces what was kept under that name. Fails silently if there is no space or no permission. */
  write(name: string, text: string): Promise<void>;
}

export interface Digest {
  add(text: string): void;
  /** Letters and digits only, so that it can be a file name. */
  end(): string;
}
