/** The web components that the page uses, imported one by one, and their attributes for JSX. */
import "@vscode-elements/elements/dist/vscode-badge/index.js";
import "@vscode-elements/elements/dist/vscode-button/index.js";
import "@vscode-elements/elements/dist/vscode-icon/index.js";
import "@vscode-elements/elements/dist/vscode-progress-ring/index.js";
import type { VscodeSplitLayout } from "@vscode-elements/elements/dist/vscode-split-layout/index.js";
import "@vscode-elements/elements/dist/vscode-split-layout/index.js";
import "@vscode-elements/elements/dist/vscode-tab-header/index.js";
import "@vscode-elements/elements/dist/vscode-tab-panel/index.js";
import { VscodeTabs } from "@vscode-elements/elements/dist/vscode-tabs/index.js";
import "@vscode-elements/elements/dist/vscode-toolbar-button/index.js";
import type { HTMLAttributes } from "preact";

// Wraps the row of tabs on a narrow page. The component does not let the page style that row, and without wrapping it would
// scroll everything below out of view when the last tab is chosen.
const rowsOfTabs = new CSSStyleSheet();
rowsOfTabs.replaceSync(".tablist { flex-wrap: wrap; }");
VscodeTabs.elementStyles = [...VscodeTabs.elementStyles, rowsOfTabs];

interface CustomElement<Element extends HTMLElement = HTMLElement> extends HTMLAttributes<Element> {
  readonly slot?: string;
}

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      "vscode-badge": CustomElement & { readonly variant?: string };
      "vscode-button": CustomElement & {
        readonly icon?: string;
        readonly secondary?: boolean;
        readonly type?: "submit";
        readonly disabled?: boolean;
      };
      "vscode-icon": CustomElement & { readonly name: string; readonly label?: string };
      "vscode-progress-ring": CustomElement;
      "vscode-split-layout": CustomElement<VscodeSplitLayout> & {
        readonly split?: "horizontal" | "vertical";
        readonly "min-start"?: string;
        readonly "min-end"?: string;
      };
      "vscode-tab-header": CustomElement;
      "vscode-tab-panel": CustomElement;
      "vscode-tabs": CustomElement & {
        readonly panel?: boolean;
        readonly "selected-index"?: number;
        readonly "onvsc-tabs-select"?: (
          event: CustomEvent<{ readonly selectedIndex: number }>,
        ) => void;
      };
      "vscode-toolbar-button": CustomElement & { readonly icon: string; readonly label: string };
    }
  }
}
