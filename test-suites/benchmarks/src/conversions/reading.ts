import { fileURLToPath } from "node:url"
import { measureProcess } from "../measure-process.js"
import type { Side } from "./side.js"

const program = fileURLToPath(new URL("read-store.js", import.meta.url))

/** Merely reads all files: what no conversion can do without. */
export const reading: Side = {
  name: "reading",
  async run({ path, files }) {
    const figures = await measureProcess({ file: process.execPath, args: [program, path] })
    if (Number(figures.stdout) !== files) throw new Error(`${figures.stdout} of ${files} files were read`)
    return figures
  },
}
