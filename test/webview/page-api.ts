/** A stand-in for the API that VS Code gives a page. The page's code gets it once, so all tests share this one. */
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

/** Has to be called before importing code of the page that saves state or sends messages. */
export function givePageApi(): void {
  pageApi.kept = undefined;
  pageApi.told = [];
  Object.assign(globalThis, { acquireVsCodeApi: () => api });
}
