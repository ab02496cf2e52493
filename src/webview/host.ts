/** The page's only use of VS Code's page API: messages to the extension, and the state that survives the page. */
import {
  type FromPage,
  isToPage,
  pageProtocolVersion,
  type ToPage,
} from "../protocol/page-messages.ts";
import type { WhatIfStep } from "../protocol/what-if.ts";

/** What a recreated page starts from: the place in the trace, not the trace itself. */
export interface ViewState {
  readonly environment?: string;
  /** If absent, the end of the run. */
  readonly moment?: number;
  readonly selection?: string;
  /** The steps done to the cluster. */
  readonly steps?: readonly WhatIfStep[];
}

/** VS Code keeps it across updates of the extension, in which steps may look different. */
interface KeptState extends ViewState {
  readonly version: number;
}

interface PageApi {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: KeptState): void;
}

declare function acquireVsCodeApi(): PageApi;

const api: PageApi = acquireVsCodeApi();

type WithoutVersion<T> = T extends FromPage ? Omit<T, "version"> : never;

export function tellExtension(message: WithoutVersion<FromPage>): void {
  api.postMessage({ ...message, version: pageProtocolVersion } as FromPage);
}

export function onExtensionMessage(receive: (message: ToPage) => void): void {
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (isToPage(data)) receive(data);
  });
}

/** Empty if nothing was kept, or another version kept it. */
export function savedView(): ViewState {
  const state = api.getState();
  if (typeof state !== "object" || state === null) return {};
  const { version, ...view } = state as Partial<KeptState>;
  return version === pageProtocolVersion ? view : {};
}

export function saveView(state: ViewState): void {
  api.setState({ ...state, version: pageProtocolVersion });
}
