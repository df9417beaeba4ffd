import { onSend, send, showMessage, token } from './page.js'

const form = document.querySelector('form')

onSend(form, async () => {
  try {
    const user = await send('POST', '/auth/verify-email', { token })
    form.remove()
    showMessage(`Done. ${user.email} is verified; you can close this page.`)
  } catch (error) {
    if (error.problem?.status !== 422) throw error
    throw new Error('This link was already used, or is older than 24 hours. Sign in and request a new one.')
  }
})
