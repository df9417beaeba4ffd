/**
 * Passkeys in forms: the one thing here that does not work without a script. A button with `data-passkey` asks its path for options, gives
 * them to the browser, puts the answer into the hidden field `assertion` or `credential`, and sends the form.
 */

const isSupported = Boolean(globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON)

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
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    credential.value = JSON.stringify(await navigator.credentials.create({ publicKey }))
  } else if (options) {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    assertion.value = JSON.stringify(await navigator.credentials.get({ publicKey, ...conditional }))
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
    say(form, REASONS[error.name] ?? 'Nothing was sent: the passkey could not be used. Try again.')
  }
})

/** Offers passkeys in the field of the address, as browsers offer passwords. */
async function offer(form) {
  const isPossible = isSupported && (await PublicKeyCredential.isConditionalMediationAvailable?.())
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
