import { brokenSubject } from "./broken-subject.js"

export const subject = brokenSubject(import.meta.url, () => {
  throw new TypeError("Cannot read properties of undefined")
})
