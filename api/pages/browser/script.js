/** The script of all pages. They work without it; it adds local times, questions before actions, buttons that copy, and live updates. */

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const withZone = (second) =>
  new Intl.DateTimeFormat(undefined, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second,
    timeZoneName: 'short',
  })
const [toTheMinute, toTheSecond] = [withZone(), withZone('2-digit')]

function fromNow(ms) {
  const seconds = (ms - Date.now()) / 1000
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit)
  }
  return seconds > 0 ? 'in a moment' : 'just now'
}

/** Shows times in the zone of the reader. Exact ones name it, and so do tooltips. */
function showTimes() {
  for (const time of document.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime)
    const { exact, fixed } = time.dataset
    time.title = toTheSecond.format(at)
    if (fixed !== undefined) continue
    const text = exact === 'seconds' ? toTheSecond.format(at) : exact ? toTheMinute.format(at) : fromNow(at.getTime())
    if (time.textContent !== text) time.textContent = text
  }
}

showTimes()
setInterval(showTimes, 30_000)

/** An invitation is accepted with a new account, which needs a name, or with one whose password a password manager may know. */
function fitToAccount({ account, name, password }) {
  const isNew = account.value === 'new'
  name.required = isNew
  password.autocomplete = isNew ? 'new-password' : 'current-password'
}
for (const { elements } of document.forms) {
  if (!elements.account) continue
  fitToAccount(elements)
  for (const choice of elements.account) choice.addEventListener('change', () => fitToAccount(elements))
}

// A second click while the first is on its way would be refused, and the person would read that instead of the result.
document.addEventListener('submit', (event) => {
  const question = event.submitter?.dataset.confirm
  if (question && !confirm(question)) return event.preventDefault()
  // After the browser has collected the form, which includes the button.
  setTimeout(() => {
    for (const button of event.target.querySelectorAll('button')) button.disabled = true
  })
})
// Back in the history, the page is shown as it was left.
addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('form button')) button.disabled = false
})

// The clipboard is there on pages with TLS alone.
for (const button of navigator.clipboard ? document.querySelectorAll('[data-copies]') : []) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const value = document.getElementById(button.dataset.copies)
    const isCopied = await navigator.clipboard.writeText(value.textContent).then(
      () => true,
      () => false,
    )
    // Where the browser forbids it, the keyboard can copy what is selected.
    if (!isCopied) getSelection().selectAllChildren(value)
    button.nextElementSibling.textContent = isCopied ? 'Copied.' : 'Selected. Copy it with the keyboard.'
  })
}

// Menus close with Escape, and when the focus or a click goes elsewhere.
document.addEventListener('keydown', (event) => {
  const menu = document.activeElement?.closest('.menu[open]')
  if (event.key !== 'Escape' || !menu) return
  menu.open = false
  menu.querySelector('summary').focus()
})
for (const type of ['click', 'focusin']) {
  document.addEventListener(type, ({ target }) => {
    for (const menu of document.querySelectorAll('.menu[open]')) if (!menu.contains(target)) menu.open = false
  })
}

/** Parts that follow changes, with their HTML as the server sent it: what was typed since is no difference. */
const parts = new Map([...document.querySelectorAll('[data-live]')].map((part) => [part.id, part.outerHTML]))

const isBox = ({ type }) => type === 'radio' || type === 'checkbox'

function isEdited(field) {
  if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected)
  if (isBox(field)) return field.checked !== field.defaultChecked
  return !['submit', 'hidden'].includes(field.type) && field.value !== field.defaultValue
}

const fieldsOf = (part) => [...part.querySelectorAll('input, textarea, select')]

/** Enters what was entered into a field that has been replaced. @returns whether the page still has the field */
function enterAgain(field, fresh) {
  const target = fieldsOf(fresh).find(({ name, value }) => name === field.name && (!isBox(field) || value === field.value))
  if (!target) return false
  if (isBox(field)) target.checked = field.checked
  else target.value = field.value
  return true
}

function showNotice(text) {
  const notice = document.createElement('p')
  notice.className = 'notice warn'
  notice.textContent = text
  document.querySelector('#status').append(notice)
}

/** What an element became: the one with its id, or for a link the first one to the same place. */
function counterpartOf(element, fresh) {
  if (element.id) return document.getElementById(element.id)
  const href = element.getAttribute('href')
  return href === null ? null : fresh.querySelector(`a[href="${CSS.escape(href)}"]`)
}

/** Replaces a part, keeping what was typed, where the focus and the cursor are, and what is open. */
function replacePart(part, next) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null
  const selection = focused && 'selectionStart' in focused ? [focused.selectionStart, focused.selectionEnd] : null
  const typed = fieldsOf(part).filter(isEdited)
  const fresh = document.importNode(next, true)
  part.replaceWith(fresh)
  for (const field of typed) {
    if (!enterAgain(field, fresh) && !isBox(field) && field.value) showNotice(`What you had typed: ${field.value}`)
  }
  if (!focused) return
  const target = counterpartOf(focused, fresh) ?? document.querySelector('main')
  target.focus({ preventScroll: true })
  try {
    if (selection) target.setSelectionRange(...selection)
  } catch {
    // Fields such as those of addresses have no selection.
  }
}

/** What the page says when it no longer follows changes, and why. */
const ENDED = {
  session: 'Your session has ended. Reload this page to sign in again.',
  access: 'This page is gone, or you no longer have access to it.',
}

async function refresh() {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' } })
  if (response.redirected) return leave(ENDED.session)
  if (response.status === 404) return leave(ENDED.access)
  // Such as 503 during a deployment: the next change, or the next connection, tries again.
  if (!response.ok) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (page.body.dataset.account !== document.body.dataset.account)
    return leave('You are signed in as another person now. Reload this page.')
  for (const [id, before] of parts) {
    const part = document.getElementById(id)
    const next = page.getElementById(id)
    if (!part || !next || next.outerHTML === before) continue
    parts.set(id, next.outerHTML)
    replacePart(part, next)
  }
  if (page.title !== document.title) document.title = page.title
  showTimes()
}

const { livePage, liveWorker, account } = document.body.dataset
let port = null
let refreshing = Promise.resolve()

/** Follows the page while it is visible. */
const follow = () => port.postMessage(document.hidden ? null : livePage)

/** Says why the page no longer follows changes. */
function leave(text) {
  showNotice(text)
  document.removeEventListener('visibilitychange', follow)
  port.postMessage(null)
}

if (livePage) {
  // The windows of another account have a worker of their own.
  port = globalThis.SharedWorker ? new SharedWorker(liveWorker, { name: account }).port : new Worker(liveWorker)
  port.onmessage = ({ data }) => {
    if (data in ENDED) leave(ENDED[data])
    else refreshing = refreshing.then(refresh).catch(() => {})
  }
  document.addEventListener('visibilitychange', follow)
  follow()
}
