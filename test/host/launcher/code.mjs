#!/usr/bin/env node
// Stands in for desktop VS Code's executable: its path goes to @vscode/test-electron as vscodeExecutablePath.
import "tsx";

await import("./code.ts");
