/** What all commands share: help, errors and exit codes. */
import { Failure } from '../../cli/support/failure.js'
import { SettingsError } from '../../core/platform/setting-errors.ts'

export { Failure }

/** Prints the usage and ends the process if the command line has `--help`. To be called before any other work. */
export function answerHelp(usage: string): void {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return
  console.log(usage)
  process.exit(0)
}

/** Errors of files and folders that the user can mend: rights, a full disk, a file in place of a folder. */
const OF_FILES = /^E(ACCES|PERM|ROFS|NOTDIR|EXIST|ISDIR|NOENT|NOSPC|DQUOT|NAMETOOLONG|LOOP)$/

/** What to print about an error: with its stack only if it is a defect. */
function describe(error: unknown): string {
  if (error instanceof Failure || error instanceof SettingsError) return error.message
  if (error instanceof Error && 'code' in error && 'syscall' in error && OF_FILES.test(String(error.code)))
    return `${error.message}. Signalbox keeps its data in DATA_DIR, and temporary files in TMPDIR: set them to folders that this user can write.`
  return Bun.inspect(error)
}

/** Runs the work of a command, and exits. A failure is printed; one that a stop caused needs no message. */
export async function runToEnd(work: () => Promise<void>, stopping: AbortSignal): Promise<never> {
  try {
    await work()
    process.exit(0)
  } catch (error) {
    if (stopping.aborted) process.exit(130)
    console.error(describe(error))
    process.exit(1)
  }
}
