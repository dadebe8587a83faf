import { brokenSubject } from "./broken-subject.js"

export const subject = brokenSubject(import.meta.url, () => process.abort())
