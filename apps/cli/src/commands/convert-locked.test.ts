import { spawn } from "node:child_process"
import { once } from "node:events"
import { copyDatabase, fixturePath } from "@sessile/fixtures"
import SqliteDatabase from "better-sqlite3"
import { expect, test } from "vitest"
import { program } from "../testing/program.js"

test("a conversion into a database that another program holds says so, and goes on when it is free", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  const holder = new SqliteDatabase(copy.database)
  try {
    holder.pragma("journal_mode = WAL")
    holder.exec("BEGIN IMMEDIATE")
    const command = ["convert", fixturePath("v1.1.65"), copy.database, "--no-backup"]
    const child = spawn(process.execPath, [program, ...command], { stdio: ["ignore", "ignore", "pipe"] })
    let said = ""
    const ended = once(child, "exit")
    for await (const piece of child.stderr) {
      said += String(piece)
      if (said.includes("another program is writing") && holder.inTransaction) holder.exec("COMMIT")
    }
    expect(await ended).toEqual([0, null])
    expect(said).toContain("opencode or another program is writing to the database; waiting for it")
  } finally {
    holder.close()
  }
})
