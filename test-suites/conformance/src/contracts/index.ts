import type { ContractGroup } from "../contract.js"
import { methodArguments } from "./arguments.js"
import { batch } from "./batch.js"
import { bulk } from "./bulk.js"
import { capabilities } from "./capabilities.js"
import { checksums } from "./checksums.js"
import { crash } from "./crash.js"
import { failures } from "./failures.js"
import { find } from "./find.js"
import { isolation } from "./isolation.js"
import { keys } from "./keys.js"
import { lifeCycle } from "./life-cycle.js"
import { list } from "./list.js"
import { media } from "./media.js"
import { model } from "./model.js"
import { pages } from "./pages.js"
import { processes } from "./processes.js"
import { readWrite } from "./read-write.js"
import { remove } from "./remove.js"
import { resources } from "./resources.js"
import { scan } from "./scan.js"
import { update } from "./update.js"

/** Every contract, in the order of the report. */
export const contractGroups: readonly ContractGroup[] = [
  lifeCycle,
  keys,
  readWrite,
  update,
  remove,
  list,
  scan,
  find,
  pages,
  resources,
  batch,
  bulk,
  methodArguments,
  isolation,
  capabilities,
  checksums,
  model,
  processes,
  crash,
  failures,
  media,
]
