import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { utimes, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { fileURLToPath } from "node:url"
import { copyDatabase } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { OpencodeStorage } from "./opencode-storage.js"

test("what a killed process left of a backup is removed by the next one", async () => {
  await using copy = await copyDatabase("native-1.18.34")
  const script = fileURLToPath(new URL("testing/killed-backup.mjs", import.meta.url))
  const [, signal] = await once(
    spawn(process.execPath, [script, copy.database], { stdio: "inherit" }),
    "exit",
  )
  expect(signal).toBe("SIGKILL")
  expect(partialsIn(copy.path)).toHaveLength(1)
  await using storage = await OpencodeStorage.open({ path: copy.database })
  await storage.backup()
  expect(partialsIn(copy.path)).toEqual([])
})

test("partial backups of processes that run, of other machines and of other databases stay", async () => {
  await using copy = await copyDatabase("native-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  const partial = (name: string) => `${copy.database}.20261115T232216099Z.backup.${name}.partial`
  const running = partial(`${hostname()}-${process.ppid}`)
  const [fresh, abandoned] = [partial("elsewhere.example-7"), partial("elsewhere.example-8")]
  const other = `${copy.database}-other.20261115T232216099Z.backup.${hostname()}-999999999.partial`
  for (const path of [running, fresh, abandoned, other]) await writeFile(path, "")
  await utimes(abandoned, 1, 1)
  await storage.backup()
  expect(partialsIn(copy.path).sort()).toEqual([running, fresh, other].map(nameOf).sort())
})

function partialsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.includes(".partial"))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}
