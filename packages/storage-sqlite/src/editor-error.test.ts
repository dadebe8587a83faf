import { expect, test } from "vitest"
import { SqliteStorage } from "./sqlite-storage.js"

test("what an editor throws comes through, also when it looks like a failure of the file system", async () => {
  await using storage = await SqliteStorage.open({ path: ":memory:" })
  await storage.write(["k"], {})
  const thrown = Object.assign(new Error("no such file"), { code: "ENOENT" })
  const updating = storage.update(["k"], () => {
    throw thrown
  })
  await expect(updating).rejects.toBe(thrown)
})
