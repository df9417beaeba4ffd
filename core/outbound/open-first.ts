/**
 * Connects to the first of the addresses of a name that can be reached.
 *
 * Nothing of a request is sent before there is a connection, so none reaches two servers.
 */
import { Deadline } from './deadline.ts'
import { codeOf } from './errors.ts'

/**
 * How long an address is tried alone; then the next one is tried in parallel. Longer than the 250 ms of RFC 8305 (section 5), because
 * opening includes the TLS handshake.
 */
const HEAD_START_MS = 1_000

/** How many addresses are tried: a name server must not make one request knock at thousands of doors. */
const MAX_TRIED = 8

type NotReached = { address: string; error: unknown }

/** The family may have no route here. That says less about the receiver than the errors of other addresses. */
const hasNoRoute = ({ error }: NotReached): boolean => /UNREACH|ADDRNOTAVAIL|AFNOSUPPORT|NETDOWN/.test(codeOf(error))

/**
 * Opens a connection to the first address that can be reached. Those that fail or take long are followed by the next one.
 *
 * @param addresses checked ones, in the order in which to try them
 * @param open connects to an address, until its deadline
 * @param close closes a connection that is not needed, because another one was faster
 * @param onFailure gets the address that the thrown error is about
 * @throws the error of the first address, or of the first that has a route; DeadlineExpired
 */
export async function openFirst<Opened>(
  addresses: readonly string[],
  deadline: Deadline,
  open: (address: string, deadline: Deadline) => Promise<Opened>,
  close: (opened: Opened) => void,
  onFailure: (address: string) => void = () => {},
): Promise<Opened> {
  const [only, ...others] = addresses.slice(0, MAX_TRIED)
  if (only === undefined) throw new Error('No address')
  if (others.length === 0) return open(only, deadline)
  const waiting = [only, ...others]
  const attempts: Deadline[] = []
  const failures: NotReached[] = []
  const first = Promise.withResolvers<Opened>()
  let isOver = false
  let headStart: ReturnType<typeof setTimeout> | undefined

  const fail = (address: string, error: unknown) => {
    failures.push({ address, error })
    if (waiting.length > 0) return tryNext()
    if (failures.length < attempts.length) return
    const inOrder = failures.toSorted((one, other) => addresses.indexOf(one.address) - addresses.indexOf(other.address))
    const reported = inOrder.find((each) => !hasNoRoute(each)) ?? inOrder[0]
    if (reported && !isOver) onFailure(reported.address)
    first.reject(reported?.error)
  }
  const tryNext = () => {
    clearTimeout(headStart)
    const address = waiting.shift()
    if (address === undefined || isOver) return
    // Ends with the whole; timers are not exact, and that one is to be the first.
    const attempt = new Deadline(deadline.left + 1_000)
    attempts.push(attempt)
    // Each address has a share of the time that is left.
    if (waiting.length > 0) headStart = setTimeout(tryNext, Math.min(HEAD_START_MS, deadline.left / (waiting.length + 1)))
    open(address, attempt).then(
      (opened) => {
        attempt.end()
        if (isOver) return close(opened)
        isOver = true
        first.resolve(opened)
      },
      (error) => fail(address, error),
    )
  }

  tryNext()
  try {
    return await deadline.wait(first.promise)
  } finally {
    isOver = true
    clearTimeout(headStart)
    for (const attempt of attempts) attempt.expire()
  }
}
