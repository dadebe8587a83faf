import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { fileError } from "@sessile/convert"
import type { ExitCode } from "../exit-code.js"
import type { Output } from "../output/output.js"
import { convertCommand } from "./convert.js"

const sample = fileURLToPath(new URL("../../sample", import.meta.url))

/** `sessile demo`: converts a small store that opencode 1.1.65 wrote into a temporary folder. */
export async function demoCommand(output: Output): Promise<ExitCode> {
  const folder = await mkdtemp(join(tmpdir(), "sessile-demo-")).catch((error: unknown) => {
    throw fileError("make a folder for the demonstration", tmpdir(), error)
  })
  const places = [`json:${sample}`, `sqlite:${join(folder, "history.db")}`]
  return convertCommand(places, { verify: true }, output)
}
