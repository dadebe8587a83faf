import { mkdir, rename, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { copyDatabase, copyFixture, temporaryFolder, withSql } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { sessile } from "./testing/program.js"

/** Clears a terminal, sets its title, goes back, turns the direction of text around, and begins another line. */
const EVIL = "\u001b[2J\u001b]0;x\u0007\b\u009b2J\u007f\u202e\u2066\u2028\nFORGED"

/** Everything but printable characters and line ends. */
const CONTROL = /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]/u

test("control characters from stores, paths and arguments never reach stdout or stderr", async () => {
  await using folder = await temporaryFolder()
  await using wide = await copyDatabase("native-1.18.34")
  const cwd = folder.path
  const data = await evilStore(join(cwd, `data${EVIL}`))
  const database = join(cwd, `${EVIL}opencode.db`)
  await rename(wide.database, database)
  withSql(database, (sql) => {
    sql.exec(`CREATE TABLE "t${EVIL}" (a); ALTER TABLE session ADD COLUMN "c${EVIL}" TEXT`)
    sql.prepare("UPDATE session SET title = ?, directory = ?").run(EVIL, `/${EVIL}`)
  })
  await using blocked = await copyDatabase("empty-1.18.34")
  withSql(blocked.database, (sql) =>
    sql.exec(`ALTER TABLE todo ADD COLUMN "n${EVIL}" TEXT NOT NULL DEFAULT 'x'`),
  )
  withoutDefault(blocked.database)

  const commands = [
    ["inspect", data],
    ["inspect", database],
    ["inspect", blocked.database],
    ["convert", data, `sqlite:${EVIL}.db`],
    ["convert", data, `level:${EVIL}`, "--dry-run"],
    ["convert", data, `opencode:${database}`],
    ["convert", data, `opencode:${blocked.database}`],
    ["convert", data, `sqlite:${EVIL}.db`, "--session", EVIL],
    ["convert", data, `sqlite:${EVIL}.db`, "--strict", "--report", `${EVIL}.json`],
    ["convert", data, `${EVIL}`],
    ["convert", `missing${EVIL}`, "a.db"],
    ["convert", "adapter:x", "a.db", "--adapter", EVIL],
    ["convert", `--${EVIL}`],
    [EVIL],
    ["verify", data, `sqlite:${EVIL}.db`],
    ["verify", data, database],
    ["rescue", "--data", data, "--database", `${EVIL}.db`, "--dry-run"],
    ["rescue", "--data", data, "--database", `${EVIL}.db`, "--yes"],
    ["rescue", "--data", EVIL],
  ]
  for (const command of commands) {
    for (const more of [[], ["--json"]]) {
      const { stdout, stderr } = await sessile([...command, ...more], { cwd })
      // Otherwise the command would print nothing of all this, and show nothing.
      expect(stdout + stderr, JSON.stringify(command)).toMatch(/�|\\u001b/)
      for (const text of [stdout, stderr]) {
        expect(text.match(CONTROL), `${JSON.stringify(command)} ${more}`).toBeNull()
        expect(text, `${JSON.stringify(command)} ${more}`).not.toMatch(/^FORGED/m)
      }
    }
  }
}, 120_000)

/** A data folder with control characters in every place that the program may print. */
async function evilStore(path: string): Promise<string> {
  await using fixture = await copyFixture("v1.1.65")
  await rename(fixture.path, path)
  const write = async (name: string, value: unknown) => {
    const file = join(path, "storage", name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof value === "string" ? value : JSON.stringify(value))
  }
  const time = { created: 1, updated: 2 }
  const id = `ses_${EVIL}`
  await write(`project/p${EVIL}.json`, { id: EVIL, worktree: `/${EVIL}`, time })
  const session = { id, projectID: `p${EVIL}`, directory: `/${EVIL}`, title: EVIL, time }
  await write(`session/p${EVIL}/${id}.json`, session)
  await write(`session/orphan${EVIL}/ses_2${EVIL}.json`, { ...session, [EVIL]: EVIL, version: [EVIL] })
  await write(`message/${id}/msg_${EVIL}.json`, { id: 1, role: { [EVIL]: EVIL }, time })
  await write(`message/${id}/msg_broken${EVIL}.json`, `{"${EVIL}`)
  await write(`${EVIL}/${EVIL}.json`, { [EVIL]: EVIL })
  await write(`session/${EVIL}.txt`, EVIL)
  return path
}

/** Takes the default of the last column away, so that nothing can fill it. */
function withoutDefault(path: string): void {
  withSql(path, (sql) => {
    sql.unsafeMode()
    sql.pragma("writable_schema = ON")
    sql.exec("UPDATE sqlite_schema SET sql = replace(sql, ' DEFAULT ''x''', '') WHERE name = 'todo'")
  })
}
