import { spawn } from "node:child_process"
import { once } from "node:events"
import SqliteDatabase from "better-sqlite3"
import { expect, test } from "vitest"
import { upgraded } from "../testing/database.js"
import { program } from "../testing/program.js"

test.each(["--backup", "--no-backup"])(
  "with %s, a rescue into a database that another program holds says so, and goes on when it is free",
  async (option) => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const holder = new SqliteDatabase(data.database)
    try {
      holder.pragma("journal_mode = WAL")
      holder.exec("BEGIN IMMEDIATE")
      const options = option === "--backup" ? [] : [option]
      const child = spawn(process.execPath, [program, "rescue", "--yes", ...options], {
        stdio: ["ignore", "ignore", "pipe"],
        env: { ...process.env, OPENCODE_DATA_DIR: data.path },
      })
      const ended = once(child, "exit")
      let said = ""
      for await (const chunk of child.stderr) {
        said += String(chunk)
        if (said.includes("another program is writing") && holder.inTransaction) holder.exec("COMMIT")
      }
      expect(await ended).toEqual([0, null])
      expect(said).toContain("opencode or another program is writing to the database; waiting for it")
      expect(said).not.toContain("records")
      expect(holder.prepare("SELECT count(*) FROM session").pluck().get()).toBe(21)
    } finally {
      holder.close()
    }
  },
)
