// accepted
import * as vscode from "vscode";
import { accepted } from "../protocol/accepted.ts";

export const show: () => unknown = () => vscode.window.showInformationMessage(accepted);
