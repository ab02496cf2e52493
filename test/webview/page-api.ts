/** A stand-in for what VS Code gives a page. The page's code asks for it once, so all tests share this one. */
import type { FromPage } from "../../src/protocol/page-messages.ts";

interface PageApi {
  kept: unknown;
  told: FromPage[];
}

export const pageApi: PageApi = { kept: undefined, told: [] };

const api = {
  postMessage: (message: FromPage): void => {
    pageApi.told.push(message);
  },
  getState: (): unknown => pageApi.kept,
  setState: (state: unknown): void => {
    pageApi.kept = state;
  },
};

/** To be called before anything of the page that keeps or tells something is imported. */
export function givePageApi(): void {
  pageApi.kept = undefined;
  pageApi.told = [];
  Object.assign(globalThis, { acquireVsCodeApi: () => api });
}
