import { execFile } from "node:child_process"
import { readdir, readFile, stat, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type PackedPackages, packPackages, publishedFolders, workspacePath } from "./packed-packages.js"

const run = promisify(execFile)

let packed: PackedPackages
beforeAll(async () => {
  packed = await packPackages()
})
afterAll(() => packed?.[Symbol.asyncDispose]())

describe.each(publishedFolders)("%s", (folder) => {
  test("ships code, types, maps, sources, readme and licence, and no tests", () => {
    const files = packed.files[folder] ?? []
    expect(files).toContain("package/README.md")
    expect(files).toContain("package/LICENSE")
    const code = files.filter((file) => /^package\/dist\/.*\.js$/.test(file))
    expect(code.length).toBeGreaterThan(0)
    for (const file of code) {
      expect(files).toContain(`${file}.map`)
      expect(files).toContain(file.replace(/\.js$/, ".d.ts"))
      expect(files).toContain(file.replace(/^package\/dist\/(.*)\.js$/, "package/src/$1.ts"))
    }
    expect(files.filter((file) => /\.test\.|tsbuildinfo|\/testing\//.test(file))).toEqual([])
  })

  test("names no workspace version and supports the promised versions of Node", async () => {
    const { name, ...manifest } = await manifestOf(folder)
    const installed = JSON.parse(
      await readFile(join(packed.project, "node_modules", name, "package.json"), "utf8"),
    )
    expect(JSON.stringify(installed)).not.toMatch(/workspace:|catalog:/)
    expect(installed).toMatchObject({ license: "MIT", type: "module", engines: { node: ">=20.19" } })
    expect(Object.keys(installed.exports)).toEqual(Object.keys(manifest.exports))
  })

  test("every export can be imported, and its maps lead to shipped sources", async () => {
    const { name, exports } = await manifestOf(folder)
    for (const [subpath, target] of Object.entries(exports)) {
      // Tests can be declared only inside a test runner.
      if (!target.endsWith(".js") || ["./vitest", "./node-test"].includes(subpath)) continue
      const specifier = join(name, subpath)
      const script = `const names = Object.keys(await import(${JSON.stringify(specifier)})); console.log(names.length)`
      const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], {
        cwd: packed.project,
      })
      expect(Number(stdout), specifier).toBeGreaterThan(0)
    }
    const dist = join(packed.project, "node_modules", name, "dist")
    for (const file of await readdir(dist, { recursive: true })) {
      if (!file.endsWith(".map")) continue
      const map = join(dist, file)
      for (const source of JSON.parse(await readFile(map, "utf8")).sources)
        await stat(resolve(dirname(map), source))
    }
  })
})

describe.each(["nodenext", "bundler"])("with module resolution %s", (moduleResolution) => {
  test("every export has types that a strict consumer can use", async () => {
    const lines: string[] = []
    for (const folder of publishedFolders) {
      const { name, exports } = await manifestOf(folder)
      for (const [subpath, target] of Object.entries(exports)) {
        if (target.endsWith(".js")) lines.push(`export * as e${lines.length} from "${join(name, subpath)}"`)
      }
    }
    const consumer = `
      import { MemoryStorage, type Storage } from "@sessile/core/storage"
      import { type Session } from "@sessile/core/model"
      import { JsonStorage } from "@sessile/storage-json"
      export const open = async (path: string): Promise<Storage> => JsonStorage.open({ path })
      export const title = async () => (await new MemoryStorage().read<Session>(["session", "p", "s"])).title.length
      // @ts-expect-error: an option that does not exist
      export const misspelt = JsonStorage.open({ path: ".", readOnly: true })`
    await writeFile(join(packed.project, "consumer.ts"), [...lines, consumer].join("\n"))
    const module = moduleResolution === "bundler" ? "esnext" : "nodenext"
    const compilerOptions = {
      module,
      moduleResolution,
      target: "es2023",
      strict: true,
      noEmit: true,
      typeRoots: [workspacePath("packages/core/node_modules/@types")],
      types: ["node"],
    }
    const config = join(packed.project, `tsconfig.${moduleResolution}.json`)
    await writeFile(config, JSON.stringify({ compilerOptions, files: ["consumer.ts"] }))
    await run(process.execPath, [
      workspacePath("node_modules/typescript/bin/tsc"),
      "--project",
      config,
    ]).catch((error) => {
      throw new Error(error.stdout)
    })
  })
})

test("the installed program converts its sample", async () => {
  const { stdout } = await run(join(packed.project, "node_modules", ".bin", "sessile"), ["demo"])
  expect(stdout).toContain("59 found = 59 written")
})

test("the adapter of the guide, pasted as it stands, conforms", async () => {
  const guide = await readFile(join(packed.project, "node_modules/@sessile/conformance/README.md"), "utf8")
  const examples = [...guide.matchAll(/<!-- example: (\S+) -->\n```ts\n(.*?)```/gs)]
  expect(examples.map(([, name]) => name)).toEqual(["log-storage.ts", "harness.ts"])
  for (const [, name = "", code = ""] of examples) await writeFile(join(packed.project, name), code)

  const command = join(packed.project, "node_modules", ".bin", "sessile-conformance")
  const { stdout } = await run(command, ["./harness.ts", "--json"], { cwd: packed.project })
  const { conforms, capabilities, failed, passed } = JSON.parse(stdout)
  expect({ conforms, failed, ...capabilities }).toEqual({
    conforms: true,
    failed: 0,
    durable: true,
    atomicBatch: true,
    multiProcess: false,
    snapshots: false,
    checksums: false,
  })
  expect(passed).toBeGreaterThan(100)
})

async function manifestOf(folder: string): Promise<{ name: string; exports: Record<string, string> }> {
  return JSON.parse(await readFile(join(workspacePath(folder), "package.json"), "utf8"))
}
