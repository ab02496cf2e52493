/** The page: header, time bar, tabs and inspector. */

import { type Signal, signal } from "@preact/signals";
import { t } from "@vscode/l10n";
import type { VscodeSplitLayout } from "@vscode-elements/elements/dist/vscode-split-layout/index.js";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { instantText } from "../model/instant-text.ts";
import { type PageState, type Stage, type Tab, tabs } from "../state.ts";
import { EventTable } from "./event-table.tsx";
import { Header } from "./header.tsx";
import { Inspector } from "./inspector.tsx";
import { NodeList } from "./node-list.tsx";
import { Graph } from "./object-graph.tsx";
import { OutcomeTable } from "./outcome-table.tsx";
import { Preformatted } from "./preformatted.tsx";
import { TimeBar } from "./time-bar.tsx";
import { Timeline } from "./timeline.tsx";
import { WhatIf } from "./what-if.tsx";

const views: Readonly<Record<Tab, (properties: { readonly state: PageState }) => JSX.Element>> = {
  Outcome: OutcomeTable,
  Timeline,
  Graph,
  Events: EventTable,
  Nodes: NodeList,
  "What If": WhatIf,
};

const tabTitles = (): Readonly<Record<Tab, string>> => ({
  Outcome: t("Outcome"),
  Timeline: t("Timeline"),
  Graph: t("Graph"),
  Events: t("Events"),
  Nodes: t("Nodes"),
  "What If": t("What If"),
});

const wide: MediaQueryList = matchMedia("(min-width: 900px)");

/** True if the inspector fits beside the tables; otherwise it is below them, as wide as the page. */
const isWide: Signal<boolean> = signal(wide.matches);
wide.addEventListener("change", () => {
  isWide.value = wide.matches;
});

export function App({ state }: { readonly state: PageState }): JSX.Element {
  const stage = state.stage.value;
  if (state.summary.value === undefined || stage.type === "nothing" || stage.type === "failed") {
    return <WithoutRun state={state} />;
  }
  return (
    <>
      <Header state={state} />
      <TimeBar state={state} />
      <Panes state={state} />
    </>
  );
}

/** Shown in place of a run. Steps may be the reason that it failed, so they can be taken back here. */
function WithoutRun({ state }: { readonly state: PageState }): JSX.Element {
  const stage = state.stage.value;
  const canTakeBack = stage.type === "failed" && stage.canRunAgain && state.steps.value.length > 0;
  return (
    <main>
      <h1 class="hidden">{t("Cluster Simulation")}</h1>
      <Notice stage={stage} />
      {canTakeBack ? <WhatIf state={state} /> : null}
    </main>
  );
}

function Panes({ state }: { readonly state: PageState }): JSX.Element {
  const layout = useRef<VscodeSplitLayout>(null);
  // Without this the component keeps the width or height that it started with.
  useLayoutEffect(() => {
    if (layout.current !== null) layout.current.handlePosition = "50%";
  }, [isWide.value]);
  return (
    <vscode-split-layout
      class="panes"
      ref={layout}
      split={isWide.value ? "vertical" : "horizontal"}
      min-start="120px"
      min-end="120px"
    >
      <main slot="start" class="pane">
        <vscode-tabs
          selected-index={tabs.indexOf(state.tab.value)}
          onvsc-tabs-select={({ detail }) => {
            state.tab.value = tabs[detail.selectedIndex] ?? "Outcome";
          }}
          onKeyDown={chooseBySpace}
        >
          {tabs.map((tab) => {
            const View = views[tab];
            return [
              <vscode-tab-header key={tab} slot="header">
                {tabTitles()[tab]}
              </vscode-tab-header>,
              <vscode-tab-panel key={`${tab} panel`}>
                <View state={state} />
              </vscode-tab-panel>,
            ];
          })}
        </vscode-tabs>
      </main>
      <aside slot="end" class="pane" aria-label={t("Selected object")}>
        <Inspector state={state} />
      </aside>
    </vscode-split-layout>
  );
}

/** The component itself handles only Enter. */
function chooseBySpace(event: KeyboardEvent): void {
  const { key, target } = event;
  if (key !== " " || !(target instanceof HTMLElement) || target.role !== "tab") return;
  event.preventDefault();
  target.click();
}

function Notice({ stage }: { readonly stage: Stage }): JSX.Element {
  switch (stage.type) {
    case "nothing":
      return <p class="notice">{stage.text}</p>;
    case "failed":
      return (
        <div class="failure" role="alert">
          <p>{t("The simulation failed. That is a bug in Claimcheck; its log has the details.")}</p>
          <Preformatted>{stage.text}</Preformatted>
        </div>
      );
    case "running":
      return (
        <p class="notice" role="status">
          <vscode-progress-ring />{" "}
          {t("Simulating: {0}, {1} entries", instantText(stage.nowMs), stage.entryCount)}
        </p>
      );
    case "waiting":
    case "shown":
      return (
        <p class="notice" role="status">
          <vscode-progress-ring /> {t("Reading the workspace")}
        </p>
      );
  }
}
