/**
 * An error that is recognised by a marker instead of `instanceof`, so that two copies of this package understand each
 * other. A class of them gives its `type`, the name by which all copies know it.
 */
export abstract class MarkedError extends Error {
  static readonly type: string

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.type
    Object.defineProperty(this, markerOf(new.target), { value: true })
  }

  /** Whether something is such an error and, where these have codes, has this one. */
  static is<Marked extends MarkedError>(
    this: MarkedClass<Marked>,
    error: unknown,
    code?: CodeOf<Marked>,
  ): error is Marked {
    if (typeof error !== "object" || error === null) return false
    // biome-ignore lint/complexity/noThisInStatic: the class that is asked, which is never this one.
    const marker = markerOf(this)
    try {
      return marker in error && (code === undefined || (error as { code?: unknown }).code === code)
    } catch {
      // A proxy of somebody else that cannot be looked at is none of ours.
      return false
    }
  }
}

interface MarkedClass<Marked extends MarkedError> {
  readonly type: string
  readonly prototype: Marked
}

type CodeOf<Marked> = Marked extends { readonly code: infer Code } ? Code : never

function markerOf({ type }: { readonly type: string }): symbol {
  return Symbol.for(`sessile.${type}`)
}
