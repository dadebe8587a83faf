import { StorageError, type StorageErrorCode } from "@sessile/core/storage"
import { ContractFailure } from "../assertions.js"

/** What a store may say of an engine that fails. `NOT_FOUND`, for one, would be a lie. */
const engineCodes: readonly StorageErrorCode[] = ["IO", "FULL", "DENIED", "LOCKED", "READONLY"]

/** How a call ended. Fails when it rejects with anything but a `StorageError` that speaks of the engine. */
export async function outcomeOf(action: () => Promise<unknown>): Promise<"done" | StorageErrorCode> {
  try {
    await action()
    return "done"
  } catch (error) {
    if (error instanceof ContractFailure) throw error
    if (StorageError.is(error) && engineCodes.includes(error.code)) return error.code
    throw new ContractFailure({
      problem: "A failure of the engine did not come as a StorageError that speaks of it",
      expected: `a StorageError, one of ${engineCodes.join(", ")}`,
      actual: error,
    })
  }
}
