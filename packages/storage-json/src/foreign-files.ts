import { join, relative, resolve } from "node:path"
import { filesBelow } from "./files-below.js"
import { EVERYTHING, type Sighting, walkStore } from "./record-walk.js"
import { Slice, turn } from "./slices.js"
import { storageFault } from "./storage-fault.js"
import { StoreLayout } from "./store-layout.js"

/** A file among the records that is none. */
export interface ForeignFile {
  /** From the folder of the store. */
  readonly path: string
  /** Why it is no record. */
  readonly reason: string
}

/**
 * Every file in the folder of a store that is no record and not Sessile's own: editor leftovers, names that no key
 * gives, links that lead nowhere or back, sockets. What a store does not list, and a conversion does not take along.
 * A folder that cannot be entered is not among them: a scan of the store reports it.
 *
 * @example
 * ```ts
 * for await (const { path, reason } of foreignFiles(opencodePaths().storage)) console.warn(path, reason)
 * ```
 */
export async function* foreignFiles(path: string): AsyncGenerator<ForeignFile, void, void> {
  const layout = new StoreLayout(resolve(path))
  const slice = new Slice()
  for (const sighting of walkStore(layout, { span: EVERYTHING })) {
    if (sighting.kind === "foreign") yield* filesOf(sighting, layout.root)
    if (slice.isFullWith()) await turn()
  }
}

async function* filesOf(
  { path, reason, isFolder }: Extract<Sighting, { kind: "foreign" }>,
  root: string,
): AsyncGenerator<ForeignFile, void, void> {
  if (!isFolder) {
    yield { path: relative(root, path), reason }
    return
  }
  try {
    for (const file of await filesBelow(path)) {
      yield { path: relative(root, join(path, file.path)), reason: `in a folder with ${reason}` }
    }
  } catch (error) {
    throw storageFault("list the folder", error, path)
  }
}
