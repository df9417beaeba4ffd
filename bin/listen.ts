/**
 * `bun run listen`: a receiver on this machine that prints every dispatch, whether its signatures fit, and whether it is a
 * repeat or late. Its answers are configurable, to watch retries.
 */
import { parseArgs } from 'node:util'
import { signingKey } from '../core/security/signing.ts'
import { Failure } from './support/failure.ts'
import { answerHelp } from './support/help.ts'
import { signatureFits, standardFits } from './support/signed-receiver.ts'
import { stopSignal } from './support/stop-signal.ts'
import { onTerminal } from './support/terminal.ts'
import { checked, dim, printStep, strong } from './support/timeline.ts'

const USAGE = `npx --yes bun run listen [--secret S] [--port N] [--status 503] [--delay MS]

Receives dispatches on this machine and prints each of them.

  --secret  secret of the hook, to check both signatures
  --port    port to listen on (default: 9000)
  --status  status to answer with (default: 200)
  --delay   milliseconds before the answer (default: 0); a hook waits for 15000`

answerHelp(USAGE)

interface Options {
  secret: string | undefined
  port: number
  status: number
  delay: number
}

function readOptions(): Options {
  const number = (name: string, text: string, minimum: number, maximum: number) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < minimum || value > maximum)
      throw new Failure(`--${name} must be a whole number from ${minimum} to ${maximum}.\n\n${USAGE}`)
    return value
  }
  const text = (fallback?: string) => ({ type: 'string' as const, ...(fallback && { default: fallback }) })
  try {
    const { secret, ...numbers } = parseArgs({
      options: { secret: text(), port: text('9000'), status: text('200'), delay: text('0') },
    }).values
    if (secret !== undefined && !signingKey(secret)) throw new Failure('--secret starts with whsec_, so the rest must be base64.')
    return {
      secret,
      port: number('port', String(numbers.port), 0, 65_535),
      status: number('status', String(numbers.status), 200, 599),
      delay: number('delay', String(numbers.delay), 0, 600_000),
    }
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${(error as Error).message}\n\n${USAGE}`)
  }
}

/** Ids of dispatches that were answered with 2xx. */
const accepted = new Set<string>()
/** The highest sequence so far, by id of the hook. */
const highestSequence = new Map<string, number>()

/** The fields of the body that are printed; empty if it is not an envelope. */
function envelopeIn(body: string): { hook?: { id?: string; name?: string }; environment?: string } {
  try {
    return JSON.parse(body) ?? {}
  } catch {
    return {}
  }
}

/** The result of checking both signatures. */
const proofOf = (headers: Headers, body: string, secret: string | undefined): string[] => {
  const isSigned = headers.has('webhook-signature') || headers.has('x-signalbox-signature')
  if (secret === undefined) return [dim(isSigned ? 'signed; not checked without --secret' : 'not signed')]
  return [
    checked(signatureFits(headers, body, secret), 'X-Signalbox-Signature'),
    checked(standardFits(headers, body, secret), 'webhook-signature'),
  ]
}

/** Prints one dispatch in two lines, and remembers it for the next ones. */
function show({ headers }: Request, body: string, { secret, status }: Options): void {
  const { hook = {}, environment } = envelopeIn(body)
  const id = headers.get('webhook-id') ?? headers.get('x-signalbox-delivery') ?? ''
  const sequence = headers.get('x-signalbox-sequence')
  const highest = highestSequence.get(hook.id ?? '') ?? 0
  const remarks = [
    ...(accepted.has(id) ? [strong('a repeat: it was answered with 2xx before')] : []),
    ...(sequence !== null && Number(sequence) < highest ? [strong(`late: sequence ${highest} came before`)] : []),
  ]
  if (status < 300) accepted.add(id)
  highestSequence.set(hook.id ?? '', Math.max(highest, Number(sequence)))

  const number = `${sequence === null ? '' : `sequence ${sequence}, `}attempt ${headers.get('x-signalbox-attempt') ?? '?'}`
  printStep(
    'dispatch',
    `${strong(onTerminal(headers.get('x-signalbox-event') ?? 'no event').padEnd(18))} ${onTerminal(`${hook.name ?? 'no hook'} → ${environment}, ${number}`)}`,
  )
  printStep('', [...proofOf(headers, body, secret), ...remarks, dim(`answered ${status}`)].join('  '))
}

async function run(stopping: AbortSignal): Promise<void> {
  const options = readOptions()
  const listen = () => {
    try {
      return Bun.serve({
        hostname: '127.0.0.1',
        port: options.port,
        idleTimeout: 0,
        async fetch(request) {
          if (request.method !== 'POST')
            return new Response('This is a receiver of deployment hooks: send a POST request.\n', { status: 405 })
          const body = await request.text()
          await Bun.sleep(options.delay)
          show(request, body, options)
          return new Response('received by bun run listen\n', { status: options.status })
        },
      })
    } catch {
      throw new Failure(`Port ${options.port} is in use. Choose another one with --port.`)
    }
  }
  const server = listen()
  console.log(`\n  Make a hook with the url ${strong(server.url.href)} and test it. ${dim('Ctrl-C stops.')}\n`)
  await new Promise((resolve) => stopping.addEventListener('abort', resolve, { once: true }))
  await server.stop(true)
}

let exitCode = 0
try {
  await run(await stopSignal())
} catch (error) {
  exitCode = 1
  console.error(error instanceof Failure ? error.message : error)
}
process.exit(exitCode)
