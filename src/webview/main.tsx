/** Entry of the simulation page. */
import { config } from "@vscode/l10n";
import { render } from "preact";
import "./elements.ts";
import { startEngine } from "./engine-client.ts";
import type { ToEngine } from "./engine-messages.ts";
import { onExtensionMessage, tellExtension } from "./host.ts";
import { PageState } from "./state.ts";
import { App } from "./views/app.tsx";

async function start(page: HTMLElement): Promise<void> {
  config({ contents: page.dataset["texts"] ?? "{}" });
  // Nothing is sent to the engine before the extension has sent a scenario.
  let engine: (message: ToEngine) => void = () => {};
  const state = new PageState((message) => engine(message));
  render(<App state={state} />, page);
  try {
    engine = await startEngine(page.dataset["worker"] ?? "", {
      receive: (message) => state.receiveFromEngine(message),
      fail: (text) => state.giveUp(text),
    });
  } catch (error) {
    state.giveUp(String(error));
    return;
  }
  onExtensionMessage((message) => state.receive(message));
  tellExtension({ type: "ready" });
}

const page = document.getElementById("page");
if (page !== null) {
  start(page).catch((error: unknown) => tellExtension({ type: "failed", text: String(error) }));
}
