/**
 * The number, or 0 in place of one that no count, price or cost can be: absent, negative or not finite. Providers
 * report such counts, and real stores hold them.
 */
export function usableNumber(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0
}
