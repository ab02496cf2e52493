// refused by biome: lint/nursery/noFloatingPromises
export async function work(): Promise<void> {}

export function start(): void {
  work();
}
