/** The script of all pages. It adds local times, questions before actions, buttons that copy, and live updates. */

const DAY = 86_400
const day = { day: 'numeric', month: 'short' }
const clock = { hour: '2-digit', minute: '2-digit' }
const withZone = (second) =>
  new Intl.DateTimeFormat('en-GB', {
    ...day,
    year: 'numeric',
    ...clock,
    second,
    timeZoneName: 'short',
  })
const [toTheMinute, toTheSecond] = [withZone(), withZone('2-digit')]

/** When: as the server writes it, in the zone of the reader. */
function whenText(at) {
  const seconds = (at - Date.now()) / 1000
  const length = Math.abs(seconds)
  if (length >= 7 * DAY) {
    const isThisYear = at.getFullYear() === new Date().getFullYear()
    return at.toLocaleString('en-GB', { ...day, year: isThisYear ? undefined : 'numeric' })
  }
  if (length < 60) return seconds > 0 ? 'in a moment' : 'just now'
  const days = Math.trunc(length / DAY)
  if (days === 1) return seconds > 0 ? 'tomorrow' : 'yesterday'
  const amount = days ? `${days} days` : length < 3600 ? `${Math.trunc(length / 60)} min` : `${Math.trunc(length / 3600)} h`
  return seconds > 0 ? `in ${amount}` : `${amount} ago`
}

const dateText = (at) => at.toLocaleString('en-GB', { ...day, year: 'numeric' })
/** Below a day in UTC. */
const clockText = (at) => at.toLocaleString('en-GB', at.getUTCDate() === at.getDate() ? clock : { ...day, ...clock })
const FORMATS = {
  clock: clockText,
  date: dateText,
  true: toTheMinute.format,
  seconds: toTheSecond.format,
}

/** Shows times in the zone of the reader. Exact ones name it, and so do tooltips. */
function showTimes() {
  for (const time of document.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime)
    const { exact, fixed } = time.dataset
    time.title = toTheSecond.format(at)
    if (fixed !== undefined) continue
    const text = (FORMATS[exact] ?? whenText)(at)
    if (time.textContent !== text) time.textContent = text
  }
}

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

// After signing in, the form that was sent without a session is shown again.
document.querySelector('form[data-continue]')?.submit()

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

/** The page as the server sent it last, and what each of its nodes is here: what scripts and people have changed since is no difference. */
let sent = document.body.cloneNode(true)
const shownAs = new WeakMap()

function relate(node, shown) {
  shownAs.set(node, shown)
  for (const [index, child] of node.childNodes.entries()) relate(child, shown.childNodes[index])
}
relate(sent, document.body)

showTimes()
setInterval(showTimes, 30_000)

const isBox = ({ type }) => type === 'radio' || type === 'checkbox'

function isEdited(field) {
  if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected)
  if (isBox(field)) return field.checked !== field.defaultChecked
  return !['submit', 'hidden'].includes(field.type) && field.value !== field.defaultValue
}

/** Whether someone is filling in a form: it then stays as it is, also the version of what it changes. */
const isInUse = ({ elements }) =>
  [...elements].some((field) => field.matches('input, textarea, select') && (field === document.activeElement || isEdited(field)))

function showNotice(text) {
  const notice = document.createElement('p')
  notice.className = 'notice warn'
  notice.textContent = text
  document.querySelector('#status').append(notice)
}

/** By which an element is known again among its siblings. */
function keyOf(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return node.nodeName
  const { nodeName, id } = node
  const own = id || node.getAttribute('name') || node.getAttribute('href') || node.getAttribute('action')
  if (own) return `${nodeName} ${own} ${isBox(node) ? node.getAttribute('value') : ''}`
  if (nodeName === 'SECTION') return `SECTION ${node.querySelector('h2')?.firstChild?.textContent}`
  return nodeName === 'TR' || nodeName === 'LI' ? `${nodeName} ${node.querySelector('a')?.getAttribute('href')}` : nodeName
}

/** Removes an element; says what was typed into it. */
function removeShown(node) {
  const shown = shownAs.get(node)
  for (const field of shown?.querySelectorAll?.('input, textarea') ?? []) {
    if (!isBox(field) && isEdited(field)) showNotice(`What you had typed: ${field.value}`)
  }
  shown?.remove()
}

function updateAttributes(before, after, shown) {
  for (const { name } of [...before.attributes, ...after.attributes]) {
    const value = after.getAttribute(name)
    // What is open stays so.
    if (value === before.getAttribute(name) || name === 'open') continue
    if (value === null) shown.removeAttribute(name)
    else shown.setAttribute(name, value)
  }
}

function updateChildren(before, after, shown) {
  const rest = new Map()
  for (const node of before.childNodes) {
    const key = keyOf(node)
    if (!rest.has(key)) rest.set(key, [])
    rest.get(key).push(node)
  }
  const pairs = [...after.childNodes].map((next) => [next, rest.get(keyOf(next))?.shift()])
  for (const gone of [...rest.values()].flat()) removeShown(gone)
  let last = null
  for (const [next, prior] of pairs) {
    const node = prior ? shownAs.get(prior) : document.importNode(next, true)
    if (!node) continue
    if (!prior) relate(next, node)
    // What is in its place is not moved: it would lose the focus.
    const follows = last && last.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING
    if (!prior || (last && !follows)) {
      if (last) last.after(node)
      else shown.prepend(node)
    }
    if (prior) update(prior, next)
    last = node
  }
}

/** Makes a node of this page what the server has sent. */
function update(before, after) {
  const shown = shownAs.get(before)
  if (!shown) return
  shownAs.set(after, shown)
  if (after.nodeType !== Node.ELEMENT_NODE) {
    if (before.data !== after.data) shown.data = after.data
  } else if (before.isEqualNode(after)) {
    for (const [index, child] of before.childNodes.entries()) update(child, after.childNodes[index])
  } else if (after.id === 'status' || (after.nodeName === 'FORM' && isInUse(shown))) {
    // Notices were sent once.
    after.replaceWith(before)
  } else {
    updateAttributes(before, after, shown)
    updateChildren(before, after, shown)
  }
}

/** What an element became: for a link the first one to the same place. */
const counterpartOf = (element) =>
  element.href ? document.querySelector(`main a[href="${CSS.escape(element.getAttribute('href'))}"]`) : null

function show(page) {
  const focused = document.activeElement
  update(sent, page.body)
  sent = page.body
  if (focused !== document.activeElement && focused !== document.body) {
    const target = focused.isConnected ? focused : (counterpartOf(focused) ?? document.querySelector('main'))
    target.focus({ preventScroll: true })
  }
  if (page.title !== document.title) document.title = page.title
  showTimes()
}

/** What the page says when it no longer follows changes, and why. */
const ENDED = {
  session: 'Your session has ended. Reload this page to sign in again.',
  access: 'This page is gone, or you no longer have access to it.',
}

const { livePage, liveWorker, account } = document.body.dataset
let { liveVersion } = document.body.dataset
let port = null

async function refresh() {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' } })
  if (response.redirected) return leave(ENDED.session)
  if (response.status === 404) return leave(ENDED.access)
  // Such as 503 during a deployment: the next change, or the next connection, tries again.
  if (!response.ok) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (page.body.dataset.account !== account) return leave('You are signed in as another person now. Reload this page.')
  liveVersion = page.body.dataset.liveVersion
  show(page)
}

let refreshing = false
let refreshAgain = false

/** Refreshes the page; changes that come meanwhile share one more time. */
async function requestRefresh() {
  refreshAgain = true
  if (refreshing) return
  refreshing = true
  while (refreshAgain) {
    refreshAgain = false
    await refresh().catch(() => {})
  }
  refreshing = false
}

/** Follows the page while it is visible. */
const follow = () => port.postMessage(document.hidden ? null : { page: livePage, version: liveVersion })

/** Says why the page no longer follows changes. */
function leave(text) {
  showNotice(text)
  document.removeEventListener('visibilitychange', follow)
  port.postMessage(null)
}

/** Browsers that are set to keep nothing have shared workers and refuse them. */
function workerPort() {
  try {
    // The windows of another account have a worker of their own.
    return new SharedWorker(liveWorker, { name: account }).port
  } catch {
    return new Worker(liveWorker)
  }
}

if (livePage) {
  port = workerPort()
  port.onmessage = ({ data }) => {
    if (data in ENDED) leave(ENDED[data])
    else void requestRefresh()
  }
  document.addEventListener('visibilitychange', follow)
  follow()
}
