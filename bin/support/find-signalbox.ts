/** Finds the Signalbox that a command uses, or starts one. */
import { resolve } from 'node:path'
import { out, printStep } from '../../cli/support/terminal.js'
import { SETTINGS } from '../../core/platform/settings.ts'
import { isReady } from './api-client.ts'
import { Failure } from './command.ts'
import { throwawayFolder, withoutSettings } from './data-folder.ts'
import { freePort } from './ports.ts'
import { runningPostgresUrl } from './postgres.ts'
import { type Signalbox, startSignalbox } from './run-signalbox.ts'

/** The Signalbox of `SIGNALBOX_URL`, the one of `bun start` on this machine, or the one that `start` starts. */
export async function findSignalbox(start: () => Promise<Signalbox>): Promise<Signalbox & { own: boolean }> {
  const { SIGNALBOX_URL, DATABASE_URL, PORT, MAIL_WEB_PORT, DATA_DIR } = process.env
  if (SIGNALBOX_URL) {
    const url = SIGNALBOX_URL.replace(/\/+$/, '')
    if (await isReady(url)) return { url, mailUrl: null, databaseUrl: DATABASE_URL, own: false }
    throw new Failure(`SIGNALBOX_URL is ${url}, but ${url}/readyz does not answer that it is ready.`)
  }
  const url = `http://localhost:${PORT || SETTINGS.PORT.fallback}`
  if (await isReady(url)) {
    const dataDir = resolve(import.meta.dir, '../..', DATA_DIR || SETTINGS.DATA_DIR.fallback)
    const databaseUrl = DATABASE_URL || (await runningPostgresUrl(`${dataDir}/postgres`))
    return { url, mailUrl: `http://localhost:${MAIL_WEB_PORT || SETTINGS.MAIL_WEB_PORT.fallback}`, databaseUrl, own: false }
  }
  printStep('signalbox', out.dim(`none runs at ${url}: starting one`))
  return { ...(await start()), own: true }
}

/** Starts a Signalbox with free ports and a data folder. Disposing of `started` stops it and removes the folder. */
export async function startThrowawaySignalbox(
  started: AsyncDisposableStack,
  stopping: AbortSignal,
  settings: Record<string, string> = {},
): Promise<Signalbox & { PORT: string; DATA_DIR: string }> {
  const { path: DATA_DIR } = started.use(await throwawayFolder('signalbox-demo-'))
  const port = async () => String(await freePort())
  const ports = { PORT: await port(), MAIL_PORT: await port(), MAIL_WEB_PORT: await port() }
  const environment = { ...withoutSettings(process.env), LOG_LEVEL: 'error', ...ports, DATA_DIR, ...settings }
  return { ...(await startSignalbox(started, environment, stopping)), PORT: ports.PORT, DATA_DIR }
}
