import type { GeneratedStore } from "../generated-store/index.js"
import type { ProcessFigures } from "../measure-process.js"

/** A generated store, and the folder that holds it. */
export interface SourceStore extends GeneratedStore {
  readonly path: string
}

/** One of the programs that are given a store. */
export interface Side {
  readonly name: string
  /**
   * Runs the program on the store, into an empty folder where it may leave things.
   *
   * @throws Error when it did not do all of the work
   */
  run(store: SourceStore, folder: string): Promise<ProcessFigures>
}
