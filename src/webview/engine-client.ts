/** Starts the engine's worker. Its script is fetched, because a page may not start a worker of another origin. */
import type { FromEngine, ToEngine } from "./engine-messages.ts";

export interface EngineListener {
  receive(message: FromEngine): void;
  /** The worker cannot run: its script is broken, or something in it was thrown that nobody has caught. */
  fail(text: string): void;
}

/** Rejects where the script cannot be had. */
export async function startEngine(
  script: string,
  listener: EngineListener,
): Promise<(message: ToEngine) => void> {
  const response = await fetch(script);
  if (!response.ok) throw new Error(`${script}: ${response.status} ${response.statusText}`);
  const worker = new Worker(URL.createObjectURL(await response.blob()));
  worker.addEventListener("message", ({ data }: MessageEvent<FromEngine>) =>
    listener.receive(data),
  );
  worker.addEventListener("error", ({ message }) => listener.fail(message));
  return (message) => worker.postMessage(message);
}
