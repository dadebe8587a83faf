import { cp, rm } from "node:fs/promises"
import { fileError } from "@sessile/convert"
import { ExitCode, UsageError } from "../exit-code.js"
import { formatCountOf } from "../output/figures.js"
import { styled } from "../output/line.js"
import type { Output } from "../output/output.js"
import { quoteArgument } from "../output/quote-argument.js"
import { joinSections, listSection } from "../output/sections.js"
import { resolveSource } from "../stores/resolve-address.js"
import { ADAPTER, formatAddress } from "../stores/store-address.js"
import { storeKind } from "../stores/store-kinds.js"

/** `sessile repair`: makes a damaged store readable again, after a copy of it. */
export async function repairCommand(place: string, output: Output): Promise<ExitCode> {
  const address = await resolveSource(place)
  const store = formatAddress(address)
  const repair = address.kind === ADAPTER ? undefined : storeKind(address.kind).repair
  if (repair === undefined) {
    const instead = `sessile convert ${quoteArgument(store)} NEW.db copies all that can be read of it`
    throw new UsageError(`A store of kind ${address.kind} cannot be repaired in place; ${instead}`)
  }
  const copy = await copyOf(address.path)
  const { records, losses } = await repair(address.path).catch(async (error: unknown) => {
    await rm(copy, { recursive: true, force: true })
    throw error
  })
  const report = { schemaVersion: 1, command: "repair", store, copy, records, losses }
  if (output.json) await output.printJson(`${JSON.stringify(report, null, 2)}\n`)
  else if (!output.quiet) {
    const head = [
      styled("bold", `Repaired: ${formatCountOf(records, "record")}`),
      `  copy of before: ${copy}`,
    ]
    await output.print(joinSections([head, listSection("Lost", losses.length, losses)]))
  }
  if (losses.length > 0) output.warn("Some records could not be saved; the copy holds what is left of them.")
  return losses.length > 0 ? ExitCode.setAside : ExitCode.fine
}

async function copyOf(path: string): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[-:.]/g, "")
  const copy = `${path}.${stamp}.backup`
  try {
    await cp(path, copy, { recursive: true, errorOnExist: true, force: false })
    return copy
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    throw fileError("copy the store", copy, error)
  }
}
