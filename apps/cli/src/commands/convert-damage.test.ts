import { existsSync } from "node:fs"
import { chmod, chown, lchown, mkdir, open, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { copyFixture, temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { sessile } from "../testing/program.js"
import { project } from "../testing/sample.js"
import { stateOf } from "../testing/tree.js"

/** Nobody, who may not read everything, as the administrator may. */
const USER = 65_534

const DENIED = "message/ses_harmed/msg_denied.json"

const LARGE = 300 * 1024 * 1024

test("damage of every kind stays with the record that has it", { timeout: 600_000 }, async () => {
  await using data = await copyFixture("v1.1.65")
  await using folder = await temporaryFolder()
  const storage = join(data.path, "storage")
  const sound = await countFiles(storage)
  await harm(storage)
  const asNobody = process.getuid?.() === 0 && (await sessile(["--version"], { uid: USER })).code === 0
  if (process.getuid?.() === 0 && !asNobody) {
    process.stderr.write(
      "Skipped a record that may not be read: whom that would hold for may not run the program either\n",
    )
    await rm(join(storage, DENIED))
  }
  if (asNobody) await giveTo(USER, data.path)
  if (asNobody) await giveTo(USER, folder.path)
  const before = await stateOf(join(storage, "message"))

  const target = join(folder.path, "history.db")
  const commandLine = ["convert", `json:${storage}`, `sqlite:${target}`, "--json"]
  const { code, stdout } = await sessile(commandLine, asNobody ? { uid: USER } : {})
  const report = JSON.parse(stdout)

  expect(code).toBe(8)
  const reasons = Object.fromEntries(
    report.records
      .filter((record: { outcome: string }) => record.outcome === "setAside")
      .map(({ key, reason }: { key: string[]; reason: string }) => [key.join("/"), reason]),
  )
  const denied = existsSync(join(storage, DENIED))
  expect(reasons).toEqual({
    ...(denied ? { "message/ses_harmed/msg_denied": expect.stringMatching(/denied|permission/i) } : {}),
    "message/ses_harmed/msg_empty": "The record is empty",
    "message/ses_harmed/msg_half": expect.stringContaining("not valid JSON"),
    "message/ses_harmed/msg_latin": expect.stringContaining("not UTF-8"),
    "message/ses_harmed/msg_nul": "The record is nothing but 4096 NUL bytes",
  })
  const setAside = denied ? 5 : 4
  expect(report.ledger).toEqual({ found: sound + 5 + setAside, written: sound + 5, present: 0, setAside })
  expect(report.balanced).toBe(true)
  expect(report.verification).toMatchObject({ compared: sound + 5, missing: [], different: [] })

  const remarks = Object.fromEntries(
    report.records
      .filter((record: { remarks?: string[] }) => record.remarks !== undefined)
      .map(({ key, remarks: found }: { key: string[]; remarks: string[] }) => [key.join("/"), found]),
  )
  expect(remarks).toEqual({
    "session/nowhere/ses_types": [
      "The field title is a number, not a string",
      "The field time is a string, not an object",
    ],
    [`session/${project}/ses_stale`]: ["The id inside does not match the file name"],
  })
  expect(report.orphans.sessions).toEqual([["session", "nowhere", "ses_types"]])
  expect(report.orphans.messages).toEqual([["message", "ses_harmed"]])
  expect(report.orphans.parts).toEqual([["part", "msg_nobody"]])
  const others = report.others.map(({ path }: { path: string }) => relative(storage, path))
  expect(others.sort()).toEqual(["message/.DS_Store", "part/loop", "session/notes.txt"])
  expect(await stateOf(join(storage, "message"))).toEqual(before)
})

/** Everything that was seen in users' stores, and more. Five records cannot be moved, five odd ones can. */
async function harm(storage: string): Promise<void> {
  const put = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(storage, path)), { recursive: true })
    await writeFile(join(storage, path), content)
  }
  await put("message/ses_harmed/msg_empty.json", "")
  await put("message/ses_harmed/msg_nul.json", Buffer.alloc(4096))
  await put("message/ses_harmed/msg_half.json", '{"id": "msg_half", "text": "secret')
  await put("message/ses_harmed/msg_latin.json", Buffer.from([0x22, 0xe9, 0x22]))
  await put(DENIED, "{}")
  await chmod(join(storage, DENIED), 0)

  await put("message/ses_harmed/msg_sound.json", '{ "id": "msg_sound", "n": 12345678901234567890, "n": 1.0 }')
  await put("part/msg_nobody/prt_1.json", '\uFEFF{"id":"prt_1"}')
  await put("session/nowhere/ses_types.json", '{"id":"ses_types","title":5,"time":"yesterday"}')
  await put(`session/${project}/ses_stale.json`, '{"id":"ses_other","title":"t"}')
  await putLarge(join(storage, "part", "msg_nobody", "prt_large.json"))

  await put("message/.DS_Store", "finder")
  await put("session/notes.txt", "mine")
  await symlink(".", join(storage, "part", "loop"))
}

async function putLarge(path: string): Promise<void> {
  await using file = await open(path, "w")
  await file.write('{"text":"')
  const block = Buffer.alloc(1024 * 1024, "x")
  for (let size = 0; size < LARGE; size += block.length) await file.write(block)
  await file.write('"}')
}

async function countFiles(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

async function giveTo(user: number, path: string): Promise<void> {
  await chown(path, user, user)
  for (const name of await readdir(path, { recursive: true })) await lchown(join(path, name), user, user)
}
