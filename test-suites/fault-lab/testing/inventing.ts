import { brokenSubject, withEntries } from "./broken-subject.js"

export const subject = brokenSubject(import.meta.url, (storage) =>
  withEntries(storage, (entry) => [entry, { ...entry, key: [...entry.key, "copy"] }]),
)
