/** A client of the Language Server Protocol in small: frames over a child's standard streams. */
import { type ChildProcess, spawn } from "node:child_process";

interface Message {
  readonly id?: number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export class LanguageClient {
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, (message: Message) => void>();
  readonly #watchers = new Set<() => void>();
  /** With the server's own requests. */
  readonly notifications: { readonly method: string; readonly params: unknown }[] = [];
  /** Answers that belong to no request. */
  readonly refusals: Message[] = [];
  /** What the server's own requests are answered with, by method; nothing where it is not here. */
  readonly replies: Map<string, unknown> = new Map();
  /** Those of the server's own requests that are refused. */
  readonly refused: Set<string> = new Set();
  /** What the server has written beside the protocol: nothing, as long as all is well. */
  errorOutput = "";
  #nextId = 1;
  #buffer: Buffer = Buffer.alloc(0);
  readonly exited: Promise<number | null>;

  constructor(command: string, args: readonly string[]) {
    this.#child = spawn(command, [...args], { stdio: "pipe" });
    // The streams are read to their end before.
    this.exited = new Promise((resolve) => this.#child.on("close", resolve));
    this.#child.stdout?.on("data", (data: Buffer) => this.#receive(data));
    this.#child.stderr?.on("data", (data: Buffer) => {
      this.errorOutput += data.toString("utf8");
      process.stderr.write(data);
    });
  }

  /** Raises the server's error. */
  async request<T>(method: string, params: unknown): Promise<T> {
    const id = this.#nextId++;
    const answer = new Promise<Message>((resolve) => this.#answers.set(id, resolve));
    this.#send({ id, method, params });
    const { result, error } = await answer;
    if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code });
    return result as T;
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** Waits until `find` gives something; it is asked again with each message that arrives. */
  async until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  /** The newest parameters of a notification that `matches`. */
  last<T>(method: string, matches: (params: T) => boolean = () => true): T | undefined {
    const found = this.notifications.findLast((n) => n.method === method && matches(n.params as T));
    return found?.params as T | undefined;
  }

  kill(): void {
    this.#child.kill();
  }

  #send(message: Message): void {
    this.write(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  /** What may be no message at all. */
  write(body: string): void {
    this.#child.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #receive(data: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    for (;;) {
      const headerEnd = this.#buffer.indexOf("\r\n\r\n");
      if (headerEnd < 0) break;
      const length = Number(
        /Content-Length: (\d+)/i.exec(this.#buffer.toString("ascii", 0, headerEnd))?.[1],
      );
      if (this.#buffer.length < headerEnd + 4 + length) break;
      const body = this.#buffer.toString("utf8", headerEnd + 4, headerEnd + 4 + length);
      this.#buffer = this.#buffer.subarray(headerEnd + 4 + length);
      this.#handle(JSON.parse(body));
    }
    const waiting = [...this.#watchers];
    this.#watchers.clear();
    for (const resume of waiting) resume();
  }

  #handle(message: Message): void {
    const { id, method } = message;
    if (method === undefined && id === null) this.refusals.push(message);
    else if (method === undefined && typeof id === "number") this.#answers.get(id)?.(message);
    else if (method !== undefined) {
      this.notifications.push({ method, params: message.params });
      if (id === undefined) return;
      if (this.refused.has(method))
        this.#send({ id, error: { code: -32601, message: "not here" } });
      else this.#send({ id, result: this.replies.get(method) ?? null });
    }
  }
}
