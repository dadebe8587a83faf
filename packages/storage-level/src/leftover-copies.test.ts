import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "@sessile/fixtures"
import { afterEach, expect, test, vi } from "vitest"
import { LevelStorage } from "./level-storage.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

test("the copy of a reader that was killed is removed at the next reading, that of one that runs is not", async () => {
  await using folder = await temporaryFolder()
  const [path, temporary] = [join(folder.path, "store"), join(folder.path, "tmp")]
  await mkdir(temporary)
  vi.stubEnv("TMPDIR", temporary)
  await using writer = await LevelStorage.open({ path })
  await writer.write(["a"], 1)
  await writer.close()
  const [killed, running] = [await startReading(path), await startReading(path)]
  try {
    expect(await readdir(temporary)).toHaveLength(2)
    killed.kill("SIGKILL")
    await once(killed, "exit")
    await using reader = await LevelStorage.open({ path, readonly: true })
    expect(await reader.read(["a"])).toBe(1)
    const pids = (await readdir(temporary)).map((name) => Number(name.split("-").at(-2)))
    expect(pids.sort()).toEqual([process.pid, running.pid].sort())
  } finally {
    killed.kill("SIGKILL")
    running.kill("SIGKILL")
  }
})

test("without a folder for temporary files, reading fails with an error that names it", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "store")
  await using writer = await LevelStorage.open({ path })
  await writer.close()
  vi.stubEnv("TMPDIR", join(folder.path, "missing"))
  await expect(LevelStorage.open({ path, readonly: true })).rejects.toMatchObject({
    code: "IO",
    message: expect.stringContaining(join(folder.path, "missing")),
  })
})

async function startReading(path: string) {
  const script = fileURLToPath(new URL("testing/read-held.mjs", import.meta.url))
  const child = spawn(process.execPath, [script, path], { stdio: ["ignore", "pipe", "inherit"] })
  await once(child.stdout, "data")
  return child
}
