import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

/** Every record file of a JSON store with its bytes, by path within the store. */
export async function recordFiles(storage: string): Promise<Map<string, string>> {
  const paths = await readdir(storage, { recursive: true })
  const records = paths.filter((path) => path.endsWith(".json") && !path.startsWith(".sessile"))
  // latin1 turns each byte into one character: no difference is lost, and what differs can be read.
  const contents = await Promise.all(records.map((path) => readFile(join(storage, path), "latin1")))
  return new Map(records.map((path, index) => [path, contents[index] as string]))
}
