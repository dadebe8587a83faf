import { once } from "node:events"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { dirname, join, relative } from "node:path"
import type { ForeignFile } from "@sessile/core/storage"
import { fixturePath, temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"

test("every file that is no record is named, with the reason, and nothing else is", async () => {
  await using elsewhere = await temporaryFolder()
  await put(join(elsewhere.path, "b.json"))
  await put(join(elsewhere.path, "notes.txt"))
  await using folder = await temporaryFolder()
  const { path } = folder
  await using storage = await JsonStorage.open({ path, migrate: true })
  await storage.write(["message", "ses_1", "msg_1"], 1)
  await storage.write(["message", ".sessile", "é"], 1)
  const foreign = [
    ".DS_Store",
    "message/a.json~",
    "migration.json",
    ".git/objects/1",
    ".git/HEAD",
    "message/.sessile/x",
  ]
  for (const name of foreign) await put(join(path, name))
  await mkdir(join(path, ".empty"))
  await symlink("nowhere", join(path, "broken.json"))
  await symlink("..", join(path, "message", "up"))
  await symlink(elsewhere.path, join(path, "part"))
  await symlink(path, join(path, ".git", "store"))
  const server = createServer().listen(join(path, "message", "socket"))
  await once(server, "listening")

  const name = "a name that no record has"
  const found = await foreignFiles(path)
  server.close()
  expect(Object.fromEntries(found.map((file) => [file.path, file.reason]))).toEqual({
    ".DS_Store": name,
    "message/a.json~": name,
    "migration.json": name,
    ".git/HEAD": `in a folder with ${name}`,
    ".git/objects/1": `in a folder with ${name}`,
    ".git/store": `in a folder with ${name}`,
    "message/.sessile/x": `in a folder with ${name}`,
    "broken.json": "a link to no file or folder",
    "message/up": "a link that leads back",
    "message/socket": "neither a file nor a folder",
    part: "a link that leads out of the store",
  })
})

test("a store that opencode wrote has none", async () => {
  expect(await foreignFiles(join(fixturePath("v1.1.65"), "storage"))).toEqual([])
})

/** What a scan tells of, which is the same for one of keys alone. */
async function foreignFiles(path: string): Promise<ForeignFile[]> {
  await using storage = await JsonStorage.open({ path, readonly: true })
  const [files, again]: [ForeignFile[], ForeignFile[]] = [[], []]
  const tell = (list: ForeignFile[]) => (file: ForeignFile) =>
    list.push({ ...file, path: relative(path, file.path) })
  for await (const _ of storage.scanTexts({ onForeign: tell(files) }));
  for await (const _ of storage.scanKeys({ onForeign: tell(again) }));
  expect(again).toEqual(files)
  return files
}

async function put(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, "{}")
}
