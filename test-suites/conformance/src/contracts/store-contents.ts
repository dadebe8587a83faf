import type { Entry, Key, Storage } from "@sessile/core/storage"
import { ContractFailure, expectRejection } from "../assertions.js"
import { entriesOf } from "./records.js"
import { expectSameList } from "./same-list.js"

/** Fails unless the store holds exactly these records, which are given in order. */
export async function expectContents(
  storage: Storage,
  expected: readonly Entry<unknown>[],
  problem: string,
): Promise<void> {
  expectSameList(await entriesOf(storage.scan([])), expected, problem)
}

/** Fails unless reading `key` rejects with `NOT_FOUND`. */
export async function expectAbsent(storage: Storage, key: Key, problem: string): Promise<void> {
  await expectRejection(() => storage.read(key), "NOT_FOUND", problem, key)
}

/** What an action gives. Fails when it rejects. */
export async function expectSuccess<T>(action: () => Promise<T>, problem: string, key?: Key): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw new ContractFailure({ problem, key, expected: "success", actual: error })
  }
}
