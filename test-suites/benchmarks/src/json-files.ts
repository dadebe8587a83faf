import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { JsonStorage } from "@sessile/storage-json"
import { type Comparison, compare, type Measurement } from "./measure.js"
import { messages } from "./sample-records.js"

const RECORDS = 5_000

/** The JSON adapter against bare `node:fs`, on the same records. */
export async function compareJsonFiles(folder: string): Promise<Measurement[]> {
  const records = messages(RECORDS)
  await using storage = await JsonStorage.open({ path: join(folder, "store") })
  const paths = records.map(({ key }) => `${join(folder, "store", ...key)}.json`)
  const bare = (path: string) => join(folder, "bare", path.slice(folder.length))

  const comparisons: Comparison[] = [
    {
      name: "write, atomic and locked",
      baseline: "mkdir + writeFile",
      limit: 3,
      subject: async () => {
        for (const { key, value } of records) await storage.write(key, value)
      },
      reference: async () => {
        for (const [index, { value }] of records.entries()) {
          const path = bare(paths[index] as string)
          await mkdir(dirname(path), { recursive: true })
          await writeFile(path, JSON.stringify(value, null, 2))
        }
      },
    },
    {
      name: "read",
      baseline: "readFile + JSON.parse",
      limit: 1.3,
      subject: async () => {
        for (const { key } of records) await storage.read(key)
      },
      reference: () => readAll(paths),
    },
    {
      name: "scan with values",
      baseline: "readFile + JSON.parse",
      limit: 1.3,
      subject: async () => {
        let count = 0
        for await (const _ of storage.scan(["message"])) count++
        if (count !== RECORDS) throw new Error(`the scan gave ${count} of ${RECORDS} records`)
      },
      reference: () => readAll(paths),
    },
  ]
  const measurements: Measurement[] = []
  for (const comparison of comparisons) measurements.push(await compare(comparison))
  return measurements
}

async function readAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) JSON.parse(await readFile(path, "utf8"))
}
