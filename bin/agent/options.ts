/** The options of `bun run agent`. */
import { parseArgs } from 'node:util'
import { Failure } from '../support/failure.ts'
import { signalboxUrl } from '../support/own-signalbox.ts'

export const USAGE = `npx --yes bun run agent --hook ID --token T [--url URL] [--lease SECONDS] -- command …

Claims the dispatches of a pull hook, one at a time, and runs the command for each. No connection comes in from outside.

  --hook   id of the hook
  --token  pull token of the hook; or set SIGNALBOX_TOKEN, which other users of this machine cannot see
  --url    where Signalbox is (default: SIGNALBOX_URL, else http://localhost:8080)
  --lease  seconds that the command may take, 30 to 3600 (default: 600)

The command gets the payload on standard input, and the headers as SIGNALBOX_EVENT, SIGNALBOX_DELIVERY, SIGNALBOX_ATTEMPT,
SIGNALBOX_SEQUENCE, SIGNALBOX_REPORT_URL and SIGNALBOX_REPORT_TOKEN. Its exit code is acknowledged: 0 as succeeded, 75 as retry, any
other as failed. Five seconds before its lease ends, the command is stopped; the dispatch is then attempted again.`

export interface Options {
  hook: string
  token: string
  url: string
  lease_seconds: number
  command: string[]
}

/** @throws Failure if the command line is not valid */
export function readOptions(given: string[]): Options {
  const end = given.indexOf('--')
  const command = end === -1 ? [] : given.slice(end + 1)
  const text = { type: 'string' as const }
  try {
    const { hook, token, url, lease } = parseArgs({
      args: end === -1 ? given : given.slice(0, end),
      options: {
        hook: text,
        token: { ...text, default: process.env.SIGNALBOX_TOKEN ?? '' },
        url: { ...text, default: signalboxUrl() },
        lease: { ...text, default: '600' },
      },
    }).values
    const seconds = Number(lease)
    if (!hook || token === '') throw new Failure('--hook and --token are required.')
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Failure('--url must be an http or https URL.')
    if (!/^\d+$/.test(lease) || seconds < 30 || seconds > 3600)
      throw new Failure('--lease must be a whole number from 30 to 3600.')
    if (command.length === 0) throw new Failure('The command is missing: write it after --.')
    return { hook, token, url: url.replace(/\/+$/, ''), lease_seconds: seconds, command }
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n\n${USAGE}`)
  }
}
