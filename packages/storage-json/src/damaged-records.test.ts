import { chmod, mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { StorageError } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { gather } from "./testing/gather.js"
import { skip } from "./testing/skip.js"

const SECRET = "sk-live-do-not-print"
const key = ["message", "ses_1", "b"]

describe.each<[string, string | Buffer]>([
  ["empty", ""],
  ["full of NUL bytes", Buffer.alloc(4096)],
  ["half-written", `{\n  "text": "${SECRET}`],
  ["followed by other text", `{ "text": "" } ${SECRET}`],
  ["no JSON at all", SECRET],
  [
    "not UTF-8",
    Buffer.concat([Buffer.from(`{ "text": "${SECRET}`), Buffer.from([0xff, 0xfe]), Buffer.from('" }')]),
  ],
  ["UTF-16", Buffer.from(`\uFEFF{ "text": "${SECRET}" }`, "utf16le")],
])("a record that is %s", (_, content) => {
  test("is reported with its path by scan, and its neighbours come", async () => {
    await using store = await storeWith(content)
    const errors: StorageError[] = []
    const entries = await gather(
      store.storage.scan(["message"], { onCorrupt: (error) => errors.push(error) }),
    )
    expect(entries.map((entry) => entry.key.at(-1))).toEqual(["a", "c"])
    expect(errors).toEqual([expect.objectContaining({ code: "CORRUPT", key, path: store.path })])
    expectNoSecret(errors)
  })

  test("ends a scan that does not say what to do with it", async () => {
    await using store = await storeWith(content)
    const seen: unknown[] = []
    const scan = async () => {
      for await (const entry of store.storage.scan([])) seen.push(entry.key.at(-1))
    }
    await expect(scan()).rejects.toMatchObject({ code: "CORRUPT", key, path: store.path })
    expect(seen).toEqual(["a"])
  })

  test("is listed, rejects when it is read or updated, and stays as it is", async () => {
    await using store = await storeWith(content)
    expect(await store.storage.list(["message"])).toContainEqual(key)
    for (const attempt of [store.storage.read(key), store.storage.update(key, () => undefined)]) {
      const error = await attempt.catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: "CORRUPT", key, path: store.path })
      expectNoSecret(error)
    }
    expect(await readFile(store.path)).toEqual(Buffer.from(content as string))
  })

  test("is replaced by a write and gone after a removal", async () => {
    await using store = await storeWith(content)
    await store.storage.write(key, { text: "new" })
    expect(await store.storage.read(key)).toEqual({ text: "new" })
    await writeFile(store.path, content)
    await store.storage.remove(key)
    expect(await store.storage.list(["message"])).not.toContainEqual(key)
  })
})

test("a byte order mark is no damage", async () => {
  await using store = await storeWith('\uFEFF{ "text": "é" }')
  expect(await store.storage.read(key)).toEqual({ text: "é" })
  expect(await gather(store.storage.scan(["message"]))).toContainEqual({ key, value: { text: "é" } })
  await store.storage.update(key, () => undefined)
  expect(await readFile(store.path, "utf8")).toBe('{\n  "text": "é"\n}')
})

test("every damaged record of many is reported, in key order", async () => {
  await using store = await storeWith("")
  const folder = dirname(store.path)
  const names = Array.from({ length: 60 }, (_, index) => String(index).padStart(2, "0"))
  for (const name of names) await writeFile(join(folder, `${name}.json`), Number(name) % 3 === 0 ? "{" : "{}")
  const damaged: unknown[] = []
  const entries = await gather(
    store.storage.scan([], { onCorrupt: (error) => damaged.push(error.key?.at(-1)) }),
  )
  expect(damaged).toEqual([...names.filter((name) => Number(name) % 3 === 0), "b"])
  expect(entries).toHaveLength(40 + 2)
})

describe("without permission", () => {
  test("a record or a folder is reported as DENIED, and the rest comes", async (context) => {
    if (process.getuid?.() === 0) skip(context, "permissions do not apply to root")
    await using store = await storeWith("{}")
    const folder = join(dirname(dirname(store.path)), "ses_0")
    await mkdir(folder)
    await chmod(store.path, 0)
    await chmod(folder, 0)
    const errors: StorageError[] = []
    const entries = await gather(store.storage.scan([], { onCorrupt: (error) => errors.push(error) }))
    expect(entries.map((entry) => entry.key.at(-1))).toEqual(["a", "c"])
    expect(errors).toEqual([
      expect.objectContaining({ code: "DENIED", path: folder }),
      expect.objectContaining({ code: "DENIED", path: store.path, key }),
    ])
    await expect(store.storage.read(key)).rejects.toMatchObject({ code: "DENIED", path: store.path, key })
    await expect(store.storage.list([])).rejects.toMatchObject({ code: "DENIED", path: folder })
    await chmod(folder, 0o700)
  })
})

/** A store with the record `key`, written by somebody else, between two whole ones; `path` is its file. */
async function storeWith(content: string | Buffer) {
  const folder = await temporaryFolder()
  const storage = await JsonStorage.open({ path: folder.path })
  await storage.write(["message", "ses_1", "a"], {})
  await storage.write(["message", "ses_1", "c"], {})
  const path = join(folder.path, "message", "ses_1", "b.json")
  await writeFile(path, content)
  return { path, storage, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

function expectNoSecret(reported: unknown): void {
  for (let error of [reported].flat()) {
    for (; error instanceof Error; error = error.cause) {
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(SECRET)
    }
  }
}
