import { pathToFileURL } from "node:url"
import { tsImport } from "tsx/esm/api"
import type { Harness } from "./harness.js"

/**
 * Imports a harness from a module, given by path or address, in TypeScript or JavaScript.
 *
 * @throws Error when the module exports no `harness`
 */
export async function loadHarness(module: string): Promise<Harness> {
  const url = module.startsWith("file:") ? new URL(module) : pathToFileURL(module)
  const namespace: unknown = /\.[mc]?ts$/.test(url.pathname)
    ? await importTypeScript(url)
    : await import(url.href)
  const { harness } = namespace as { harness?: unknown }
  if (isHarness(harness)) return harness
  throw new Error(
    `${module} exports no harness: it needs \`export const harness = { name, module, create, … }\``,
  )
}

// The loader marks the addresses of the modules it has loaded, and does not know them by their marks.
function importTypeScript(url: URL): Promise<unknown> {
  return tsImport(new URL(url.pathname, url).href, import.meta.url)
}

function isHarness(value: unknown): value is Harness {
  if (typeof value !== "object" || value === null) return false
  const { name, module, create } = value as Partial<Harness>
  return typeof name === "string" && typeof module === "string" && typeof create === "function"
}
