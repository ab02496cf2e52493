/** Reads files for a language server in a web worker, which cannot do so itself. */
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import {
  type FindFilesReply,
  findFilesRequest,
  type ReadFileParams,
  type ReadFileReply,
  readFileRequest,
} from "../protocol/messages.ts";

export function answerFileRequests(client: BaseLanguageClient): readonly vscode.Disposable[] {
  return [
    client.onRequest(findFilesRequest, async (): Promise<FindFilesReply> => {
      const manifests = "**/{*.yaml,*.yml,*.json,Kustomization,*.tpl,NOTES.txt,.helmignore,*.tgz}";
      const uris = await vscode.workspace.findFiles(manifests, "**/node_modules/**");
      return uris.map((uri) => uri.toString());
    }),
    client.onRequest(readFileRequest, async ({ uri }: ReadFileParams): Promise<ReadFileReply> => {
      try {
        return await vscode.workspace.fs.readFile(vscode.Uri.parse(uri));
      } catch {
        return null; // Deleted since it was listed.
      }
    }),
  ];
}
