import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Key } from "@sessile/core/storage"

/** The data folder that comes with the program. */
export const sample = fileURLToPath(new URL("../../sample", import.meta.url))

/** The only project of the sample and of most fixtures. */
export const project = "a08918a10ff26f65d55fc0bead5534907d8df481"

/** A record that cannot be read. */
export interface DamagedRecord {
  readonly key: Key
  readonly bytes: Buffer
}

/** Adds records to a store as a crash, a bad disk and an editor leave them; in key order. */
export async function damage(storage: string): Promise<DamagedRecord[]> {
  const records = [
    { key: ["message", "ses_a", "msg_empty"], bytes: Buffer.alloc(0) },
    { key: ["part", "msg_a", "prt_half"], bytes: Buffer.from('{ "text": "top secret') },
    { key: ["part", "msg_a", "prt_nul"], bytes: Buffer.alloc(100) },
  ]
  for (const { key, bytes } of records) {
    const path = `${join(storage, ...key)}.json`
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
  return records
}
