import { onSend, send, tell, token } from './page.js'

const set = document.querySelector('#set')
const ask = document.querySelector('#ask')

/** Shows one of the two forms, or none, and what it is for. */
function show(form, text, wrong = false) {
  for (const each of [set, ask]) each.hidden = each !== form
  tell(text, wrong)
  form?.querySelector('input').focus()
}

onSend(set, async ({ password }) => {
  try {
    await send('POST', '/auth/password-reset/confirm', { token, password })
    show(null, 'Done. Sign in with your new password; you can close this page.')
  } catch (error) {
    if (error.problem?.errors?.[0]?.code !== 'invalid_token') throw error
    show(ask, 'This link was used already, is older than an hour, or a newer one was mailed. Ask for a new one.', true)
  }
})

onSend(ask, async ({ email }) => {
  await send('POST', '/auth/password-reset', { email })
  show(null, `If ${email} has an account, a link is on its way. It works for an hour.`)
})

if (token) show(set, 'Choose the new password of your account.')
else show(ask, 'A link to set a new password is mailed to you.')
