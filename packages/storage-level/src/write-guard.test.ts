import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { temporaryFolder } from "@sessile/fixtures"
import { Level } from "level"
import { afterEach, expect, test, vi } from "vitest"
import { LevelStorage } from "./level-storage.js"
import { sessionKey } from "./testing/sessions.js"

const run = promisify(execFile)

afterEach(() => {
  vi.restoreAllMocks()
})

test("on a small medium records are FULL while there is room to remove some, to close and to open", async (context) => {
  await using folder = await temporaryFolder()
  const script = fileURLToPath(new URL("testing/fill-small-medium.mjs", import.meta.url))
  const onMedium = 'mount -t tmpfs -o size=8m none "$0" && exec "$@"'
  const command = ["--mount", "--map-root-user", "sh", "-c", onMedium, folder.path]
  const obstacle = await run("unshare", [...command, "true"]).then(
    () => undefined,
    (error: Error) =>
      `needs the right to mount file systems in a namespace (${error.message.split("\n")[0]})`,
  )
  if (obstacle !== undefined) {
    process.stderr.write(`Skipped "${context.task.name}": ${obstacle}\n`)
    context.skip(obstacle)
  }
  const { stdout } = await run("unshare", [...command, process.execPath, script, folder.path])
  expect(JSON.parse(stdout)).toEqual({ refusal: "FULL", again: "FULL", some: true, same: true })
})

test("after a write that failed, nothing is written until the store is opened again", async () => {
  await using folder = await temporaryFolder()
  await using storage = await LevelStorage.open({ path: folder.path })
  await storage.write(["a"], 1)
  const message = "IO error: 000003.log: No space left on device"
  const failure = Object.assign(new Error(message), { code: "LEVEL_IO_ERROR" })
  vi.spyOn(Level.prototype, "put").mockRejectedValueOnce(failure)
  await expect(storage.write(["b"], 2)).rejects.toMatchObject({ code: "FULL", cause: failure })

  const changes = [
    () => storage.write(["b"], 2),
    () => storage.write(sessionKey(0), {}),
    () => storage.update(["a"], () => undefined),
    () => storage.remove(["a"]),
    () => storage.batch([{ type: "remove", key: ["a"] }]),
  ]
  for (const change of changes) {
    const error = { code: "FULL", message: expect.stringContaining("open it again") }
    await expect(change()).rejects.toMatchObject(error)
  }
  expect(await storage.read(["a"])).toBe(1)
  await storage.close()
  await using reopened = await LevelStorage.open({ path: folder.path })
  await reopened.write(["b"], 2)
  expect(await reopened.list([])).toEqual([["a"], ["b"]])
})
