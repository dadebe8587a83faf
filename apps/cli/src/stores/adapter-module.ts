import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { Storage } from "@sessile/core/storage"
import { UsageError } from "../exit-code.js"
import { lookAt } from "./findings.js"

/** A module that opens stores which the program does not know. */
export interface AdapterModule {
  /**
   * Opens a store.
   *
   * @param address what stands behind `adapter:`
   */
  openStorage(address: string, options: { readonly readonly: boolean }): Promise<Storage> | Storage
}

/** Loads the module that was given with `--adapter`. */
export async function loadAdapter(path: string | undefined): Promise<AdapterModule> {
  if (path === undefined)
    throw new UsageError("An address adapter:… needs --adapter with the module that opens it")
  if ((await lookAt(resolve(path)))?.names !== undefined)
    throw new UsageError(`--adapter needs the path of a JavaScript module, and this is a folder (${path})`)
  const module: Partial<AdapterModule> = await importModule(path)
  if (typeof module.openStorage === "function") return module as AdapterModule
  throw new UsageError(`The adapter module ${path} must export a function openStorage(address, { readonly })`)
}

async function importModule(path: string): Promise<Partial<AdapterModule>> {
  try {
    return await import(pathToFileURL(resolve(path)).href)
  } catch (error) {
    throw new UsageError(`Cannot load the adapter module ${path}: ${(error as Error).message}`)
  }
}
