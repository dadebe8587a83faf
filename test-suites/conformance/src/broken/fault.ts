import type { Storage, TextStorage } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { WrappedStorage } from "./wrapped-storage.js"

/** A broken adapter, in memory unless said otherwise: a sound store with some of its members replaced. */
export function fault(
  name: string,
  caughtBy: readonly string[],
  replacements: (sound: Storage) => Partial<Storage>,
  over: BrokenAdapter["over"] = "memory",
): BrokenAdapter {
  return { name, caughtBy, over, wrap: (sound) => altered(sound, replacements(sound)) }
}

/** A store that passes everything on to another one, except for what is replaced. */
export function altered(sound: Storage, replacements: Partial<Storage>): Storage {
  // Not Object.assign, which would call getters and cannot replace them.
  return Object.defineProperties(new WrappedStorage(sound), Object.getOwnPropertyDescriptors(replacements))
}

/** Like {@link altered}, but with the bulk methods of the other store. */
export function alteredBulk(sound: TextStorage, replacements: Partial<TextStorage>): TextStorage {
  return new Proxy(sound, {
    get: (target, name) => {
      const member = Reflect.get(name in replacements ? replacements : target, name, target)
      return typeof member === "function" ? member.bind(target) : member
    },
  })
}
