/** The simulation page's HTML: one script, one style sheet, and nothing else may load. */
import * as vscode from "vscode";

/** Folder of everything that the page may read. */
export function pageRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, "dist", "webview");
}

export function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = makeNonce();
  const address = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(pageRoot(extensionUri), file)).toString();
  // The engine's worker is fetched and started from a blob: a page may not start a worker of another origin.
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `connect-src ${webview.cspSource}`,
    "worker-src blob:",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${address("codicon.css")}" id="vscode-codicon-stylesheet" />
    <link rel="stylesheet" href="${address("styles.css")}" />
    <title>Cluster Simulation</title>
  </head>
  <body>
    <div id="page" data-worker="${address("engine-worker.js")}"></div>
    <script nonce="${nonce}" src="${address("main.js")}"></script>
  </body>
</html>`;
}

function makeNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
