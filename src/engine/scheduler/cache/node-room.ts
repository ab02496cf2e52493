/**
 * How much room nodes have, as numbers side by side. Each pod is compared with each node, and with a thousand nodes most of
 * that time would be spent in waiting for memory.
 */
export class NodeRoom {
  /** A row of `roomColumns` for each node. */
  values: Float64Array = new Float64Array(roomColumns.count);
  #rowCount = 0;

  /** Where the row of one more node begins. */
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

/** What is free of each main resource, for how many more pods there is room, and what there is of each. */
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
