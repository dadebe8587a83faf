import { brokenSubject, withEntries } from "./broken-subject.js"

export const subject = brokenSubject(import.meta.url, (storage) =>
  withEntries(storage, (entry) => (entry.key[0] === "todo" ? [] : [entry])),
)
