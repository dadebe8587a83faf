import type { Key } from "@sessile/core/storage"

/** The record that a process writes in its nth step; who finds it can tell whether it is whole. */
export function crashRecord(step: number, size: number): { readonly key: Key; readonly value: unknown } {
  return { key: ["crash", String(step)], value: { step, text: String(step % 10).repeat(size) } }
}
