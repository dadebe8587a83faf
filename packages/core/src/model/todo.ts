import { z } from "zod"
import { createModel } from "./create-model.js"
import { type Form, type FormName, loose, strict } from "./form.js"

const fields = <Name extends FormName>(form: Form<Name>) => ({
  id: form.current(z.string()),
  content: z.string(),
  status: z.string(),
  priority: z.string(),
})

/**
 * One task of a session. The status is `pending`, `in_progress`, `completed` or `cancelled` and the priority
 * `high`, `medium` or `low`; both come from a model, so any text occurs. Releases of the SQLite era
 * keep no `id`.
 */
export const Todo = z.looseObject(fields(loose))
export type Todo = z.output<typeof Todo>

/** A task as the current release writes it. */
export const NewTodo = z.strictObject(fields(strict))
export type NewTodo = z.output<typeof NewTodo>

/** The tasks of a session in order, as stored under `todo`. */
export const TodoList = z.array(Todo)
export type TodoList = z.output<typeof TodoList>

/**
 * Makes a task.
 *
 * @throws {ModelError} when a field is missing, unknown or of the wrong type.
 */
export function newTodo(fields: NewTodo): NewTodo {
  return createModel("Todo", NewTodo, fields)
}
