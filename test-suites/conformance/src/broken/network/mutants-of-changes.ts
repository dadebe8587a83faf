import type { TextEntry, TextOperation, TextRecord } from "@sessile/core/storage"
import { EngineError, PAGE } from "./engine.js"
import type { NetworkMutant } from "./network-mutant.js"
import { NetworkStorage, slices } from "./network-storage.js"
import { NetworkServer, Session } from "./server.js"

type Present = Promise<readonly (TextEntry | undefined)[]>

/** Faults in how changes are carried out by several requests, and by several clients. */
export const mutantsOfChanges: readonly NetworkMutant[] = [
  {
    name: "a batch of thousands is a transaction for each 1,000 operations",
    caughtBy: [
      "batch/thousands-seen-as-a-whole",
      "batch/thousands-read-as-a-whole",
      "failures/batch",
      "crash/batches-of-thousands-are-whole",
    ],
    storage: class extends NetworkStorage {
      protected override async _batch(operations: readonly TextOperation[]) {
        for (const some of slices(operations, PAGE)) await super._batch(some)
      }
    },
  },
  {
    name: "batches lock their records in the order of their operations",
    caughtBy: ["batch/thousands-in-opposite-order"],
    storage: class extends NetworkStorage {
      protected override inLockingOrder<T>(items: readonly T[]): readonly T[] {
        return items
      }
    },
  },
  {
    name: "others see what a transaction has not committed",
    caughtBy: ["batch/thousands-seen-as-a-whole", "batch/thousands-read-as-a-whole"],
    server: class extends NetworkServer {
      protected override openSession() {
        return new (class extends Session {
          override async put(id: number, operations: readonly TextOperation[]) {
            await super.put(id, operations)
            this.server.commit(this.transaction(id).changes)
          }
        })(this)
      }
    },
  },
  {
    name: "a batch is acknowledged though its later parts failed",
    caughtBy: ["failures/batch"],
    storage: class extends NetworkStorage {
      protected override async _batch(operations: readonly TextOperation[]) {
        if (operations.length <= PAGE) return super._batch(operations)
        await this.inTransaction(async (transaction) => {
          const [first = [], ...rest] = [...slices(this.inLockingOrder(operations), PAGE)]
          await this.ask(() => this.engine.put(transaction, first))
          await Promise.allSettled(rest.map((some) => this.engine.put(transaction, some)))
        }).catch((error) => {
          if (!(error.cause instanceof EngineError)) throw error
        })
      }
    },
  },
  {
    name: "a commit that failed comes as the engine throws it",
    caughtBy: ["failures/batch", "failures/single-changes"],
    storage: class extends NetworkStorage {
      protected override async inTransaction(work: (transaction: number) => Promise<void>) {
        const transaction = await this.ask(() => this.engine.begin())
        await work(transaction)
        await this.engine.commit(transaction)
      }
    },
  },
  {
    name: "a write that found no connection is acknowledged and forgotten",
    caughtBy: ["failures/every-method", "failures/single-changes"],
    storage: class extends NetworkStorage {
      protected override async _write(key: string, text: string) {
        await this.engine.apply([{ type: "write", key, text }]).catch((error) => {
          if (!(error instanceof EngineError)) throw error
        })
      }
    },
  },
  {
    name: "an editor that throws leaves its transaction open",
    caughtBy: ["resources/failed-updates"],
    storage: class extends NetworkStorage {
      protected override async _update(key: string, change: (text: string | undefined) => string) {
        const transaction = await this.ask(() => this.engine.begin())
        const text = change(await this.ask(() => this.engine.get(key)))
        await this.ask(() => this.engine.put(transaction, [{ type: "write", key, text }]))
        await this.ask(() => this.engine.commit(transaction))
      }
    },
  },
  {
    name: "an update does not lock its record",
    caughtBy: ["processes/updates-are-not-lost"],
    storage: class extends NetworkStorage {
      protected override async _update(key: string, change: (text: string | undefined) => string) {
        await this._write(key, change(await this._read(key)))
      }
    },
  },
  {
    name: "adding replaces what is there",
    caughtBy: ["bulk/add-only", "bulk/add-at-once"],
    storage: class extends NetworkStorage {
      protected override async _add(records: readonly TextRecord[]): Present {
        await this._batch(records.map(({ key, text }) => ({ type: "write", key, text })))
        return records.map(() => undefined)
      }
    },
  },
  {
    name: "adding looks first and writes afterwards",
    caughtBy: ["bulk/add-at-once"],
    storage: class extends NetworkStorage {
      protected override async _add(records: readonly TextRecord[]): Present {
        const present = await this._readMany(records.map(({ key }) => key))
        const absent = records.filter((_, position) => present[position] === undefined)
        await this._batch(absent.map(({ key, text }) => ({ type: "write", key, text })))
        return present
      }
    },
  },
  {
    name: "adding commits each 1,000 records by themselves",
    caughtBy: ["bulk/failures"],
    storage: class extends NetworkStorage {
      protected override async _add(records: readonly TextRecord[]): Present {
        const present: (TextEntry | undefined)[] = []
        for (const some of slices(records, PAGE)) present.push(...(await super._add(some)))
        return present
      }
    },
  },
  {
    name: "what is in the way of added records comes in the order of the store",
    caughtBy: ["bulk/add-only"],
    storage: class extends NetworkStorage {
      protected override async _add(records: readonly TextRecord[]): Present {
        return (await super._add(records)).toSorted((a, b) => ((a?.key ?? "") < (b?.key ?? "") ? -1 : 1))
      }
    },
  },
  {
    name: "records that are read together come in the order of the store",
    caughtBy: ["bulk/read-order"],
    storage: class extends NetworkStorage {
      protected override async _readMany(keys: readonly string[]): Present {
        return super._readMany(keys.toSorted())
      }
    },
  },
  {
    name: "of records that are read together those beyond 1,000 are absent",
    caughtBy: ["bulk/read-order", "bulk/add-only"],
    storage: class extends NetworkStorage {
      protected override async _readMany(keys: readonly string[]): Present {
        const found = await super._readMany(keys.slice(0, PAGE))
        return keys.map((_, position) => found[position])
      }
    },
  },
  {
    name: "escaped NULs are cut from texts that are added",
    caughtBy: ["bulk/exact-texts"],
    storage: class extends NetworkStorage {
      protected override _add(records: readonly TextRecord[]): Present {
        return super._add(records.map(({ key, text }) => ({ key, text: text.replaceAll("\\u0000", "") })))
      }
    },
  },
]
