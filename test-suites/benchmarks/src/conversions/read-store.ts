import { readEveryFile } from "./read-every-file.js"

// The least that any conversion has to do, as a program of its own.
process.stdout.write(String(readEveryFile(process.argv[2] as string)))
