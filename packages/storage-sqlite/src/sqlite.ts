export { noteOpen } from "./open-handles.js"
export { type OpenedDatabase, openUntouched } from "./open-untouched.js"
export { sqliteFault } from "./sqlite-fault.js"
export { syncLog } from "./sync-log.js"
