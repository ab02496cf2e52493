// refused by biome: lint/style/noDefaultExport
export default 1;
