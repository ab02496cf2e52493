// refused by biome: plugin
export const sorted: readonly number[] = [10, 9].sort();
