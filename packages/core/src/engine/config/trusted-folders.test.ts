import { chmod, mkdir, stat, symlink, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { describe, expect, it } from "vitest"
import { Folder } from "../testing/folder.js"
import { TrustedFolders } from "./trusted-folders.js"

describe("TrustedFolders", () => {
  it("trusts nothing until the user decides, and then what was decided, in every process", async () => {
    await using folder = await Folder.create({ "work/inner/x": "", "other/x": "" })
    const trust = open(folder)
    expect(await trust.has(folder.join("work"))).toBe(false)
    await trust.add(folder.join("work"))
    await trust.add(folder.join("work"))
    const later = open(folder)
    expect(await later.has(folder.join("work"))).toBe(true)
    for (const other of ["work/inner", "other", "."]) expect(await later.has(folder.join(other))).toBe(false)
    await later.remove(folder.join("work"))
    expect(await trust.list()).toEqual([])
  })

  it("knows a folder by where its path leads", async () => {
    await using folder = await Folder.create({ "work/x": "", "other/x": "" })
    await symlink(folder.join("work"), folder.join("link"))
    const trust = open(folder)
    await trust.add(folder.join("link"))
    expect(await trust.has(folder.join("other/../work"))).toBe(true)
    expect(await trust.list()).toEqual([folder.join("work")])
  })

  it("loses none of several decisions at once", async () => {
    await using folder = await Folder.create()
    const trust = open(folder)
    await Promise.all(["a", "b", "c"].map((name) => trust.add(folder.join(name))))
    expect(await trust.list()).toHaveLength(3)
  })

  it.skipIf(process.platform === "win32")("keeps its file to its owner", async () => {
    await using folder = await Folder.create()
    await open(folder).add(folder.path)
    const file = folder.join("config/sessile/trusted-folders.json")
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)
    await chmod(file, 0o666)
    await expect(open(folder).has(folder.path)).rejects.toThrow(/others can write/)
  })

  it("refuses a file that is no such list", async () => {
    await using folder = await Folder.create()
    const file = folder.join("trust.json")
    await writeFile(file, "[]", { mode: 0o600 })
    await expect(new TrustedFolders({ file }).list()).rejects.toThrow(/trust\.json:1:1: .*no list/)
    await mkdir(folder.join("no"))
    expect(() => new TrustedFolders({ environment: { variables: {} } })).toThrow(/no home folder/)
  })
})

function open(folder: Folder): TrustedFolders {
  const variables = { XDG_CONFIG_HOME: folder.join("config") }
  return new TrustedFolders({ environment: { platform: "linux", variables } })
}
