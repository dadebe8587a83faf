import { expect, test } from "vitest"
import { shellCommands } from "./shell-commands.js"

test("commands for PowerShell quote and restore in its own way", () => {
  const { listSessions, noteProject, restore } = shellCommands("win32")
  expect(listSessions("C:\\it's", { database: "D:\\x.db", atLeast: 101 })).toBe(
    "cd 'C:\\it''s'; $env:OPENCODE_DB='D:\\x.db'; opencode session list -n 101",
  )
  expect(noteProject("/code/.git/opencode", "abc", true)).toBe(
    "git init -q '/code'; Set-Content -NoNewline -Path '/code/.git/opencode' -Value 'abc'",
  )
  expect(restore("a.db", "b", ["c"])).toBe(
    "Copy-Item -ErrorAction Stop 'b' 'a.db.restored'; Remove-Item -ErrorAction Ignore 'a.db-wal', 'a.db-shm', 'c'; Move-Item -Force 'a.db.restored' 'a.db'",
  )
  expect(restore("a.db", undefined, [])).toBe(
    "Remove-Item -ErrorAction Ignore 'a.db', 'a.db-wal', 'a.db-shm'",
  )
})

test("opencode is asked for more sessions only where it would not list all by itself", () => {
  const { listSessions } = shellCommands("linux")
  expect(listSessions("/a b", { atLeast: 100 })).toBe("cd '/a b' && opencode session list")
  expect(listSessions("/a", { atLeast: 101, database: "/x y.db" })).toBe(
    "cd /a && OPENCODE_DB='/x y.db' opencode session list -n 101",
  )
})
