// refused by biome: lint/style/noRestrictedImports
import * as vscode from "vscode";

export const value: unknown = vscode;
