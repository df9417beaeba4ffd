/** `bun run dev`: `bun start` for people who change the code. API and worker restart when a source file changes. */
import { answerHelp } from './support/command.ts'
import { runSignalbox } from './support/run-signalbox.ts'

answerHelp(`npx --yes bun run dev

Runs Signalbox as \`bun start\` does, with the same database and settings, and restarts API and worker when a file below api/, core/,
docs/, sql/ or worker/ changes. A change below sql/ also runs the migrations. A process that crashes starts again at the next change.`)

await runSignalbox({ watch: true })
