/** Starts the engine's worker. Its script is fetched first, because a page may not start a worker from another origin. */
import type { FromEngine, ToEngine } from "./engine-messages.ts";

export interface EngineListener {
  receive(message: FromEngine): void;
  /** Called if the worker's script is broken or throws an uncaught error. */
  fail(text: string): void;
}

/** Rejects if the script cannot be fetched. */
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
