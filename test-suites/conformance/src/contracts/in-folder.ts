import { readdir } from "node:fs/promises"
import { ContractSkip } from "../contract.js"
import type { Lab } from "../lab.js"

/** Skips the contract when a store that has written something keeps it elsewhere than in its folder. */
export async function skipUnlessInFolder({ folder }: Lab): Promise<void> {
  if ((await readdir(folder)).length === 0) throw new ContractSkip("the store keeps nothing in its folder")
}
