import { brokenSubject } from "./broken-subject.js"

export const subject = brokenSubject(import.meta.url, () => {
  for (;;) performance.now()
})
