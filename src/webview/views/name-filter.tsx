/** Filters objects by their names; shared by the outcome table, the timeline and the events. */
import { t } from "@vscode/l10n";
import type { JSX } from "preact";
import type { PageState } from "../state.ts";

/** Fewer objects need no filter. */
const filteredCountMin = 21;

export function NameFilter({ state }: { readonly state: PageState }): JSX.Element | null {
  const objectCount = state.summary.value?.objects.length ?? 0;
  // A filter in use stays visible, even if a later run has fewer objects.
  if (objectCount < filteredCountMin && state.filter.value === "") return null;
  return (
    <input
      class="control filter"
      type="search"
      placeholder={t("Filter by name")}
      aria-label={t("Filter by name")}
      value={state.filter.value}
      onInput={(event) => {
        state.filter.value = event.currentTarget.value;
      }}
    />
  );
}
