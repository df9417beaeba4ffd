import { onSend, send, tell, token } from './page.js'

const form = document.querySelector('form')
const newcomer = document.querySelector('#newcomer')
const rule = document.querySelector('#rule')
const { email, name, password } = form.elements

/** What somebody without an account is asked for, and nobody else. */
function ask() {
  const isNew = form.elements.account.value === 'new'
  newcomer.hidden = !isNew
  name.disabled = !isNew
  rule.hidden = !isNew
  password.minLength = isNew ? 12 : 1
  password.autocomplete = isNew ? 'new-password' : 'current-password'
}

// Made once: whoever could not join yet, because the organization is full, say, is signed in when they try again.
let session

async function signIn(given) {
  if (given.account === 'old') return send('POST', '/auth/login', { email: given.email, password: given.password })
  try {
    return await send('POST', '/auth/register', { email: given.email, name: given.name, password: given.password })
  } catch (error) {
    if (error.problem?.code !== 'email_taken') throw error
    form.elements.account.value = 'old'
    ask()
    password.focus()
    throw new Error('There is an account with this address. Sign in with its password.')
  }
}

onSend(form, async (given) => {
  tell('One moment.')
  session ??= await signIn(given)
  const member = await send('POST', '/invitations/accept', { token }, session.access_token)
  // The session served this page alone.
  await send('POST', '/auth/logout', {}, session.access_token).catch(() => {})
  form.remove()
  tell(`Done: you are ${member.role} of ${form.dataset.organization}. You can close this page.`)
})

for (const choice of form.elements.account) choice.addEventListener('change', ask)

try {
  const invitation = await send('POST', '/invitations/preview', { token })
  const until = new Date(invitation.expires_at).toLocaleString()
  form.dataset.organization = invitation.organization_name
  email.value = invitation.email
  document.querySelector('#invitation').textContent = `The invitation works until ${until}.`
  tell(`${invitation.invited_by_name} invites you to ${invitation.organization_name}, as ${invitation.role}.`)
  ask()
  form.hidden = false
} catch (error) {
  const status = error.problem?.status
  tell(
    status === 404 || status === 422
      ? 'This invitation does not work: it may be used, taken back, or older than 7 days. Ask to be invited again.'
      : error.message,
    true,
  )
}
