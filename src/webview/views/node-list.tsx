/** The machines as a login would show them when the run has ended: disks, mounts, containers. */
import type { JSX } from "preact";
import type { NodeView } from "../model/node-view.ts";
import type { PageState } from "../state.ts";

export function NodeList({ state }: { readonly state: PageState }): JSX.Element {
  return (
    <div id="nodes">
      <p class="empty dim">
        {state.nodes.value.length === 0
          ? "This cluster has no node."
          : "What a login shows at the end of the run."}
      </p>
      {state.nodes.value.map((node) => (
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
        <pre key={command}>
          <span class="dim">$ {command}</span>
          {`\n${text}`}
        </pre>
      ))}
    </details>
  );
}
