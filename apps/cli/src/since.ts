const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

const FORMS =
  "a date such as 2026-01-31, a time such as 2026-01-31T18:00, or a duration such as 12h, 30d or 4w"

/**
 * The time that a person means, in milliseconds: a day or a time of this place, or so long ago.
 *
 * @throws RangeError that names the forms
 */
export function parseSince(text: string, now: number): number {
  const [, count, unit = ""] = /^(\d+)([hdw])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (UNITS[unit] as number)
  const [, year, month, day, time = "T00:00"] = /^(\d{4})-(\d{2})-(\d{2})(T.+)?$/.exec(text) ?? []
  // A date alone would be taken for one at Greenwich.
  const date = new Date(`${year}-${month}-${day}${time}`)
  // February 31 would be taken for March 3.
  const isReal = Number(day) === new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate()
  if (Number.isNaN(date.getTime()) || !isReal) throw new RangeError(`"${text}" is not ${FORMS}`)
  return date.getTime()
}
