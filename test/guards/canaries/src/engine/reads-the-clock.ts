// refused by biome: lint/style/noRestrictedGlobals
export const now: number = Date.now();
