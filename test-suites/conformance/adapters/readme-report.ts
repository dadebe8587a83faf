import type { ConformanceReport } from "@sessile/conformance"

const START = "<!-- conformance report: written by the conformance suite -->"
const END = "<!-- end of the conformance report -->"

/** A README with the report in its place: what holds in every run, so neither seed nor times. */
export function withReport(readme: string, report: ConformanceReport): string {
  const start = readme.indexOf(START)
  const end = readme.indexOf(END)
  if (start < 0 || end < start)
    throw new Error(`The README has no place for the report: it needs ${START} … ${END}`)
  return `${readme.slice(0, start + START.length)}\n\n${markdown(report)}\n\n${readme.slice(end)}`
}

function markdown({ groups, capabilities }: ConformanceReport): string {
  const skipped = groups.flatMap(({ contracts }) => contracts).filter((result) => result.status === "skipped")
  return [
    "| capability | declared |",
    "| --- | --- |",
    ...Object.entries(capabilities).map(([name, declared]) => `| ${name} | ${declared ? "yes" : "no"} |`),
    "",
    "| contracts | passed | skipped |",
    "| --- | --- | --- |",
    ...groups.map(({ name, contracts }) => {
      const count = (status: string) => contracts.filter((result) => result.status === status).length
      return `| ${name} | ${count("passed")} | ${count("skipped") || ""} |`
    }),
    ...(skipped.length === 0 ? [] : ["", "Skipped:", ""]),
    ...skipped.map(({ title, reason }) => `- ${title}: ${reason}`),
  ].join("\n")
}
