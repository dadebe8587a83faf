import { join } from "node:path"
import type { ForeignFile } from "@sessile/core/storage"
import { filesBelow } from "./files-below.js"
import type { Foreign } from "./folder-contents.js"
import type { Sighting } from "./record-walk.js"
import { storageFault } from "./storage-fault.js"

type Tell = ((file: ForeignFile) => void) | undefined

/** What is no record, or not of this store; the latter is an error where nobody wants to be told. */
type Told =
  | ({ readonly kind: "foreign" } & Foreign)
  | (Sighting & { readonly kind: "barrier"; readonly reason: string })

/** Whether a sighting is one of an unknown file. */
export function isTold(sighting: Sighting, tell: Tell): sighting is Told {
  if (sighting.kind === "foreign") return true
  return sighting.kind === "barrier" && sighting.reason !== undefined && tell !== undefined
}

/** Tells of what is no record, file by file. */
export function tellOf(sighting: Told, tell: Tell): undefined | Promise<undefined> {
  if (tell === undefined) return undefined
  const { path, reason } = sighting
  if (sighting.kind === "foreign" && sighting.isFolder) return tellOfFolder(path, reason, tell)
  tell({ path, reason })
  return undefined
}

async function tellOfFolder(
  path: string,
  reason: string,
  tell: (file: ForeignFile) => void,
): Promise<undefined> {
  try {
    for (const file of await filesBelow(path)) {
      tell({ path: join(path, file.path), reason: `in a folder with ${reason}` })
    }
  } catch (error) {
    throw storageFault("list the folder", error, path)
  }
}
