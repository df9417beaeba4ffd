/** The token that the mailed link brought along. */
export const token = new URLSearchParams(location.search).get('token') ?? ''

const told = document.querySelector('[role="status"]')

/** Says something to everybody, screen readers included. */
export function tell(text, wrong = false) {
  told.textContent = text
  told.classList.toggle('wrong', wrong)
}

/**
 * Sends JSON to the API.
 *
 * @returns what it answered, parsed; null for an answer without a body
 * @throws {Error} with a sentence for the reader, and `problem` where the API gave one
 */
export async function send(method, path, body, accessToken) {
  const headers = { 'Content-Type': 'application/json' }
  if (accessToken) headers.Authorization = `Bearer ${accessToken}`
  let answer
  try {
    answer = await fetch(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
  } catch {
    throw new Error('Signalbox could not be reached. Try again in a moment.')
  }
  const text = await answer.text()
  const result = text ? JSON.parse(text) : null
  if (answer.ok) return result
  throw Object.assign(new Error(result.errors?.[0]?.detail ?? result.detail), { problem: result })
}

/** Does a form's work when it is sent, once at a time, and tells what went wrong. */
export function onSend(form, work) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const buttons = form.querySelectorAll('button')
    for (const button of buttons) button.disabled = true
    try {
      await work(Object.fromEntries(new FormData(form)), event.submitter)
    } catch (error) {
      tell(error.message, true)
    } finally {
      for (const button of buttons) button.disabled = false
    }
  })
}
