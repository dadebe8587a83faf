import type { Key } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { WrappedStorage } from "./wrapped-storage.js"

/** A fault that only an unlucky sequence of operations shows. */
export const brokenModel: readonly BrokenAdapter[] = [
  {
    name: "a record written right after its removal is gone",
    caughtBy: ["model/random-operations"],
    over: "memory",
    wrap: (sound) =>
      new (class extends WrappedStorage {
        #removed = ""
        override async remove(key: Key) {
          this.#removed = key.join("\0")
          await super.remove(key)
        }
        override async write(key: Key, value: unknown) {
          if (key.join("\0") !== this.#removed) await super.write(key, value)
          this.#removed = ""
        }
      })(sound),
  },
]
