/** What a service says of a file, without a run of the engine that is not known yet. */
import type { Diagnostic } from "../../src/language-server/diagnostics/rule.ts";
import type { LanguageService } from "../../src/language-server/service.ts";

/** Of a file, with all that its objects have to do with others, and what has been predicted. */
export function findingsOf(service: LanguageService, uri: string): readonly Diagnostic[] {
  const environment = service.environmentOf(uri);
  if (environment !== undefined) for (const _ of service.compare(environment));
  return service.knownDiagnostics(uri);
}
