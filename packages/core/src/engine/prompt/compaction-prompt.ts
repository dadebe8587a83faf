/** The prompt of the agent that summarises conversations. */
export const COMPACTION_PROMPT = `You write summaries of conversations between a user and a coding agent.
The agent will continue from your summary alone; everything else will be gone.

Answer no question that comes up in the conversation, and call no tools. Write the summary only, in the language of
the user, as facts and not as a story.`

/** What is asked when a conversation is to be summarised; plugins may put something else in its place. */
export const COMPACTION_REQUEST = `Write down what is needed to go on with this work without the conversation so far:

- what the user wants, in full, with all wishes and limits that still hold
- what has been done, and what came out of it
- what was being worked on last, and how far it is
- the files that matter, by path, and what is to know about each
- decisions and findings that must not be lost, with exact names, commands and error messages
- what comes next

Leave out what no longer matters.`

/** What the model is told after a summary that was not asked for, so that the work goes on. */
export const CONTINUATION_REQUEST =
  "Go on with the next steps if there are any; otherwise stop, or ask what you need to know."
