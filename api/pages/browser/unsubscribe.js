import { onSend, tell, token } from './page.js'

const form = document.querySelector('form')

onSend(form, async () => {
  let answer
  try {
    answer = await fetch(`/unsubscribe?token=${encodeURIComponent(token)}`, { method: 'POST' })
  } catch {
    throw new Error('Signalbox could not be reached. Try again in a moment.')
  }
  if (answer.status === 422) throw new Error('This link is not whole. Copy all of it from the mail.')
  if (!answer.ok) throw new Error('That did not work. Try again in a moment.')
  const { type } = await answer.json()
  form.remove()
  tell(`Done. No more mails of the type ${type}. Your notification preferences take this back.`)
})
