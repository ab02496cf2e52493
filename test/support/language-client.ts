/** A minimal client of the Language Server Protocol, over a child process's standard streams. */
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
  /** The server's notifications and requests. */
  readonly notifications: { readonly method: string; readonly params: unknown }[] = [];
  /** Responses with the id null, which the server sends for messages that it cannot read. */
  readonly refusals: Message[] = [];
  /** Results to send for the server's requests, by method; null for other methods. */
  readonly replies: Map<string, unknown> = new Map();
  /** Methods of the server's requests to answer with an error. */
  readonly refused: Set<string> = new Set();
  /** What the server wrote to standard error: empty as long as all is well. */
  errorOutput = "";
  #nextId = 1;
  #buffer: Buffer = Buffer.alloc(0);
  readonly exited: Promise<number | null>;

  constructor(command: string, args: readonly string[]) {
    this.#child = spawn(command, [...args], { stdio: "pipe" });
    // "close" comes after the streams have been read to their end, unlike "exit".
    this.exited = new Promise((resolve) => this.#child.on("close", resolve));
    this.#child.stdout?.on("data", (data: Buffer) => this.#receive(data));
    this.#child.stderr?.on("data", (data: Buffer) => {
      this.errorOutput += data.toString("utf8");
      process.stderr.write(data);
    });
  }

  /** Returns the result; throws the server's error. */
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

  /** Waits until `find` returns something; it is called again whenever messages arrive. */
  async until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  /** The parameters of the newest notification for which `matches` is true; undefined if there is none. */
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

  /** Sends a frame with any body, even one that is no valid message. */
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
