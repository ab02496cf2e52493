/**
 * The free room of all nodes in one array of numbers: each pod is compared with each node, and with a thousand separate objects
 * most of that time would go into waiting for memory.
 */
export class NodeRoom {
  /** For each node, a row with the columns of `roomColumns`. */
  values: Float64Array = new Float64Array(roomColumns.count);
  #rowCount = 0;

  /** Adds a row and returns the index where it begins. */
  addRow(): number {
    const row = this.#rowCount++ * roomColumns.count;
    if (row === this.values.length) {
      const more = new Float64Array(2 * row);
      more.set(this.values);
      this.values = more;
    }
    return row;
  }
}

/** For each main resource how much is free, for how many more pods there is room, and how much there is in all. */
export const roomColumns = {
  cpu: 0,
  memory: 1,
  ephemeralStorage: 2,
  pods: 3,
  cpuInAll: 4,
  memoryInAll: 5,
  ephemeralStorageInAll: 6,
  count: 8,
} as const;
