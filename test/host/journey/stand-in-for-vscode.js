// Runs in the page before its own script: provides the API that VS Code gives a page, connected to the test.
let state;
globalThis.acquireVsCodeApi = () => ({
  postMessage: (message) => globalThis.tellTest(message),
  getState: () => state,
  setState: (next) => {
    state = next;
  },
});
