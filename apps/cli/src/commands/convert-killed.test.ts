import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { convert } from "@sessile/convert"
import { temporaryFolder } from "@sessile/fixtures"
import { JsonStorage } from "@sessile/storage-json"
import { LevelStorage } from "@sessile/storage-level"
import { SqliteStorage } from "@sessile/storage-sqlite"
import { expect, test } from "vitest"
import { fillStore } from "../testing/many-records.js"
import { sessile } from "../testing/program.js"

const program = fileURLToPath(new URL("../../bin/sessile.js", import.meta.url))
const kinds = ["sqlite", "json", "level"] as const

// The next run happens in this process, where it costs no start of another one.
const open = {
  sqlite: (path: string) => SqliteStorage.open({ path }),
  json: (path: string) => JsonStorage.open({ path }),
  level: (path: string) => LevelStorage.open({ path }),
}
const POINTS = 50

test("killed at any of 50 random moments, the target opens and the next run converges", {
  timeout: 900_000,
}, async () => {
  await using folder = await temporaryFolder()
  const address = `json:${join(folder.path, "source")}`
  const found = await fillStore(join(folder.path, "source"), 16)
  await using source = await JsonStorage.open({ path: join(folder.path, "source"), readonly: true })
  const durations = new Map<string, number>()
  for (const kind of kinds)
    durations.set(kind, await timeOf(address, `${kind}:${join(folder.path, `whole-${kind}`)}`))

  let cutShort = 0
  for (let point = 0; point < POINTS; point++) {
    const kind = kinds[point % kinds.length] as (typeof kinds)[number]
    const place = join(folder.path, `target-${point}`)
    const patience = Math.random() * (durations.get(kind) as number)
    cutShort += (await killAfter(patience, address, `${kind}:${place}`)) ? 1 : 0

    await using target = await open[kind](place)
    await using conversion = await convert({ source, target })
    const { written, present, setAside } = conversion.totals
    expect({ patience, kind, sum: written + present, setAside }).toMatchObject({ sum: found, setAside: 0 })
    expect(conversion.verification).toMatchObject({ compared: found, missing: [], different: [] })
  }
  expect(cutShort).toBeGreaterThan(POINTS / 2)
})

async function timeOf(source: string, target: string): Promise<number> {
  const start = performance.now()
  expect((await sessile(["convert", source, target, "--quiet"])).code).toBe(0)
  return performance.now() - start
}

/** Whether the program was still at work. */
async function killAfter(patience: number, source: string, target: string): Promise<boolean> {
  const child = spawn(process.execPath, [program, "convert", source, target, "--quiet"], { stdio: "ignore" })
  const exit = once(child, "exit")
  await Promise.race([setTimeout(patience), exit])
  child.kill("SIGKILL")
  const [, signal] = await exit
  return signal === "SIGKILL"
}
