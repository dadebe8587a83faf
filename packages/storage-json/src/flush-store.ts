import { dirname } from "node:path"
import { StorageError } from "@sessile/core/storage"
import { EVERYTHING, type Sighting, walkStore } from "./record-walk.js"
import { hasCode, storageFault } from "./storage-fault.js"
import type { StoreLayout } from "./store-layout.js"
import { syncFile, syncFolder } from "./sync-folder.js"

/** What may not be opened, or is no file: links, pipes, sockets. */
const NOT_OURS = ["ENOENT", "EACCES", "ELOOP", "ENXIO", "EINVAL"]

/** Disks do several at a time in less time than one by one. */
const AT_A_TIME = 64

/** Waits until every record of a store and every name in it have reached the disk, whoever wrote them. */
export async function flushStore(layout: StoreLayout): Promise<void> {
  let slice: Sighting[] = []
  for (const sighting of walkStore(layout, { span: EVERYTHING })) {
    slice.push(sighting)
    if (slice.length < AT_A_TIME) continue
    await Promise.all(slice.map(flush))
    slice = []
  }
  await Promise.all(slice.map(flush))
  await flush({ kind: "folder", path: dirname(layout.root) })
}

async function flush(sighting: Sighting): Promise<void> {
  // Where we may not look we have not written, and out of the store neither.
  const isOurs = sighting.kind === "barrier" && sighting.reason === undefined
  if (isOurs && !StorageError.is(sighting.error, "DENIED")) throw sighting.error
  if (sighting.kind !== "record" && sighting.kind !== "folder") return
  const { path } = sighting
  try {
    await (sighting.kind === "record" ? syncFile(path) : syncFolder(path))
  } catch (error) {
    if (!hasCode(error, ...NOT_OURS)) throw storageFault("wait for the disk", error, path)
  }
}
