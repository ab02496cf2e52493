/** The machines as a login would show them at the chosen moment: disks, mounts, containers. */
import { t } from "@vscode/l10n";
import type { JSX } from "preact";
import { instantText } from "../model/instant-text.ts";
import type { NodeView } from "../model/node-view.ts";
import type { PageState } from "../state.ts";
import { Preformatted } from "./preformatted.tsx";

export function NodeList({ state }: { readonly state: PageState }): JSX.Element {
  const { seq, views = [] } = state.nodes.value ?? {};
  const isPresent = seq === state.seq.value;
  const moment = state.moment.value;
  const shows =
    moment?.seq === seq && moment !== undefined
      ? t("What a login to a node shows at {0}.", instantText(moment.at))
      : t("What a login to a node shows.");
  return (
    <div id="nodes" aria-busy={!isPresent}>
      <p class="empty dim" role="status">
        {!isPresent
          ? t("Repeating the run up to this moment…")
          : views.length === 0
            ? t("This cluster has no nodes.")
            : shows}
      </p>
      {views.map((node) => (
        <Node key={node.name} node={node} />
      ))}
    </div>
  );
}

function Node({ node }: { readonly node: NodeView }): JSX.Element {
  return (
    <details>
      <summary>{node.name}</summary>
      {node.outputs.map(({ command, text }) => (
        <Preformatted key={command}>
          <span class="dim">$ {command}</span>
          {`\n${text}`}
        </Preformatted>
      ))}
    </details>
  );
}
