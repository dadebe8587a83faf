/** What came of reading a store from end to end. */
export interface Reading {
  /** Hash and commit of each record that was read, by its key as JSON, after the name of the index that found it. */
  readonly records: Readonly<Record<string, ReadRecord>>
  /** The keys, as JSON, of records that were reported as invalid. */
  readonly invalid: readonly string[]
  /** What the store's own check found. */
  readonly findings: readonly string[]
  /** The error that ended the reading. */
  readonly error?: ReadingError | undefined
}

/** One record as it was read. */
export interface ReadRecord {
  readonly sha256: string
  readonly commit: number | undefined
}

/** An error, as far as it can pass from one process to another. */
export interface ReadingError {
  /** The code of a `StorageError`; `undefined` for any other error. */
  readonly code: string | undefined
  readonly message: string
}

/** Asks the reading process to read a store. */
export interface ReadingTask {
  readonly folder: string
  readonly readonly: boolean
}

/** Reads stores where an abort or an endless loop does no harm to the lab. */
export interface StoreReader extends AsyncDisposable {
  /** What was read, or how the reading process ended instead. */
  read(task: ReadingTask): Promise<Reading | "crash" | "hang">
}
