import { mkdir, readdir, rename, rm, unlink } from "node:fs/promises"
import { setImmediate } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import type { SessionEvents } from "../event/session-events.js"
import { FileWatcher } from "./file-watcher.js"
import { EngineBench } from "./testing/engine-bench.js"
import { Folder } from "./testing/folder.js"
import { says } from "./testing/scripted-driver.js"

type Change = SessionEvents["file.watcher.updated"]

describe("FileWatcher", () => {
  it("tells of files that are added, changed and removed, also in folders below", async () => {
    await using folder = await Folder.create({ "src/deep/old.ts": "old" })
    using watched = await watchFolder(folder)
    await folder.write("new.ts", "new")
    await watched.change("new.ts", "add")
    await folder.write("src/deep/old.ts", "changed")
    await watched.change("src/deep/old.ts", "change")
    await unlink(folder.join("src/deep/old.ts"))
    await watched.change("src/deep/old.ts", "unlink")
    await rename(folder.join("new.ts"), folder.join("src/moved.ts"))
    await watched.change("new.ts", "unlink")
    await watched.change("src/moved.ts", "add")
  })

  it("follows folders that come, go and are replaced", async () => {
    await using folder = await Folder.create({ "outside/a/b/file.ts": "", "inside/x": "" })
    using watched = await watchFolder(folder, "inside")
    await rename(folder.join("outside/a"), folder.join("inside/a"))
    await watched.change("inside/a/b/file.ts", "add")
    await folder.write("inside/a/b/later.ts", "")
    await watched.change("inside/a/b/later.ts", "add")
    await rename(folder.join("inside/a"), folder.join("outside/a"))
    await watched.change("inside/a/b/file.ts", "unlink")
    await watched.change("inside/a/b/later.ts", "unlink")
    await folder.write("inside/a", "now a file")
    await watched.change("inside/a", "add")
    await unlink(folder.join("inside/a"))
    await mkdir(folder.join("inside/a"))
    await watched.change("inside/a", "unlink")
    await folder.write("inside/a/again.ts", "")
    await watched.change("inside/a/again.ts", "add")
    await rm(folder.join("inside/a"), { recursive: true })
    await watched.change("inside/a/again.ts", "unlink")
  })

  it("looks neither into folders of tools nor at what is outside", async () => {
    const ignored = [".git/HEAD", "node_modules/x/index.js", "packages/x/dist/index.js"]
    await using folder = await Folder.create(Object.fromEntries(ignored.map((file) => [`in/${file}`, ""])))
    using watched = await watchFolder(folder, "in")
    for (const file of ignored) await folder.write(`in/${file}`, "changed")
    await folder.write("in/coverage/index.html", "")
    await folder.write("out.ts", "")
    await folder.write("in/packages/x/last", "")
    await watched.change("in/packages/x/last", "add")
    expect(new Set(watched.changes.map(({ file }) => file))).toEqual(
      new Set([folder.join("in/packages/x/last")]),
    )
  })

  it("tells nothing more once it is closed", async () => {
    await using folder = await Folder.create()
    using closed = await watchFolder(folder)
    using open = await watchFolder(folder)
    closed.watcher.close()
    await folder.write("file.ts", "")
    await open.change("file.ts", "add")
    expect(closed.changes).toEqual([])
  })

  it("gives up once, with the reason, when its folder cannot be watched", async () => {
    await using folder = await Folder.create()
    using watched = await watchFolder(folder, "missing")
    expect(watched.errors).toMatchObject([{ code: "ENOENT" }])
  })
})

describe("an engine", () => {
  it("tells of files in its worktree where that is set, until it is closed", async () => {
    await using folder = await Folder.create()
    const settings = { titles: false, watchFiles: true }
    const bench = new EngineBench({ worktree: folder.path, settings })
    const told = bench.next("file.watcher.updated")
    await folder.write("new.ts", "")
    expect(await told).toEqual({ file: folder.join("new.ts"), event: "add" })

    await bench.engine.close()
    const count = bench.events.length
    using open = await watchFolder(folder)
    await folder.write("later.ts", "")
    await open.change("later.ts", "add")
    expect(bench.events).toHaveLength(count)
  })

  it("works on, and says so once, where nothing can be watched", async () => {
    const settings = { titles: false, watchFiles: true }
    const bench = new EngineBench({ worktree: "/home/dev/missing", settings, replies: [says("Hello")] })
    await bench.ask("Hi")
    const errors = bench.events.filter(({ type }) => type === "session.error")
    expect(errors).toMatchObject([{ properties: { error: { name: "UnknownError" } } }])
  })

  it("does not watch a whole file system", async () => {
    const settings = { titles: false, watchFiles: true }
    const bench = new EngineBench({ worktree: "/", settings })
    // If it did, it would have come to the temporary folder by now.
    for (const _ of await readdir("/")) await setImmediate()
    await using folder = await Folder.create()
    using open = await watchFolder(folder)
    await folder.write("file.ts", "")
    await open.change("file.ts", "add")
    await bench.engine.close()
    expect(bench.events).toEqual([])
  })
})

/** What a watcher tells of a folder, or of one in it. */
async function watchFolder(folder: Folder, inner = ".") {
  const changes: Change[] = []
  const errors: unknown[] = []
  let onChange: () => void = () => undefined
  const watcher = new FileWatcher({
    folder: folder.join(inner),
    onError: (error) => errors.push(error),
    onChange: (change) => {
      changes.push(change)
      onChange()
    },
  })
  await watcher.started
  return {
    watcher,
    changes,
    errors,
    /** Resolves when this was told, since the watcher started. */
    change: (name: string, event: Change["event"]) =>
      new Promise<void>((resolve) => {
        onChange = () => {
          const isTold = changes.some((each) => each.file === folder.join(name) && each.event === event)
          if (isTold) resolve()
        }
        onChange()
      }),
    [Symbol.dispose]: () => watcher.close(),
  }
}
