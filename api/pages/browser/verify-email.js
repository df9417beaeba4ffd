import { onSend, send, tell, token } from './page.js'

const form = document.querySelector('form')

onSend(form, async () => {
  try {
    const user = await send('POST', '/auth/verify-email', { token })
    form.remove()
    tell(`Done. ${user.email} is proven; you can close this page.`)
  } catch (error) {
    if (error.problem?.status !== 422) throw error
    throw new Error('This link was used already, or is older than 24 hours. Sign in and ask for a new one.')
  }
})
