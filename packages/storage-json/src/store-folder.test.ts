import { rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { encodeKey } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { JsonStorage } from "./index.js"

const key = ["session", "project", "ses_1"]

test.each(["missing", "a file"])(
  "while the folder of a store is %s no record counts as absent",
  async (state) => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "storage")
    await using storage = await JsonStorage.open({ path })
    await storage.write(key, { id: "ses_1" })
    await rename(path, `${path}-away`)
    if (state === "a file") await writeFile(path, "")

    const gone = { code: "IO", message: expect.stringContaining("The folder of the store is gone") }
    await expect(storage.read(key)).rejects.toMatchObject(gone)
    await expect(storage.list([])).rejects.toMatchObject(gone)
    await expect(storage.list(["session"], { reverse: true })).rejects.toMatchObject(gone)
    await expect(all(storage.scan(["session", "project"]))).rejects.toMatchObject(gone)
    await expect(all(storage.find("sessions-by-updated"))).rejects.toMatchObject(gone)
    await expect(storage.readTexts([encodeKey(key)])).rejects.toMatchObject(gone)
  },
)

test("a scan whose folder goes away in its middle rejects instead of ending early", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "storage")
  await using storage = await JsonStorage.open({ path })
  for (let number = 0; number < 300; number++) await storage.write(["record", String(number)], { number })
  const iterator = storage.scan(["record"])[Symbol.asyncIterator]()
  await iterator.next()
  await rename(path, `${path}-away`)
  await expect(all({ [Symbol.asyncIterator]: () => iterator })).rejects.toMatchObject({ code: "IO" })
})

async function all(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const gathered: unknown[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}
