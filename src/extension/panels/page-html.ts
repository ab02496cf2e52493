/** The simulation page's HTML: only one script, its style sheets and the engine's worker may load. */

export interface PageSource {
  /** Returns the URL of a file in dist/webview. */
  readonly address: (file: string) => string;
  /** The source of these files in the content security policy. */
  readonly origin: string;
  /** As a language tag. */
  readonly language: string;
  /** The page's texts in that language, by their English text; missing ones stay English. */
  readonly texts: Readonly<Record<string, unknown>>;
}

export function pageHtml({ address, origin, language, texts }: PageSource): string {
  const nonce = makeNonce();
  // The engine's worker is fetched and started from a blob, as a page must not start a worker of another origin.
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
