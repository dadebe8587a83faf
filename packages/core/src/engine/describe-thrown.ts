/** What was thrown, in words; whatever that is, it does not throw. */
export function describeThrown(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    // An object without a prototype, or with a `toString` that throws.
    return "Something was thrown that is no error and has no text"
  }
}
