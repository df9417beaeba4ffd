/**
 * Passkeys in forms: the one thing here that does not work without a script. A button with `data-passkey` asks its path for options, gives
 * them to the browser, puts the answer into the hidden field `assertion` or `credential`, and sends the form.
 *
 * Fields are read and written one by one: browsers of some years lack the functions for JSON, and those of objects of password managers,
 * which stand in for the browser, throw.
 */

const isSupported = Boolean(globalThis.PublicKeyCredential && navigator.credentials)

const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))
const textOf = (bytes) =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** What the browser is asked, from the options of the server. */
function requestOf(options) {
  const request = { ...options, challenge: bytesOf(options.challenge) }
  if (options.user) request.user = { ...options.user, id: bytesOf(options.user.id) }
  for (const list of ['allowCredentials', 'excludeCredentials']) {
    if (options[list]) request[list] = options[list].map((each) => ({ ...each, id: bytesOf(each.id) }))
  }
  return request
}

const MADE = ['clientDataJSON', 'attestationObject']
const USED = ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']

function transportsOf(response) {
  try {
    return Array.from(response.getTransports(), String)
  } catch {
    return null
  }
}

/** What the browser answered, for the server. Empty bytes are none. */
function answerOf({ id, rawId, response }) {
  const names = response.attestationObject ? MADE : USED
  const given = Object.fromEntries(
    names.filter((name) => response[name]?.byteLength).map((name) => [name, textOf(response[name])]),
  )
  if (response.attestationObject) given.transports = transportsOf(response)
  const known = rawId?.byteLength ? textOf(rawId) : id
  return JSON.stringify({ id: known, rawId: known, type: 'public-key', response: given })
}

/** Shorter than the five minutes in which a challenge can be answered. */
const RENEW_MS = 240_000

/** The request that waits in the field of the address, until a button is pressed. */
let waiting = new AbortController()

/** @returns null if the server refuses: it says why when the form is sent */
async function optionsFrom(path, form) {
  const response = await fetch(path, {
    method: 'POST',
    body: new URLSearchParams(new FormData(form)),
    headers: { Accept: 'application/json' },
  })
  return response.ok && response.headers.get('content-type')?.startsWith('application/json') ? response.json() : null
}

/** Asks the browser for a passkey, and sends the form with it. */
async function sendWith(form, path, conditional) {
  const options = await optionsFrom(path, form)
  if (!options && conditional) return
  const { assertion, credential } = form.elements
  if (options && credential) {
    credential.value = answerOf(await navigator.credentials.create({ publicKey: requestOf(options) }))
  } else if (options) {
    assertion.value = answerOf(await navigator.credentials.get({ publicKey: requestOf(options), ...conditional }))
  }
  form.submit()
}

function say(form, text) {
  const notice = form.querySelector('[data-passkey-notice]') ?? document.createElement('p')
  notice.dataset.passkeyNotice = ''
  notice.className = 'notice warn'
  notice.setAttribute('role', 'alert')
  notice.textContent = text
  form.prepend(notice)
  for (const button of form.querySelectorAll('button')) button.disabled = false
}

/** Why a browser has no answer. It does not say whether there is a passkey. */
const REASONS = {
  NotAllowedError: 'Nothing was sent: no passkey was used, or it took too long.',
  InvalidStateError: 'This device has a passkey of your account already.',
}

document.addEventListener('submit', async (event) => {
  const { submitter, target: form } = event
  const path = submitter?.dataset.passkey
  if (!path || event.defaultPrevented) return
  event.preventDefault()
  waiting.abort()
  if (!isSupported) return say(form, 'This browser cannot use passkeys here.')
  try {
    await sendWith(form, path)
  } catch (error) {
    say(form, REASONS[error?.name] ?? 'Nothing was sent: the passkey could not be used. Try again.')
  }
})

/** Offers passkeys in the field of the address, as browsers offer passwords. */
async function offer(form) {
  const isPossible = isSupported && (await PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false))
  if (!isPossible) return
  const { passkey: path } = form.querySelector('[data-passkey]').dataset
  const ask = () => {
    waiting.abort()
    waiting = new AbortController()
    // People who do not choose one sign in otherwise.
    sendWith(form, path, { mediation: 'conditional', signal: waiting.signal }).catch(() => {})
  }
  ask()
  setInterval(() => !document.hidden && !waiting.signal.aborted && ask(), RENEW_MS)
}

const offered = document.querySelector('form:has([data-passkey-offer])')
if (offered) offer(offered)
