import { compareUtf8, isBelow, type Range, StorageError } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { fault } from "./fault.js"

/** Faults in what `list` selects and in which order. */
export const brokenList: readonly BrokenAdapter[] = [
  fault("keys are sorted with localeCompare", ["list/byte-order"], (sound) => ({
    list: async (prefix, range) =>
      (await sound.list(prefix, range)).sort((a, b) => a.join("/").localeCompare(b.join("/"))),
  })),
  fault("keys are sorted with a bare sort()", ["list/byte-order", "list/segment-order"], (sound) => ({
    list: async (prefix, range) => (await sound.list(prefix, range)).sort(),
  })),
  fault("keys are sorted as paths", ["list/segment-order"], (sound) => ({
    list: async (prefix, range) =>
      (await sound.list(prefix, range)).sort((a, b) => compareUtf8(a.join("/"), b.join("/"))),
  })),
  fault(
    "a prefix matches paths that start with it",
    ["list/strict-descendants", "list/boundary-keys"],
    (sound) => ({
      list: async (prefix) =>
        (await sound.list([])).filter((key) => key.join("/").startsWith(prefix.join("/"))),
    }),
  ),
  fault("a prefix matches its own record", ["list/strict-descendants"], (sound) => ({
    list: async (prefix) =>
      (await sound.list([])).filter((key) => prefix.every((segment, position) => segment === key[position])),
  })),
  fault("the empty prefix matches nothing", ["list/everything"], (sound) => ({
    list: async (prefix, range) => (prefix.length === 0 ? [] : sound.list(prefix, range)),
  })),
  fault("a prefix without records is not found", ["list/nothing"], (sound) => ({
    list: async (prefix, range) => {
      const keys = await sound.list(prefix, range)
      if (keys.length === 0) throw new StorageError("NOT_FOUND", "There is no such folder", { key: prefix })
      return keys
    },
  })),
  fault("only children are listed", ["list/deep-descendants", "list/everything"], (sound) => ({
    list: async (prefix, range) =>
      (await sound.list(prefix, range)).filter((key) => key.length === prefix.length + 1),
  })),
  mistaken("gt", "gte"),
  mistaken("gte", "gt"),
  mistaken("lt", "lte"),
  mistaken("lte", "lt"),
  fault("bounds take the place of the prefix", ["list/gt", "list/gte", "list/lt", "list/lte"], (sound) => ({
    list: (prefix, range = {}) => sound.list(hasBound(range) ? [] : prefix, range),
  })),
  fault("of two bounds the upper one is passed over", ["list/two-bounds"], (sound) => ({
    list: (prefix, range = {}) => {
      const isBoundBelow = range.gt !== undefined || range.gte !== undefined
      return sound.list(prefix, isBoundBelow ? { ...range, lt: undefined, lte: undefined } : range)
    },
  })),
  fault("limit is passed over", ["list/limit", "list/limit-zero"], (sound) => ({
    list: (prefix, range) => sound.list(prefix, { ...range, limit: undefined }),
  })),
  fault("limit is applied before the prefix", ["list/limit"], (sound) => ({
    list: async (prefix, range) => (await sound.list([], range)).filter((key) => isBelow(prefix, key)),
  })),
  fault("a limit of zero is none", ["list/limit-zero"], (sound) => ({
    list: (prefix, range) => sound.list(prefix, { ...range, limit: range?.limit || undefined }),
  })),
  fault("reverse is passed over", ["list/reverse"], (sound) => ({
    list: (prefix, range) => sound.list(prefix, { ...range, reverse: false }),
  })),
  fault("limit counts from the first key, reversed or not", ["list/reverse-within-range"], (sound) => ({
    list: async (prefix, { reverse, ...range } = {}) => {
      const keys = await sound.list(prefix, range)
      return reverse ? keys.reverse() : keys
    },
  })),
  fault("with reverse, bounds change places", ["list/reverse-within-range"], (sound) => ({
    list: (prefix, { gt, gte, lt, lte, ...range } = {}) =>
      sound.list(
        prefix,
        range.reverse ? { ...range, gt: lt, gte: lte, lt: gt, lte: gte } : { ...range, gt, gte, lt, lte },
      ),
  })),
  ...["\xFF", "\uFFFF"].map((end) =>
    fault(`descendants end at U+${end.charCodeAt(0).toString(16)}`, ["list/boundary-keys"], (sound) => ({
      list: async (prefix, range) =>
        (await sound.list(prefix, range)).filter((key) => compareUtf8(key[prefix.length] ?? "", end) < 0),
    })),
  ),
  fault(
    "a range that makes no sense is passed over",
    ["list/invalid-range", "list/invalid-bounds"],
    (sound) => ({
      list: (prefix, range) => sound.list(prefix, range).catch(() => sound.list(prefix)),
    }),
  ),
  fault("a listing ends after a thousand keys", ["list/many-keys"], (sound) => ({
    list: async (prefix, range) => (await sound.list(prefix, range)).slice(0, 1000),
  })),
]

type Bound = "gt" | "gte" | "lt" | "lte"

function mistaken(given: Bound, taken: Bound): BrokenAdapter {
  return fault(`${given} is taken for ${taken}`, [`list/${given}`], (sound) => ({
    list: (prefix, range = {}) => {
      const bound = range[given]
      return sound.list(
        prefix,
        bound === undefined ? range : { ...range, [given]: undefined, [taken]: bound },
      )
    },
  }))
}

function hasBound({ gt, gte, lt, lte }: Range): boolean {
  return [gt, gte, lt, lte].some((bound) => bound !== undefined)
}
