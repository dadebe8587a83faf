import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { command, outcome } from "./run-command.js"

const core = JSON.stringify(import.meta.resolve("@sessile/core/storage"))

/** A harness around a store with these members, or of which opening does this. */
const harnessWith = (members: string, open = "new Hanging()") => `
  import { MemoryStorage } from ${core}
  const never = () => new Promise(() => setInterval(() => undefined, 1_000))
  const loop = () => { for (;;); }
  class Hanging extends MemoryStorage { ${members} }
  export const harness = { name: "hanging", module: import.meta.url, create: async () => ${open} }`

const hanging = [
  {
    where: "open",
    module: harnessWith("", "never()"),
    says: "The harness opened and closed no store within 2 seconds",
  },
  { where: "open, in a loop", module: harnessWith("", "loop()"), says: "The harness blocked" },
  {
    where: "a method",
    module: harnessWith("write() { return never() }"),
    says: "3 contracts took longer than 2 seconds",
  },
  {
    where: "a method, in a loop",
    module: harnessWith("async write() { for (;;); }"),
    says: "blocked the process",
  },
  {
    where: "an iteration",
    module: harnessWith("async *scan() { await never() }"),
    says: "Nothing came of it",
  },
  {
    where: "close, after the first store",
    module: harnessWith(
      "close() { return Hanging.closed++ === 0 ? super.close() : never() } static closed = 0",
    ),
    says: "3 contracts took longer than 2 seconds",
  },
]

test.concurrent.each(hanging)(
  "the command ends by itself when the adapter hangs in $where",
  async ({ module, says }) => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "harness.mjs")
    await writeFile(path, module)
    const temporary = { TMPDIR: folder.path }
    const ids = ["read-write/", "remove/", "scan/values-with-keys"].flatMap((id) => ["--only", id])
    const { code, stdout, stderr } = await outcome(command, [path, "--time-limit", "2", ...ids], temporary)
    expect(code).toBe(1)
    expect(stdout + stderr).toContain(says)
    if (stdout !== "") expect(stdout).toMatch(/Does not conform|What failed/)
    // Neither its folders nor its processes are left.
    expect(await readdir(folder.path)).toEqual(["harness.mjs"])
  },
)

test("a process of a contract ends with the command", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "harness.mjs")
  await writeFile(
    path,
    `import { appendFileSync } from "node:fs"
    import { MemoryStorage } from ${core}
    class Shared extends MemoryStorage {
      capabilities = { ...super.capabilities, durable: true, multiProcess: true, atomicBatch: true, snapshots: true, checksums: false }
    }
    export const harness = {
      name: "hangs in other processes",
      module: import.meta.url,
      create: async () => new Shared(),
      reopen: async () => {
        appendFileSync(${JSON.stringify(join(folder.path, "processes"))}, process.pid + "\\n")
        for (;;);
      },
    }`,
  )
  const { code, stdout } = await outcome(command, [
    path,
    "--time-limit",
    "2",
    "--only",
    "processes/writes-are-seen",
  ])
  expect(code).toBe(1)
  expect(stdout).toContain("✗ processes/writes-are-seen")
  const pids = (await readFile(join(folder.path, "processes"), "utf8")).trim().split("\n").map(Number)
  expect(pids.length).toBe(1)
  for (const pid of pids) expect(await stateOf(pid)).toMatch(/^(Z|$)/)
})

test("progress is shown on a pipe, one line for each contract, and not in the report", async () => {
  const memory = new URL("./memory.ts", import.meta.url).pathname
  const { code, stdout, stderr } = await outcome(command, [
    memory,
    "--only",
    "read-write/",
    "--json",
    "--seed",
    "7",
  ])
  expect(code).toBe(0)
  const { passed } = JSON.parse(stdout) as { passed: number }
  expect(stderr).toContain(`${passed} contracts, seed 7\n1/${passed} read-write/`)
  expect(stderr).toMatch(new RegExp(`^${passed}/${passed} read-write/\\S+ passed$`, "m"))
})

test("the command refuses a time limit that is none", async () => {
  for (const limit of ["0", "-1", "soon", "1e9"]) {
    const result = await outcome(command, ["./harness.js", `--time-limit=${limit}`])
    expect(result).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--time-limit takes a number of seconds"),
    })
  }
})

/** The state of a process: nothing when it is gone, Z when it has ended and nobody has asked for its exit code. */
async function stateOf(pid: number): Promise<string> {
  return (await outcome("ps", ["-o", "stat=", "-p", String(pid)])).stdout.trim()
}
