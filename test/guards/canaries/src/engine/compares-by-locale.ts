// refused by biome: plugin
export const order: number = "a".localeCompare("b");
