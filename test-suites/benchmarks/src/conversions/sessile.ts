import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { databasePath } from "@sessile/fixtures"
import { measureProcess, type ProcessFigures } from "../measure-process.js"
import type { Side, SourceStore } from "./side.js"

const program = fileURLToPath(new URL("../../../../apps/cli/bin/sessile.js", import.meta.url))

const LEDGER = /([\d,]+) found = ([\d,]+) written \+ ([\d,]+) already there/

/** Converts, and then compares every record with its source. */
export const sessile: Side = {
  name: "sessile convert",
  run(store, folder) {
    return convert(store, `sqlite:${join(folder, "store.db")}`)
  },
}

/** The same, into a database that opencode has made, which is copied first. */
export const sessileIntoOpencode: Side = {
  name: "sessile into opencode.db",
  async run(store, folder) {
    const database = join(folder, "opencode.db")
    await copyFile(databasePath("empty-1.18.34"), database)
    return convert(store, `opencode:${database}`)
  },
}

async function convert({ path, files }: SourceStore, target: string): Promise<ProcessFigures> {
  const args = [program, "convert", `json:${path}`, target]
  const figures = await measureProcess({ file: process.execPath, args })
  const [found, written = 0, present = 0] = (LEDGER.exec(figures.stdout) ?? []).slice(1).map(numberOf)
  // How far JSON files were migrated is known to every database, and nothing else is there.
  if (found !== files || written + present !== files || present > 1) {
    throw new Error(`sessile found ${found} of ${files} records and wrote ${written}`)
  }
  return figures
}

function numberOf(written: string): number {
  return Number(written.replaceAll(",", ""))
}
