import { Decimal } from "decimal.js"

/**
 * A decimal whose sums and products are never rounded: any two numbers of a JSON record lie less than 700 digits
 * apart, and no sum of them needs more than these.
 */
export const ExactDecimal = Decimal.clone({ precision: 1000, defaults: true })
export type ExactDecimal = Decimal
