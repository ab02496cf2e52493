// refused by biome: lint/style/noRestrictedImports
import { createConnection } from "vscode-languageserver/node";

export const connection: unknown = createConnection;
