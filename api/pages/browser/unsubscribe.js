import { onSend, showMessage, token } from './page.js'

const form = document.querySelector('form')

onSend(form, async () => {
  let response
  try {
    response = await fetch(`/unsubscribe?token=${encodeURIComponent(token)}`, { method: 'POST' })
  } catch {
    throw new Error('Signalbox could not be reached. Try again shortly.')
  }
  if (response.status === 422) throw new Error('This link is incomplete. Copy the whole link from the mail.')
  if (!response.ok) throw new Error('Something went wrong. Try again shortly.')
  const { type } = await response.json()
  form.remove()
  showMessage(
    `Done. You will not receive mails of the type ${type} any more. You can change this in your notification preferences.`,
  )
})
