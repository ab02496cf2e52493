/** Starts the engine's worker. Its script is fetched, because a page may not start a worker of another origin. */
import type { FromEngine, ToEngine } from "./engine-messages.ts";

export async function startEngine(
  script: string,
  receive: (message: FromEngine) => void,
): Promise<(message: ToEngine) => void> {
  const source = await (await fetch(script)).blob();
  const worker = new Worker(URL.createObjectURL(source));
  worker.addEventListener("message", ({ data }: MessageEvent<FromEngine>) => receive(data));
  return (message) => worker.postMessage(message);
}
