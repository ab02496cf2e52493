// refused by biome: lint/nursery/useExhaustiveSwitchCases
export type Answer = "yes" | "no";

export function isYes(answer: Answer): boolean {
  switch (answer) {
    case "yes":
      return true;
  }
  return false;
}
