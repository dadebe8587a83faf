import { z } from "zod"
import { createModel } from "./create-model.js"

/** What a permission rule decides. */
export const PermissionAction = z.enum(["allow", "deny", "ask"])
export type PermissionAction = z.output<typeof PermissionAction>

const fields = { permission: z.string(), pattern: z.string(), action: PermissionAction }

/** Whether uses of `permission` that match `pattern` are allowed, denied or asked about. */
export const PermissionRule = z.looseObject(fields)
export type PermissionRule = z.output<typeof PermissionRule>

/** A permission rule as the current release writes it. */
export const NewPermissionRule = z.strictObject(fields)
export type NewPermissionRule = z.output<typeof NewPermissionRule>

/** Rules in order: the last that matches decides. Stored in sessions, and under `permission`. */
export const PermissionRuleset = z.array(PermissionRule)
export type PermissionRuleset = z.output<typeof PermissionRuleset>

/**
 * Makes a permission rule.
 *
 * @throws {ModelError} when a field is missing, unknown or of the wrong type.
 */
export function newPermissionRule(fields: NewPermissionRule): NewPermissionRule {
  return createModel("PermissionRule", NewPermissionRule, fields)
}
