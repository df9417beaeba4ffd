import { onSend, send, showMessage, token } from './page.js'

const set = document.querySelector('#set')
const ask = document.querySelector('#ask')

/** Shows one of the two forms, or none, with a message. */
function show(form, text, wrong = false) {
  for (const each of [set, ask]) each.hidden = each !== form
  showMessage(text, wrong)
  form?.querySelector('input').focus()
}

onSend(set, async ({ password }) => {
  try {
    await send('POST', '/auth/password-reset/confirm', { token, password })
    show(null, 'Done. Sign in with your new password; you can close this page.')
  } catch (error) {
    if (error.problem?.errors?.[0]?.code !== 'invalid_token') throw error
    show(ask, 'This link was already used, is older than an hour, or was replaced by a newer one. Request a new one.', true)
  }
})

onSend(ask, async ({ email }) => {
  await send('POST', '/auth/password-reset', { email })
  show(null, `If ${email} has an account, a link was mailed. It is valid for an hour.`)
})

if (token) show(set, 'Choose a new password for your account.')
else show(ask, 'We will mail you a link to set a new password.')
