export { AbstractStorage, type AbstractStorageSettings } from "./abstract-storage.js"
export { checksum } from "./checksum.js"
export { exchangeFromStored, storedFromExchange } from "./exchange-text.js"
export { isIndented, NOWHERE } from "./indented.js"
export {
  compareTerms,
  type IndexDefinition,
  type IndexName,
  type IndexQuery,
  indexTerms,
  matchesQuery,
  standardIndexes,
  type Term,
  type TermSource,
  validateQuery,
} from "./index-definition.js"
export { entryRange, indexEntries, isIndexed, keyOfEntry } from "./index-entry.js"
export {
  compareKeys,
  compareUtf8,
  decodeKey,
  encodeKey,
  isBelow,
  type Key,
  validateKey,
  validatePrefix,
} from "./key.js"
export { KeyLock } from "./key-lock.js"
export { MemoryStorage, type MemoryStorageOptions } from "./memory-storage.js"
export { checkOptions, type OptionShape } from "./options.js"
export { beginningOf, type RecordBeginning } from "./record-beginning.js"
export { FILLED_FIELDS, LineMaker } from "./record-line.js"
export { sessionBelongings } from "./session-belongings.js"
export { type LinePlaces, PLACE, SessionLines } from "./session-lines.js"
export { Shelf } from "./shelf.js"
export { isWithin, type Range, type Selection, type Span, select, type Wish } from "./span.js"
export type { BatchOptions, Capabilities, Entry, Operation, ScanOptions, Storage } from "./storage.js"
export { StorageError, type StorageErrorCode, type StorageErrorDetails } from "./storage-error.js"
export type { TextEntry, TextOperation, TextRecord, UnreadableEntry } from "./text-entry.js"
export {
  type FittedRecord,
  type ForeignFile,
  isInShare,
  isTextStorage,
  type LinesDigest,
  type SessionOutcome,
  type Share,
  type ShelvedFolder,
  type TextScanOptions,
  type TextStorage,
} from "./text-storage.js"
export { decodeUtf8, Utf8Record } from "./utf8-record.js"
export { decodeValue, encodeValue, MAX_DEPTH, parseText } from "./value.js"
