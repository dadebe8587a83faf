import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "@sessile/fixtures"
import { measureProcess } from "../measure-process.js"
import type { Side } from "./side.js"

const program = fileURLToPath(new URL("../../../../apps/cli/bin/sessile.js", import.meta.url))

const LEDGER = /([\d,]+) found = ([\d,]+) written/

/** Converts, and then compares every record with its source. */
export const sessile: Side = {
  name: "sessile convert",
  async run({ path, files }) {
    await using folder = await temporaryFolder()
    const args = [program, "convert", `json:${path}`, `sqlite:${join(folder.path, "store.db")}`]
    const figures = await measureProcess({ file: process.execPath, args })
    const [found, written] = (LEDGER.exec(figures.stdout) ?? []).slice(1).map(numberOf)
    if (found !== files || written !== files) {
      throw new Error(`sessile found ${found} of ${files} records and wrote ${written}`)
    }
    return figures
  },
}

function numberOf(written: string): number {
  return Number(written.replaceAll(",", ""))
}
