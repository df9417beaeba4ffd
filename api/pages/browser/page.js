/** The token of the mailed link. */
export const token = new URLSearchParams(location.search).get('token') ?? ''

const status = document.querySelector('[role="status"]')

/** Shows a message, also to screen readers. */
export function showMessage(text, wrong = false) {
  status.textContent = text
  status.classList.toggle('wrong', wrong)
}

/**
 * Sends JSON to the API.
 *
 * @returns the parsed response; null without a body
 * @throws {Error} with a message for the user and, if the API sent one, the `problem`
 */
export async function send(method, path, body, accessToken) {
  const headers = { 'Content-Type': 'application/json' }
  if (accessToken) headers.Authorization = `Bearer ${accessToken}`
  let response
  try {
    response = await fetch(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
  } catch {
    throw new Error('Signalbox could not be reached. Try again shortly.')
  }
  const text = await response.text()
  const result = text ? JSON.parse(text) : null
  if (response.ok) return result
  throw Object.assign(new Error(result.errors?.[0]?.detail ?? result.detail), { problem: result })
}

/** Runs `work` when a form is submitted, one submission at a time, and shows errors. */
export function onSend(form, work) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const buttons = form.querySelectorAll('button')
    for (const button of buttons) button.disabled = true
    try {
      await work(Object.fromEntries(new FormData(form)), event.submitter)
    } catch (error) {
      showMessage(error.message, true)
    } finally {
      for (const button of buttons) button.disabled = false
    }
  })
}
