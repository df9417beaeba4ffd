/** The keyboard: keys that lead to pages and through lists, and the command menu. */

/** Where `g` and a key lead: a path, or what finds the link in this page. */
const PLACES = [
  ['h', 'Needs you', '/app'],
  ['i', 'Inbox', '/app/notifications'],
  ['o', 'Organization', '.side .menu a'],
  ['w', 'Workspace of this page', '.crumbs a[href^="/app/workspaces/"]'],
  ['p', 'Project of this page', '.crumbs a[href^="/app/projects/"]'],
  ['a', 'Account', '/app/account'],
]
const OTHER_KEYS = [
  ['/', 'Search'],
  ['j', 'Next link of a list'],
  ['k', 'Previous link of a list'],
  ['Enter', 'Open the link'],
  ['Ctrl K', 'Command menu'],
  ['?', 'These keys'],
]
/** After `g`, for the second key. */
const SEQUENCE_MS = 1500
const TYPING_MS = 120
const OFF = 'keys-off'

/** What the browser keeps for this page; nothing if it is set to keep nothing: then it throws. */
const kept = (() => {
  try {
    return localStorage
  } catch {
    return null
  }
})()
const areOn = () => (kept?.getItem(OFF) ?? null) === null

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...children)
  return element
}

const hrefOf = (place) => (place.startsWith('/') ? place : document.querySelector(place)?.getAttribute('href'))
const isField = (element) =>
  element.closest('textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"])') !== null

/** Moves the focus along the links that name the rows of lists. */
function moveFocus(step) {
  const links = [...document.querySelectorAll('main :is(td.main a, .what > a, .list li > a, .timeline a)')].filter(
    (link) => link.getClientRects().length > 0,
  )
  const at = links.indexOf(document.activeElement)
  links[at === -1 ? (step > 0 ? 0 : links.length - 1) : at + step]?.focus()
}

function focusSearch() {
  const field = document.querySelector('search input')
  field.focus()
  field.select()
}

/** A dialog with a heading, which is removed when it is closed. */
function open(title, ...content) {
  const heading = make('h2', { id: 'dialog-title' }, title)
  const close = make('button', { type: 'button', class: 'quiet' }, 'Close')
  const dialog = make(
    'dialog',
    { 'aria-labelledby': 'dialog-title' },
    make('div', { class: 'heading' }, heading, close),
    ...content,
  )
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  // A click outside of the dialog.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

function showKeys() {
  const keys = [...OTHER_KEYS, ...PLACES.map(([key, text]) => [`g ${key}`, text])]
  const rows = keys.map(([key, text]) => make('div', {}, make('dt', {}, make('kbd', {}, key)), make('dd', {}, text)))
  const box = make('input', { type: 'checkbox' })
  box.checked = areOn()
  box.disabled = kept === null
  box.addEventListener('change', () => (box.checked ? kept.removeItem(OFF) : kept.setItem(OFF, '')))
  open('Keyboard', make('dl', { class: 'facts' }, ...rows), make('label', { class: 'tick' }, box, 'Keys without Ctrl are on'))
}

/** As texts are compared: without case and accents. */
const folded = (text) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** What the menu offers: places, the links of this page that lead on, and the keys. */
function commandsHere() {
  const links = document.querySelectorAll('.side a, .crumbs a, main :is(.tabs, .more, .heading, .buttons) a')
  const commands = new Map(
    PLACES.filter(([, , place]) => hrefOf(place)).map(([key, text, place]) => [hrefOf(place), [text, `g ${key}`]]),
  )
  for (const link of links) {
    const href = link.getAttribute('href')
    // Without counts and the words of dots.
    const text = (link.querySelector('.name') ?? link).textContent.trim()
    if (text && !commands.has(href)) commands.set(href, [text, ''])
  }
  const found = [...commands].map(([href, [text, hint]]) => ({ text, hint, run: () => location.assign(href) }))
  return [...found, { text: 'Keyboard', hint: '?', run: showKeys }]
}

async function find(words, signal) {
  const response = await fetch(`/app/search?${new URLSearchParams({ q: words })}`, { signal })
  if (!response.ok || response.redirected) return []
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return [...page.querySelectorAll('main .rows > li')].map((row) => {
    const link = row.querySelector('.what > a')
    const hint = [row.parentElement.getAttribute('aria-label'), row.querySelector('.beside')?.textContent]
      .filter(Boolean)
      .join(' · ')
    return { text: link.textContent, hint, run: () => location.assign(link.getAttribute('href')) }
  })
}

function openMenu() {
  if (document.querySelector('dialog[open]')) return
  const list = make('ul', { role: 'listbox', id: 'commands', 'aria-label': 'Commands and results' })
  const field = make('input', {
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    maxlength: 200,
    'aria-label': 'Command or search',
    'aria-expanded': 'true',
    'aria-controls': 'commands',
    'aria-autocomplete': 'list',
  })
  const count = make('p', { role: 'status', class: 'hint' })
  const dialog = open('Command menu', field, list, count)
  dialog.classList.add('commands')
  const commands = commandsHere()
  let shown = []
  let selected = 0

  function select(index) {
    selected = Math.max(0, Math.min(index, shown.length - 1))
    for (const [at, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(at === selected))
    const option = list.children[selected]
    field.setAttribute('aria-activedescendant', option?.id ?? '')
    option?.scrollIntoView({ block: 'nearest' })
  }
  function run(command) {
    if (!command) return
    dialog.close()
    command.run()
  }
  function show(results) {
    const words = folded(field.value).split(/\s+/)
    shown = [...commands.filter(({ text }) => words.every((word) => folded(text).includes(word))), ...results]
    const options = shown.map(({ text, hint }, at) =>
      make('li', { role: 'option', id: `command-${at}` }, make('bdi', {}, text), make('span', { class: 'hint' }, hint)),
    )
    list.replaceChildren(...options)
    for (const [at, option] of options.entries()) option.addEventListener('click', () => run(shown[at]))
    count.textContent = `${shown.length} ${shown.length === 1 ? 'result' : 'results'}`
    select(0)
  }

  let typing
  let asked = new AbortController()
  field.addEventListener('input', () => {
    clearTimeout(typing)
    asked.abort()
    asked = new AbortController()
    show([])
    const { signal } = asked
    const words = field.value.trim()
    if (words)
      typing = setTimeout(
        () =>
          find(words, signal).then(
            (results) => signal.aborted || show(results),
            () => {},
          ),
        TYPING_MS,
      )
  })
  field.addEventListener('keydown', (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 }
    if (event.isComposing) return
    if (event.key in steps) select(selected + steps[event.key])
    else if (event.key === 'Enter') run(shown[selected])
    else return
    event.preventDefault()
  })
  show([])
  field.focus()
}

let afterG

/** @returns whether the key was one of ours */
function press(key) {
  if (afterG) {
    clearTimeout(afterG)
    afterG = undefined
    const place = PLACES.find(([letter]) => letter === key)
    const href = place && hrefOf(place[2])
    if (href) location.assign(href)
    return place !== undefined
  }
  const actions = { '/': focusSearch, '?': showKeys, j: () => moveFocus(1), k: () => moveFocus(-1) }
  if (key === 'g') {
    afterG = setTimeout(() => {
      afterG = undefined
    }, SEQUENCE_MS)
  } else if (Object.hasOwn(actions, key)) actions[key]()
  else return false
  return true
}

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event
  if (event.defaultPrevented || event.isComposing || altKey || isField(target) || document.querySelector('dialog[open]')) return
  if (ctrlKey || metaKey) {
    if (key.toLowerCase() !== 'k') return
    event.preventDefault()
    openMenu()
  } else if (areOn() && press(key)) event.preventDefault()
})

const opener = document.querySelector('search button')
opener.hidden = false
opener.addEventListener('click', openMenu)
