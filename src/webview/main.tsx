/** Entry of the simulation page. */
import { config } from "@vscode/l10n";
import { render } from "preact";
import "./elements.ts";
import { startEngine } from "./engine-client.ts";
import type { FromEngine } from "./engine-messages.ts";
import { onExtensionMessage, tellExtension } from "./host.ts";
import { PageState } from "./state.ts";
import { App } from "./views/app.tsx";

async function start(page: HTMLElement): Promise<void> {
  config({ contents: page.dataset["texts"] ?? "{}" });
  let state: PageState | undefined;
  const receive = (message: FromEngine): void => state?.receiveFromEngine(message);
  const engine = await startEngine(page.dataset["worker"] ?? "", receive);
  const created = new PageState(engine);
  state = created;
  onExtensionMessage((message) => created.receive(message));
  render(<App state={created} />, page);
  tellExtension({ type: "ready" });
}

const page = document.getElementById("page");
if (page !== null) {
  start(page).catch((error: unknown) => tellExtension({ type: "failed", text: String(error) }));
}
