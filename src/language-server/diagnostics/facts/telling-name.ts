/** Claims and volumes that are called alike are meant for each other. */

/** What a name says beside that it is a claim's or a volume's; "" where that is a number at most. */
export function nameFor(name: string): string {
  const rest = name.split(/[-._]/).filter((word) => !ofKind.test(word));
  return rest.some((word) => /[a-z]/.test(word)) ? rest.join("-") : "";
}

const ofKind = /^(?:pvc?\d*|persistent|persistentvolume|persistentvolumeclaim|volume|vol|claim)$/;
