export { compareIdentifiers, compareMessages, compareParts, type TimedRecord } from "./compare.js"
export {
  createIdentifiers,
  type Identifiers,
  type IdentifiersOptions,
  identifiers,
} from "./create-identifiers.js"
export { type Entity, identifierPrefixes } from "./entity.js"
export { isGeneratedIdentifier, isIdentifier } from "./format.js"
export { IdentifierError } from "./identifier-error.js"
export { type Direction, readTimestamp, timestamp } from "./timestamp.js"
