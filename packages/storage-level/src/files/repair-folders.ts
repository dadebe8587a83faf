/** The folders within a store in which a repair works, by how far it has come. */
export const REPAIR_FOLDERS = {
  /** Holds a part of the new database. The old one is as it was. */
  building: "repair.building",
  /** Holds the new database. Files of the old one are being moved away. */
  built: "repair.built",
  /** Holds what is left of the new database, whose files are being moved to their place. */
  ready: "repair.ready",
} as const

/** Whether a repair was cut short while it replaced files, given the names in the folder of a store. */
export function isHalfRepaired(names: Iterable<string>): boolean {
  const { built, ready } = REPAIR_FOLDERS
  for (const name of names) if (name === built || name === ready) return true
  return false
}
