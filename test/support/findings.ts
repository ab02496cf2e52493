/** The findings of a file that need no further run of the engine. */
import type { Diagnostic } from "../../src/language-server/diagnostics/rule.ts";
import type { LanguageService } from "../../src/language-server/service.ts";

/** Findings of the file's text, of comparing its objects with others, and of the prediction if there is one. */
export function findingsOf(service: LanguageService, uri: string): readonly Diagnostic[] {
  const environment = service.environmentOf(uri);
  if (environment !== undefined) for (const _ of service.compare(environment));
  return service.knownDiagnostics(uri);
}
