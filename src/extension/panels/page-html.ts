/** The simulation page's HTML: one script, its style sheets, the engine's worker, and nothing else may load. */

export interface PageSource {
  /** Where a file of dist/webview is found. */
  readonly address: (file: string) => string;
  /** What the content security policy calls the place of these files. */
  readonly origin: string;
  /** As a language tag. */
  readonly language: string;
  /** The page's texts in that language, by the English ones; those that are missing stay English. */
  readonly texts: Readonly<Record<string, unknown>>;
}

export function pageHtml({ address, origin, language, texts }: PageSource): string {
  const nonce = makeNonce();
  // The engine's worker is fetched and started from a blob: a page may not start a worker of another origin.
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${origin}`,
    `font-src ${origin}`,
    `connect-src ${origin}`,
    "worker-src blob:",
  ].join("; ");
  return `<!doctype html>
<html lang="${inAttribute(language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${address("codicon.css")}" id="vscode-codicon-stylesheet" />
    <link rel="stylesheet" href="${address("styles.css")}" />
    <title>Cluster Simulation</title>
  </head>
  <body>
    <div id="page" data-worker="${address("engine-worker.js")}" data-texts="${inAttribute(JSON.stringify(texts))}"></div>
    <script nonce="${nonce}" src="${address("main.js")}"></script>
  </body>
</html>`;
}

function inAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}

function makeNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
