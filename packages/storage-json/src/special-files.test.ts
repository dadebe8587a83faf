import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { encodeKey, type StorageError } from "@sessile/core/storage"
import { copyFixture, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { LegacyStorage } from "./migration/legacy-storage.js"
import { migrate } from "./migration/migrate.js"
import { gather } from "./testing/gather.js"
import { skip } from "./testing/skip.js"

const key = ["message", "ses_1", "msg_b"]

/** What may stand in the place of a file; each resolves to what makes it go away. */
const makers: Record<string, (path: string) => Promise<() => void>> = {
  "a pipe": async (path) => {
    execFileSync("mkfifo", [path])
    return () => undefined
  },
  "a socket": async (path) => {
    const server = createServer().listen(path)
    await once(server, "listening")
    return () => server.close()
  },
  "a folder": async (path) => {
    await mkdir(path)
    return () => undefined
  },
  "a link to an endless device": async (path) => {
    await symlink("/dev/zero", path)
    return () => undefined
  },
  "a link to a file elsewhere": async (path) => {
    await symlink("/etc/hosts", path)
    return () => undefined
  },
}

describe.skipIf(process.platform === "win32").each(Object.entries(makers))(
  "%s in the place of a record",
  (_, make) => {
    test("is an invalid record, of which no content is read", async () => {
      await using store = await storeWithout(make)
      const { storage, path } = store
      const invalid = { code: "CORRUPT", path }
      await expect(storage.read(key)).rejects.toMatchObject({ ...invalid, key })
      await expect(storage.update(key, () => undefined)).rejects.toMatchObject({ ...invalid, key })
      expect(await storage.readTexts([encodeKey(key)])).toEqual([
        { key: encodeKey(key), error: expect.anything() },
      ])
      expect(await storage.list(["message"])).toContainEqual(key)

      const errors: StorageError[] = []
      const entries = await gather(storage.scan([], { onCorrupt: (error) => errors.push(error) }))
      expect(entries.map((entry) => entry.key.at(-1))).toEqual(["msg_a", "msg_c"])
      expect(errors).toEqual([expect.objectContaining({ ...invalid, key })])
      const texts = (await gather(storage.scanTexts())).flat()
      // The file is not named: whoever keeps invalid records would open it.
      expect(texts.filter((entry) => "error" in entry)).toEqual([
        { key: encodeKey(key), error: expect.anything() },
      ])
      expect(await storage.addTexts([{ key: encodeKey(key), text: "1" }])).toMatchObject([{ error: invalid }])
      await storage.flush()
    })
  },
)

describe.skipIf(process.platform === "win32").each(Object.entries(makers))(
  "%s as the marker `migration`",
  (_, make) => {
    test("is reported by reading and by migrating, and nothing changes", async () => {
      await using folder = await temporaryFolder()
      await using storage = await JsonStorage.open({ path: folder.path })
      const path = join(folder.path, "migration")
      const end = await make(path)
      await expect(storage.read(["migration"])).rejects.toMatchObject({ code: "CORRUPT", path })
      await expect(migrate({ path: folder.path })).rejects.toMatchObject({ code: "CORRUPT", path })
      end()
    })
  },
)

describe.skipIf(process.platform === "win32").each(Object.entries(makers))(
  "%s in the legacy layout",
  (kind, make) => {
    const names = [
      "storage/session/info/ses_x.json",
      "storage/session/message/ses_e1e7ae6e5ffecrx2Go3nVsEEml/msg_x.json",
      "app.json",
      ...(kind === "a folder" ? [] : ["storage/migration", "storage/session/part/ses_x"]),
    ]
    test.each(names)("as %s is named, and all else is read", async (name) => {
      await using data = await copyFixture("v0.5.29")
      const path = join(data.path, "project", "global", name)
      execFileSync("rm", ["-rf", path])
      const end = await make(path)
      await using legacy = await LegacyStorage.open({ path: data.path })
      const told: string[] = []
      const texts = (await gather(legacy.scanTexts({ onForeign: (file) => told.push(file.path) }))).flat()
      expect(texts.filter((entry) => "text" in entry)).toHaveLength(85 + 1)
      expect(told).toContain(path)
      const { written, remarks } = await migrate({ path: join(data.path, "storage") })
      expect(written).toBe(85)
      expect(remarks.map((remark) => remark.path)).toContain(path)
      end()
    })
  },
)

test("a record that a device stands for is not opened, also where it is no link", async (context) => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  const path = join(folder.path, "zero.json")
  try {
    execFileSync("mknod", [path, "c", "1", "5"], { stdio: "ignore" })
  } catch {
    skip(context, "devices can be made by root alone")
  }
  await expect(storage.read(["zero"])).rejects.toMatchObject({ code: "CORRUPT", path })
})

async function storeWithout(make: (path: string) => Promise<() => void>) {
  const folder = await temporaryFolder()
  const storage = await JsonStorage.open({ path: folder.path })
  await storage.write(["message", "ses_1", "msg_a"], {})
  await storage.write(["message", "ses_1", "msg_c"], {})
  await writeFile(join(folder.path, "message", "ses_1", "notes.txt"), "")
  const path = join(folder.path, "message", "ses_1", "msg_b.json")
  const end = await make(path)
  return {
    path,
    storage,
    async [Symbol.asyncDispose]() {
      end()
      await folder[Symbol.asyncDispose]()
    },
  }
}
