/** The page: what runs, when, what became of each object, and why. */
import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { instantText } from "../model/instant-text.ts";
import type { PageState, Stage } from "../state.ts";
import { EventTable } from "./event-table.tsx";
import { Header } from "./header.tsx";
import { Inspector } from "./inspector.tsx";
import { NodeList } from "./node-list.tsx";
import { OutcomeTable } from "./outcome-table.tsx";
import { TimeBar } from "./time-bar.tsx";
import { Timeline } from "./timeline.tsx";
import { WhatIf } from "./what-if.tsx";

/** The place of the tab Nodes. */
const nodesTab = 3;

const wide: MediaQueryList = matchMedia("(min-width: 900px)");

/** Whether the inspector has room beside the tables; below them it has the page's width. */
const isWide: Signal<boolean> = signal(wide.matches);
wide.addEventListener("change", () => {
  isWide.value = wide.matches;
});

export function App({ state }: { readonly state: PageState }): JSX.Element {
  const stage = state.stage.value;
  if (state.summary.value === undefined || stage.type === "nothing" || stage.type === "failed") {
    return <Notice stage={stage} />;
  }
  return (
    <>
      <Header state={state} />
      <TimeBar state={state} />
      <vscode-split-layout
        class="panes"
        split={isWide.value ? "vertical" : "horizontal"}
        initial-handle-position="50%"
        min-start="120px"
        min-end="120px"
      >
        <main slot="start" class="pane">
          <vscode-tabs
            onvsc-tabs-select={({ detail }) => {
              state.showsNodes.value = detail.selectedIndex === nodesTab;
            }}
          >
            <vscode-tab-header slot="header">Outcome</vscode-tab-header>
            <vscode-tab-panel>
              <OutcomeTable state={state} />
            </vscode-tab-panel>
            <vscode-tab-header slot="header">Timeline</vscode-tab-header>
            <vscode-tab-panel>
              <Timeline state={state} />
            </vscode-tab-panel>
            <vscode-tab-header slot="header">Events</vscode-tab-header>
            <vscode-tab-panel>
              <EventTable state={state} />
            </vscode-tab-panel>
            <vscode-tab-header slot="header">Nodes</vscode-tab-header>
            <vscode-tab-panel>
              <NodeList state={state} />
            </vscode-tab-panel>
            <vscode-tab-header slot="header">What If</vscode-tab-header>
            <vscode-tab-panel>
              <WhatIf state={state} />
            </vscode-tab-panel>
          </vscode-tabs>
        </main>
        <aside slot="end" class="pane" aria-label="Selected object">
          <Inspector state={state} />
        </aside>
      </vscode-split-layout>
    </>
  );
}

function Notice({ stage }: { readonly stage: Stage }): JSX.Element {
  switch (stage.type) {
    case "nothing":
      return <p class="notice">{stage.text}</p>;
    case "failed":
      return (
        <div class="notice" role="alert">
          <p>The simulation broke. That is a bug of Claimcheck; its log has the details.</p>
          <pre>{stage.text}</pre>
        </div>
      );
    case "running":
      return (
        <p class="notice" role="status">
          <vscode-progress-ring /> Simulating: {instantText(stage.nowMs)}, {stage.entryCount}{" "}
          entries
        </p>
      );
    case "waiting":
    case "shown":
      return (
        <p class="notice" role="status">
          <vscode-progress-ring /> Reading the workspace
        </p>
      );
  }
}
