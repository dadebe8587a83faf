import { ClassicLevel } from "classic-level"
import type { SampleRecord, SampleSession } from "../sample-records.js"
import type { StoreKind } from "./store.js"

/** classic-level by hand, without `sync`: a resolved write is with the operating system, not yet on the disk. */
export const classicLevel: StoreKind = {
  name: "classic-level",
  mostSessions: 100_000,
  async open(folder) {
    const level = new ClassicLevel<string, string>(folder)
    await level.open()
    const below = async function* (prefix: string) {
      for await (const [key, text] of level.iterator({ gt: `${prefix}/`, lt: `${prefix}0` })) {
        yield { key, value: JSON.parse(text) }
      }
    }
    const atIndexEntries = async (keys: readonly string[]) => {
      const texts = await level.getMany(keys.map((key) => key.slice(key.lastIndexOf("#") + 1)))
      return texts.map((text) => JSON.parse(text as string) as SampleSession)
    }
    return {
      async write(records) {
        for (const { key, value } of records) await level.put(key.join("/"), JSON.stringify(value))
      },
      async read(keys) {
        for (const key of keys) JSON.parse(level.getSync(key.join("/")) as string)
      },
      batch: (records) => level.batch(records.map(put)),
      scanMessages: () => countOf(below("message")),
      async loadSession(sessionID) {
        let count = 0
        for await (const { value } of below(`message/${sessionID}`)) {
          count += 1 + (await countOf(below(`part/${value.id}`)))
        }
        return count
      },
      addSessions: (sessions) =>
        level.batch(
          sessions.flatMap(({ key, value }) => [
            put({ key, value }),
            indexed(`updated#${value.time.updated}#${key.join("/")}`),
            indexed(`parent#${value.parentID ?? ""}#${value.time.created}#${key.join("/")}`),
          ]),
        ),
      async newest(limit) {
        return atIndexEntries(
          await level.keys({ gt: "updated#", lt: "updated$", reverse: true, limit }).all(),
        )
      },
      async children(parentID) {
        return atIndexEntries(
          await level.keys({ gt: `parent#${parentID}#`, lt: `parent#${parentID}$` }).all(),
        )
      },
      close: () => level.close(),
    }
  },
}

function put({ key, value }: SampleRecord) {
  return { type: "put", key: key.join("/"), value: JSON.stringify(value) } as const
}

function indexed(key: string) {
  return { type: "put", key, value: "" } as const
}

async function countOf(values: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of values) count++
  return count
}
