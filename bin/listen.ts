/**
 * `bun run listen`: a receiver on this machine that says of every dispatch what it is, whether its signatures hold, and
 * whether it is a repeat or late. It answers as it is told to, so that one can watch retries, too.
 */
import { parseArgs } from 'node:util'
import { signingKey } from '../core/security/signing.ts'
import { Failure } from './support/failure.ts'
import { answerHelp } from './support/help.ts'
import { signatureFits, standardFits } from './support/signed-receiver.ts'
import { stopSignal } from './support/stop-signal.ts'
import { checked, dim, strong, tell } from './support/timeline.ts'

const USAGE = `npx --yes bun run listen [--secret S] [--port N] [--status 503] [--delay MS]

  --secret  of the hook: both signatures are checked with it
  --port    to listen on; 9000 if you do not say
  --status  to answer with: 200 if you do not say
  --delay   milliseconds before the answer; a hook waits for 15000`

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
    if (secret !== undefined && !signingKey(secret)) throw new Failure('--secret begins with whsec_, so the rest must be base64.')
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

/** What was answered with 2xx, and the highest sequence of each hook. */
const done = new Set<string>()
const newest = new Map<string, number>()

/** What the envelope says, as far as it is one. */
function envelopeIn(body: string): { hook?: { id?: string; name?: string }; environment?: string } {
  try {
    return JSON.parse(body) ?? {}
  } catch {
    return {}
  }
}

const proofOf = (headers: Headers, body: string, secret: string | undefined): string[] => {
  const isSigned = headers.has('webhook-signature') || headers.has('x-signalbox-signature')
  if (secret === undefined) return [dim(isSigned ? 'signed; not checked without --secret' : 'not signed')]
  return [
    checked(signatureFits(headers, body, secret), 'X-Signalbox-Signature'),
    checked(standardFits(headers, body, secret), 'webhook-signature'),
  ]
}

/** Prints one dispatch in two lines, and remembers it. */
function show({ headers }: Request, body: string, { secret, status }: Options): void {
  const { hook = {}, environment } = envelopeIn(body)
  const id = headers.get('webhook-id') ?? headers.get('x-signalbox-delivery') ?? ''
  const sequence = headers.get('x-signalbox-sequence')
  const highest = newest.get(hook.id ?? '') ?? 0
  const remarks = [
    ...(done.has(id) ? [strong('a repeat: it was answered with 2xx before')] : []),
    ...(sequence !== null && Number(sequence) < highest ? [strong(`late: sequence ${highest} came before`)] : []),
  ]
  if (status < 300) done.add(id)
  newest.set(hook.id ?? '', Math.max(highest, Number(sequence)))

  const number = `${sequence === null ? '' : `sequence ${sequence}, `}attempt ${headers.get('x-signalbox-attempt') ?? '?'}`
  tell(
    'dispatch',
    `${strong((headers.get('x-signalbox-event') ?? 'no event').padEnd(18))} ${hook.name ?? 'no hook'} → ${environment}, ${number}`,
  )
  tell('', [...proofOf(headers, body, secret), ...remarks, dim(`answered ${status}`)].join('  '))
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
          if (request.method !== 'POST') return new Response('This is where a deployment hook may lead to.\n', { status: 405 })
          const body = await request.text()
          await Bun.sleep(options.delay)
          show(request, body, options)
          return new Response(`answered by bun run listen\n`, { status: options.status })
        },
      })
    } catch {
      throw new Failure(`Port ${options.port} is taken. Take another one with --port.`)
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
