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
   * Runs the program on the store, into a place of its own that is gone afterwards.
   *
   * @throws Error when it did not do all of the work
   */
  run(store: SourceStore): Promise<ProcessFigures>
}
