import { isObject } from "./json-object.js"

/**
 * The paths of what a value says and its counterpart does not, such as `time.note` or `0.id`. A `null` for which
 * there is nothing is no loss: opencode makes no difference between the two.
 */
export function lostFields(value: unknown, counterpart: unknown): string[] {
  if (isObject(value) && isObject(counterpart)) return lostIn(Object.entries(value), counterpart)
  if (Array.isArray(value) && Array.isArray(counterpart))
    return lostIn(Object.entries(value), { ...counterpart })
  return value === counterpart ? [] : [""]
}

function lostIn(
  fields: readonly [string, unknown][],
  counterpart: Readonly<Record<string, unknown>>,
): string[] {
  return fields.flatMap(([name, field]) => {
    const kept = Object.hasOwn(counterpart, name) ? counterpart[name] : undefined
    if (field === null && kept === undefined) return []
    return lostFields(field, kept).map((path) => (path === "" ? name : `${name}.${path}`))
  })
}
