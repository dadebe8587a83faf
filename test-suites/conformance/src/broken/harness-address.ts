// Child processes cannot load TypeScript from the sources, whoever loaded this module.
const builtModules = new URL("../../dist/broken/", import.meta.url)

/** The address by which other processes find the harness of the adapter with this name. */
export function harnessAddress(module: string, name: string): string {
  const url = new URL(module, builtModules)
  url.searchParams.set("adapter", name)
  return url.href
}

/** The name in such an address. */
export function nameIn(address: string): string | null {
  return new URL(address).searchParams.get("adapter")
}
