import { pathToFileURL } from "node:url"
import type { Storage } from "@sessile/core/storage"
import { tsImport } from "tsx/esm/api"

/**
 * A kind of store to damage. It lives in a module of its own that exports it as `subject`, because the process that
 * reads damaged stores imports that module too.
 *
 * @example
 * ```ts
 * export const subject: Subject = {
 *   name: "my-storage",
 *   module: import.meta.url,
 *   prepare: async (folder) => {
 *     await using storage = await MyStorage.open({ path: folder })
 *     await fillStore(storage)
 *   },
 *   open: (folder, { readonly }) => MyStorage.open({ path: folder, readonly }),
 * }
 * ```
 */
export interface Subject {
  readonly name: string
  /** The address of the module that exports this subject: `import.meta.url`. */
  readonly module: string
  /** Makes the undamaged store in an empty folder, and lets go of it. */
  prepare(folder: string): Promise<void>
  /** Opens the store in a folder. */
  open(folder: string, options: { readonly readonly: boolean }): Promise<Storage>
  /** The store in a folder as an address for the program `sessile`. */
  address?(folder: string): string
  /** Whether a file is a log, whose end a crash may tear off: the loss of the last commit is no damage there. */
  isLog?(name: string): boolean
  /** Why altered bytes inside a record cannot be noticed, for a format without checksums. */
  readonly undetectable?: string
}

/**
 * Imports a subject from a module, given by path or address, in TypeScript or JavaScript.
 *
 * @throws Error when the module exports no `subject`
 */
export async function loadSubject(module: string): Promise<Subject> {
  const url = module.startsWith("file:") ? new URL(module) : pathToFileURL(module)
  // The loader marks the addresses of the modules that it has loaded, and does not know them by their marks.
  const address = new URL(url.pathname, url).href
  const namespace: unknown = /\.[mc]?ts$/.test(url.pathname)
    ? await tsImport(address, import.meta.url)
    : await import(address)
  const { subject } = namespace as { subject?: unknown }
  if (isSubject(subject)) return subject
  throw new Error(
    `${module} exports no subject: it needs \`export const subject = { name, module, prepare, open }\``,
  )
}

function isSubject(value: unknown): value is Subject {
  if (typeof value !== "object" || value === null) return false
  const { name, module, prepare, open } = value as Partial<Subject>
  return (
    typeof name === "string" &&
    typeof module === "string" &&
    typeof prepare === "function" &&
    typeof open === "function"
  )
}
