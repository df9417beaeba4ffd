/** The page behind the link that proves an address: small, self-contained, and it works by keyboard. */
import { SECURITY_HEADERS } from '../plugins/answers.ts'

// Mail scanners follow links; so opening the page does nothing, and its button does the work.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Prove your e-mail address · Signalbox</title>
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.05rem/1.5 system-ui, sans-serif; color: #14202b; background: #eef2f6; }
  main { max-width: 26rem; margin: 1rem; padding: 2rem; background: #fff; border-radius: .75rem; box-shadow: 0 1px 4px #0003; }
  h1 { font-size: 1.3rem; margin: 0 0 .5rem; }
  button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .5rem; color: #fff; background: #0b5cad; cursor: pointer; }
  button:focus-visible { outline: 3px solid #f5a623; outline-offset: 2px; }
  button[disabled] { background: #5c6b7a; cursor: default; }
</style>
</head>
<body>
<main>
  <h1>Prove your e-mail address</h1>
  <p id="told" role="status" aria-live="polite">Press the button to say that this mailbox is yours.</p>
  <form id="proof"><button autofocus>This is my address</button></form>
  <noscript><p>This page needs JavaScript, or send the token yourself: <code>POST /api/v1/auth/verify-email</code>.</p></noscript>
</main>
<script src="/verify-email.js"></script>
</body>
</html>`

const SCRIPT = `const form = document.getElementById('proof'), told = document.getElementById('told'), button = form.querySelector('button')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  button.disabled = true
  try {
    const token = new URLSearchParams(location.search).get('token') ?? ''
    const answer = await fetch('/api/v1/auth/verify-email', {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ token }),
    })
    if (answer.ok) { form.remove(); told.textContent = 'Done. ' + (await answer.json()).email + ' is proven; you can close this page.'; return }
    told.textContent = answer.status === 422 ? 'This link was used already, or is older than 24 hours. Sign in and ask for a new one.' : (await answer.json()).detail
  } catch { told.textContent = 'Signalbox could not be reached. Try again in a moment.' }
  button.disabled = false
})`

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

const file = (body: string, type: string): Response =>
  new Response(body, {
    headers: {
      ...SECURITY_HEADERS,
      'Content-Security-Policy': POLICY,
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'no-store',
    },
  })

/** The page; the token stays in its address, and is sent by its script. */
export const verifyEmailPage = (): Response => file(PAGE, 'text/html')

export const verifyEmailScript = (): Response => file(SCRIPT, 'text/javascript')
