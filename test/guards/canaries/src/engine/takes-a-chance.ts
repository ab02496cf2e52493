// refused by biome: plugin
export const chance: number = Math.random();
