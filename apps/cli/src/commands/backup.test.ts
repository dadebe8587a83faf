import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder, withSql } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { upgraded } from "../testing/database.js"
import { sessile } from "../testing/program.js"
import { stateOf } from "../testing/tree.js"

const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8")

test("the backup commands of the README work each day, and update what changed", async () => {
  const [, block = ""] = readme.split("<!-- test: backup -->")
  const commands = [...(/```sh\n(.*?)```/s.exec(block)?.[1] ?? "").matchAll(/^sessile (.*?)(?: +#.*)?$/gm)]
  expect(commands).toHaveLength(3)
  await using data = await upgraded("native-1.18.34", "v1.1.65")
  await using folder = await temporaryFolder()
  const runAll = async () => {
    for (const [line, words = ""] of commands) {
      const command = words.split(" ").map((word) => word.replace("~/.local/share/opencode", data.path))
      const run = await sessile(command, { cwd: folder.path, env: { OPENCODE_DATA_DIR: data.path } })
      expect(run, line).toMatchObject({ code: 0, stderr: "" })
    }
  }
  await runAll()
  withSql(data.database, (sql) => {
    sql.exec("UPDATE session SET title = 'Changed', time_updated = time_updated + 1000")
    sql.exec("UPDATE part SET data = json_set(data, '$.text', 'Changed') WHERE data ->> 'type' = 'text'")
  })
  await runAll()
  const titles = withSql(join(folder.path, "history.db"), (sql) =>
    sql.prepare("SELECT count(*) FROM sessions WHERE title = 'Changed'").pluck().get(),
  )
  expect(titles).toBeGreaterThan(0)
  expect(await readdir(join(folder.path, "history.db.set-aside"))).toContain("session")
  expect(await readdir(join(folder.path, "backup.set-aside"))).toContain("part")
  const before = await stateOf(join(folder.path, "history.db.set-aside"))
  await runAll()
  expect(await stateOf(join(folder.path, "history.db.set-aside"))).toEqual(before)
})
