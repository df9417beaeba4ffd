/**
 * A receiver on this machine that prints every dispatch, whether its signatures fit, and whether it is a repeat or late. Its
 * answers are configurable, to watch retries.
 */
import { createServer } from 'node:http'
import { Failure, wrongUsage } from '../support/failure.js'
import { wholeNumber } from '../support/numbers.js'
import { pause } from '../support/service.js'
import { stopSignal } from '../support/stop-signal.js'
import { checked, err, onTerminal, out, printJson, printProgress, printResult, printStep } from '../support/terminal.js'
import { githubFits, signingKey, standardFits } from './signatures.js'

/** Ids of dispatches that were answered with 2xx. @type {Set<string>} */
const accepted = new Set()
/** The highest sequence so far, by id of the hook. @type {Map<string, number>} */
const highestSequence = new Map()

/**
 * The fields of the body that are printed; empty if it is not an envelope.
 *
 * @param {string} body
 * @returns {{ hook?: { id?: string, name?: string }, environment?: string }}
 */
function envelopeIn(body) {
  try {
    return JSON.parse(body) ?? {}
  } catch {
    return {}
  }
}

/**
 * Prints one dispatch, and remembers it for the next ones.
 *
 * @param {Record<string, string>} headers
 * @param {string} body
 * @param {Buffer | null} key
 * @param {number} status
 * @param {boolean} json
 */
function show(headers, body, key, status, json) {
  const { hook = {}, environment } = envelopeIn(body)
  const id = headers['webhook-id'] ?? headers['x-signalbox-delivery'] ?? ''
  const sequence = headers['x-signalbox-sequence'] ?? null
  const attempt = headers['x-signalbox-attempt'] ?? '?'
  const highest = highestSequence.get(hook.id ?? '') ?? 0
  const isRepeat = accepted.has(id)
  const isLate = sequence !== null && Number(sequence) < highest
  if (status < 300) accepted.add(id)
  highestSequence.set(hook.id ?? '', Math.max(highest, Number(sequence)))

  const signature = key && githubFits(key, headers, body)
  const standard = key && standardFits(key, headers, body)
  const event = headers['x-signalbox-event'] ?? 'no event'
  if (json) {
    printJson({
      event,
      webhook_id: id,
      sequence: sequence && Number(sequence),
      attempt,
      signature,
      standard,
      repeat: isRepeat,
      late: isLate,
      status,
      body,
    })
    return
  }
  const isSigned = 'webhook-signature' in headers || 'x-signalbox-signature' in headers
  const proofs = key
    ? [checked(signature === true, 'X-Signalbox-Signature'), checked(standard === true, 'webhook-signature')]
    : [out.dim(isSigned ? 'signed; not checked without --secret' : 'not signed')]
  const remarks = [
    ...(isRepeat ? [out.strong('a repeat: it was answered with 2xx before')] : []),
    ...(isLate ? [out.strong(`late: sequence ${highest} came before`)] : []),
  ]
  const number = `${sequence === null ? '' : `sequence ${sequence}, `}attempt ${attempt}`
  const target = onTerminal(`${hook.name ?? 'no hook'} → ${environment}, ${number}`)
  printStep('dispatch', `${out.strong(onTerminal(event).padEnd(18))} ${target}`)
  printStep('', [...proofs, ...remarks, out.dim(`answered ${status}`)].join('  '))
}

/** @param {import('../main.js').Invocation} invocation */
export async function receive({ options, json }) {
  const key = options.secret === undefined ? null : signingKey(options.secret)
  if (options.secret !== undefined && !key) throw wrongUsage('--secret starts with whsec_, so the rest must be base64.')
  const port = wholeNumber('port', options.port ?? '', 0, 65_535)
  const status = wholeNumber('status', options.status ?? '', 200, 599)
  const delay = wholeNumber('delay', options.delay ?? '', 0, 600_000)
  const stopping = stopSignal()
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST')
      return void response.writeHead(405).end('This is a receiver of deployment hooks: send a POST request.\n')
    /** @type {Buffer[]} */
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    await pause(delay, stopping)
    show(/** @type {Record<string, string>} */ (request.headers), Buffer.concat(chunks).toString(), key, status, json)
    response.writeHead(status).end('received by signalbox listen\n')
  })
  await new Promise((resolve, reject) => {
    server.once('error', () => reject(new Failure(`Port ${port} is in use.`, { next: 'Choose another one with --port.' })))
    server.listen(port, '127.0.0.1', () => resolve(null))
  })
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  const print = json ? printProgress : printResult
  print(
    `\n  Make a hook with the url ${err.strong(`http://127.0.0.1:${address.port}/`)} and test it. ${err.dim('Ctrl-C stops.')}\n`,
  )
  await new Promise((resolve) => {
    if (stopping.aborted) resolve(null)
    else stopping.addEventListener('abort', resolve, { once: true })
  })
  server.closeAllConnections()
  server.close()
}
