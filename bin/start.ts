/**
 * `bun start`: runs Signalbox on a machine that has nothing but Bun. Provides a PostgreSQL server, a mail catcher and
 * secrets where none are set, then runs the Procfile.
 */
import { SETTINGS } from '../core/platform/settings.ts'
import { answerHelp } from './support/command.ts'
import { runSignalbox } from './support/run-signalbox.ts'

answerHelp(`npx --yes bun start

Runs all of Signalbox on this machine: migrates the database, then runs API and worker until Ctrl-C. Without DATABASE_URL it starts
a PostgreSQL server and a mail catcher of its own, whose data is in ${SETTINGS.DATA_DIR.fallback}/ (DATA_DIR).

Settings come from the environment or from .env: PORT, MAIL_PORT and MAIL_WEB_PORT choose other ports; docs/settings.md lists the rest.`)

await runSignalbox({ watch: false })
