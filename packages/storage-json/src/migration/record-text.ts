/** The JSON text of a record, as opencode writes it. */
export function recordText(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}
