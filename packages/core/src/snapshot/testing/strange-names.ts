/** File names that shells, git and careless programs stumble over. */
export const strangeNames = [
  "with space",
  'qu"ote',
  "new\nline",
  "tab\t",
  "café/日本 😀",
  "-dash",
  "--all",
  "*",
  ":(top)",
  "back\\slash",
  "'",
]
