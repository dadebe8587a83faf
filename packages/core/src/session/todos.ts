import { TodoList } from "../model/todo.js"
import { StorageError } from "../storage/storage-error.js"
import type { SessionContext } from "./session-context.js"
import { checkRecord, readSession } from "./session-records.js"

/** The tasks of a session; none when there are none. */
export async function readTodos(context: SessionContext, sessionID: string): Promise<TodoList> {
  try {
    return await context.storage.read<TodoList>(["todo", sessionID])
  } catch (error) {
    if (!StorageError.is(error, "NOT_FOUND")) throw error
    await readSession(context, sessionID)
    return []
  }
}

/** Replaces the tasks of a session. */
export async function writeTodos(context: SessionContext, sessionID: string, todos: TodoList): Promise<void> {
  const { storage, locks, publish } = context
  const taken = structuredClone(checkRecord(TodoList, todos))
  return locks.exclusive(sessionID, async () => {
    await readSession(context, sessionID)
    await storage.write(["todo", sessionID], taken)
    publish("todo.updated", { sessionID, todos: taken })
  })
}
