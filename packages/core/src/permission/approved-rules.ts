import { checkModel } from "../model/check-model.js"
import { type PermissionRule, PermissionRuleset } from "../model/permission.js"
import { KeyLock } from "../storage/key-lock.js"
import type { Storage } from "../storage/storage.js"
import { StorageError } from "../storage/storage-error.js"

/** What people have allowed with `always`. */
export interface ApprovedRules {
  read(): Promise<PermissionRuleset>
  /** Adds those that are not there yet. */
  add(rules: readonly PermissionRule[]): Promise<void>
}

/** Holds as long as the object that comes back. */
export function approvedInMemory(): ApprovedRules {
  const approved: PermissionRuleset = []
  return {
    read: async () => approved,
    add: async (rules) => addNew(approved, rules),
  }
}

/** Stored under `["permission", projectID]`, where opencode looks for it too. */
export function approvedInStorage(storage: Storage, projectID: string): ApprovedRules {
  const key = ["permission", projectID]
  const locks = new KeyLock()
  return {
    read: async () => checkModel(PermissionRuleset, await orAbsent(storage.read(key), [])),
    add: (rules) =>
      locks.exclusive(projectID, async () => {
        const edit = (approved: PermissionRuleset) => addNew(checkModel(PermissionRuleset, approved), rules)
        const updated = await orAbsent(storage.update(key, edit), undefined)
        if (updated === undefined) await storage.write(key, rules)
      }),
  }
}

function addNew(approved: PermissionRuleset, rules: readonly PermissionRule[]): void {
  for (const rule of rules) {
    const isThere = approved.some(({ permission, pattern, action }) => {
      return permission === rule.permission && pattern === rule.pattern && action === rule.action
    })
    if (!isThere) approved.push(rule)
  }
}

async function orAbsent<T, U>(reading: Promise<T>, absent: U): Promise<T | U> {
  try {
    return await reading
  } catch (error) {
    if (StorageError.is(error, "NOT_FOUND")) return absent
    throw error
  }
}
