import { cp, mkdir, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { encodeKey, type ForeignFile, type Key, type TextEntry } from "@sessile/core/storage"
import { copyFixture, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "../json-storage.js"
import { gather } from "../testing/gather.js"
import { filesOf, stateOf } from "../testing/tree.js"
import { LegacyStorage } from "./legacy-storage.js"
import { migrate } from "./migrate.js"

const SESSION = "ses_e1e7ae6e5ffecrx2Go3nVsEEml"
const global = join("project", "global", "storage", "session")

describe("it gives what a migration writes", () => {
  test("for the store of 0.5.29, and leaves every file as it is", async () => {
    await using data = await copyFixture("v0.5.29")
    const before = { files: await filesOf(data.path), state: await stateOf(data.path) }
    await using legacy = await LegacyStorage.open({ path: data.path })
    const entries = await texts(legacy)
    expect(entries).toHaveLength(85 + 1)
    for (const { key } of entries) expect(await legacy.readTexts([key])).toEqual([entryOf(entries, key)])
    expect({ files: await filesOf(data.path), state: await stateOf(data.path) }).toEqual(before)
    expect(entries).toEqual(await migrated(data.path))
  })

  test("for diffs in summaries, damage, twins in two projects and unknown worktrees", async () => {
    await using data = await copyFixture("v0.5.29")
    await cp(join(data.path, "project", "global"), join(data.path, "project", "twin"), { recursive: true })
    const diffs = [{ file: "a", before: "", after: "é", additions: 1, deletions: 0 }]
    const odd: Record<string, string> = {
      [`${global}/info/ses_diffs.json`]: JSON.stringify({ id: "ses_diffs", summary: { note: 1, diffs } }),
      [`${global}/info/ses_odd.json`]: JSON.stringify({ id: "ses_odd", summary: { diffs: "?" } }),
      [`${global}/info/ses_half.json`]: '{ "id": "ses_ha',
      [`${global}/message/${SESSION}/msg_empty.json`]: "",
      [`${global}/message/ses_orphan/msg_mark.json`]: '\uFEFF{"role" : "user"}\n',
    }
    for (const [name, text] of Object.entries(odd)) await put(join(data.path, name), text)
    const twin = join(
      data.path,
      "project",
      "twin",
      "storage",
      "session",
      "message",
      SESSION,
      "msg_empty.json",
    )
    await put(twin, "{}")

    await using legacy = await LegacyStorage.open({ path: data.path })
    expect(await texts(legacy)).toEqual(await migrated(data.path))
    expect(await legacy.read(["session_diff", "ses_diffs"])).toEqual(diffs)
    expect(legacy.remarks).toEqual([
      { path: join(data.path, global, "info", "ses_half.json"), remark: "damaged; copied as it is" },
      { path: twin, remark: expect.stringContaining(join(global, "message", SESSION, "msg_empty.json")) },
      {
        path: join(data.path, global, "info", "ses_odd.json"),
        remark: expect.stringContaining("not a list"),
      },
    ])
    expect(legacy.projects).toContainEqual(
      expect.objectContaining({ folder: "twin", id: "global", unidentified: expect.any(String) }),
    )
  })
})

test("a file that is not UTF-8 is an entry with the reason and its path", async () => {
  await using data = await copyFixture("v0.5.29")
  const file = join(data.path, global, "message", SESSION, "msg_damaged.json")
  await writeFile(file, Buffer.from([0xff]))
  await using legacy = await LegacyStorage.open({ path: data.path })
  const key = encodeKey(["message", SESSION, "msg_damaged"])
  const unreadable = { key, error: { code: "CORRUPT" }, file }
  expect(entryOf((await gather(legacy.scanTexts())).flat(), key)).toMatchObject(unreadable)
  expect(await legacy.readTexts([key, "absent"])).toMatchObject([unreadable, undefined])
})

test("sessions that are in the current layout already are left out, with all that is theirs", async () => {
  await using data = await copyFixture("v0.5.29")
  await using whole = await LegacyStorage.open({ path: data.path })
  await using rest = await LegacyStorage.open({ path: data.path, without: new Set([SESSION]) })
  expect(rest.projects.map((project) => project.folder)).toEqual(["home-dev-code-acme"])
  const messages = new Set((await whole.list(["message", SESSION])).map((key) => key[2]))
  const isLeftOut = (key: Key) => key.includes(SESSION) || messages.has(key[1])
  const all = await whole.list([])
  expect(await rest.list([])).toEqual(all.filter((key) => !isLeftOut(key)))
  expect(all.filter(isLeftOut).length).toBeGreaterThan(messages.size + 1)
})

test("ranges, limits and shares select as in any store", async () => {
  await using data = await copyFixture("v0.5.29")
  await using legacy = await LegacyStorage.open({ path: data.path })
  const all = await legacy.list([])
  expect(await legacy.list([], { reverse: true, limit: 3 })).toEqual(all.toReversed().slice(0, 3))
  expect(await gather(legacy.scan(["session", "global"]))).toHaveLength(9)
  expect((await gather(legacy.scan([], { limit: 2, reverse: true }))).map(({ key }) => key)).toEqual(
    all.toReversed().slice(0, 2),
  )
  const shares = await Promise.all([0, 1].map((index) => texts(legacy, { share: { index, count: 2 } })))
  for (const share of shares) expect(share.length).toBeGreaterThan(0)
  expect(
    shares
      .flat()
      .map(({ key }) => key)
      .toSorted(),
  ).toEqual(all.map(encodeKey).toSorted())
})

test("what is no record is named, and so is a project that could not be identified", async () => {
  await using data = await copyFixture("v0.5.29")
  const foreign = [
    "project/.DS_Store",
    "project/global/storage/session/share/x.json",
    "project/empty/notes.txt",
  ]
  for (const name of foreign) await put(join(data.path, name), "{}")
  const twin = join(data.path, "project", "twin")
  await cp(join(data.path, "project", "global"), twin, { recursive: true })
  await using legacy = await LegacyStorage.open({ path: data.path })
  const told = new Set<string>()
  await texts(legacy, { onForeign: ({ path }: ForeignFile) => told.add(relative(data.path, path)) })
  expect([...told]).toEqual(expect.arrayContaining([...foreign, "project/twin"]))
})

test("it is for reading only, and must be there", async () => {
  await using data = await copyFixture("v0.5.29")
  await using legacy = await LegacyStorage.open({ path: data.path })
  await expect(legacy.write(["a"], 1)).rejects.toMatchObject({ code: "READONLY" })
  await expect(legacy.addTexts([{ key: "a", text: "1" }])).rejects.toMatchObject({ code: "READONLY" })
  await expect(legacy.read(["a"])).rejects.toMatchObject({ code: "NOT_FOUND" })
  await using empty = await temporaryFolder()
  await expect(LegacyStorage.open({ path: empty.path })).rejects.toMatchObject({ code: "NOT_FOUND" })
})

async function texts(storage: LegacyStorage | JsonStorage, options = {}): Promise<TextEntry[]> {
  const entries = (await gather(storage.scanTexts(options))).flat()
  return entries.map((entry) => ("text" in entry ? { key: entry.key, text: entry.text } : entry))
}

/** The records that a migration makes of a data folder. */
async function migrated(data: string): Promise<TextEntry[]> {
  await migrate({ path: join(data, "storage") })
  await using storage = await JsonStorage.open({ path: join(data, "storage"), readonly: true })
  return await texts(storage)
}

function entryOf(entries: readonly TextEntry[], key: string): TextEntry | undefined {
  return entries.find((entry) => entry.key === key)
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
