/** Prints how a command is used, and ends it, where `--help` asks for that. To be called before anything is begun. */
export function answerHelp(usage: string): void {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return
  console.log(usage)
  process.exit(0)
}
