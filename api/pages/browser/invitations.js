import { onSend, send, showMessage, token } from './page.js'

const form = document.querySelector('form')
const newcomer = document.querySelector('#newcomer')
const rule = document.querySelector('#rule')
const { email, name, password } = form.elements

/** Shows the fields for new users only if the user has no account. */
function updateForm() {
  const isNew = form.elements.account.value === 'new'
  newcomer.hidden = !isNew
  name.disabled = !isNew
  rule.hidden = !isNew
  password.minLength = isNew ? 12 : 1
  password.autocomplete = isNew ? 'new-password' : 'current-password'
}

// Kept, so that a user who could not join (e.g. a full organization) need not sign in again to retry.
let session

async function signIn(given) {
  if (given.account === 'old') return send('POST', '/auth/login', { email: given.email, password: given.password })
  try {
    return await send('POST', '/auth/register', { email: given.email, name: given.name, password: given.password })
  } catch (error) {
    if (error.problem?.code !== 'email_taken') throw error
    form.elements.account.value = 'old'
    updateForm()
    password.focus()
    throw new Error('An account with this address already exists. Sign in with its password.')
  }
}

onSend(form, async (given) => {
  showMessage('One moment.')
  session ??= await signIn(given)
  const member = await send('POST', '/invitations/accept', { token }, session.access_token)
  // The session is only for this page.
  await send('POST', '/auth/logout', {}, session.access_token).catch(() => {})
  form.remove()
  showMessage(`Done: you are ${member.role} of ${form.dataset.organization}. You can close this page.`)
})

for (const choice of form.elements.account) choice.addEventListener('change', updateForm)

try {
  const invitation = await send('POST', '/invitations/preview', { token })
  const until = new Date(invitation.expires_at).toLocaleString()
  form.dataset.organization = invitation.organization_name
  email.value = invitation.email
  document.querySelector('#invitation').textContent = `The invitation is valid until ${until}.`
  showMessage(`${invitation.invited_by_name} invites you to ${invitation.organization_name} as ${invitation.role}.`)
  updateForm()
  form.hidden = false
} catch (error) {
  const status = error.problem?.status
  showMessage(
    status === 404 || status === 422
      ? 'This invitation was used or revoked, or is older than 7 days. Ask for a new one.'
      : error.message,
    true,
  )
}
