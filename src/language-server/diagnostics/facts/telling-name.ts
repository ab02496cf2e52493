/** Compares the names of claims and volumes: those with the same name belong together. */

/** The name without words for "claim" and "volume"; "" if nothing but numbers is left. */
export function nameFor(name: string): string {
  const rest = name.split(/[-._]/).filter((word) => !ofKind.test(word));
  return rest.some((word) => /[a-z]/.test(word)) ? rest.join("-") : "";
}

const ofKind = /^(?:pvc?\d*|persistent|persistentvolume|persistentvolumeclaim|volume|vol|claim)$/;
