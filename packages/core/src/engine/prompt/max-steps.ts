/** Said in the model's own voice at the last step that its agent allows, so that it ends with words and no calls. */
export const LAST_STEP_REMINDER = `I have used up the steps that I may take, and can call no more tools until the user answers.
I will end now with text only: that the limit of steps was reached, what is done, what remains to be done, and what I
suggest to do next.`
