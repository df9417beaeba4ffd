/** The filter and the requests of the reference. */
const find = (selector, within = document) => within.querySelector(selector)
const all = (selector, within = document) => [...within.querySelectorAll(selector)]

// Opens what the address leads to: a fragment does not open a closed <details> in every browser.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  if (target.matches('details')) target.open = true
  target.scrollIntoView()
}
addEventListener('hashchange', openTarget)

const filter = find('#filter')
const found = find('#found')

function applyFilter() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const item of all('[data-search]')) {
    item.hidden = !words.every((word) => item.dataset.search.includes(word))
    if (!item.hidden && item.matches('li')) count += 1
  }
  for (const group of all('.group')) {
    group.hidden = all('[data-search]', group).every((item) => item.hidden)
    if (group.matches('details')) group.open = words.length > 0 && !group.hidden
  }
  found.textContent = words.length === 0 ? '' : count === 1 ? '1 entry' : `${count} entries`
}
filter.addEventListener('input', applyFilter)
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea')) return
  event.preventDefault()
  filter.focus()
})

// Kept for this tab alone.
const token = find('#token')
const keepToken = () => sessionStorage.setItem('token', token.value)
token.value = sessionStorage.getItem('token') ?? ''
token.addEventListener('input', keepToken)

/** The request that a form describes. */
function requestOf(form) {
  const headers = new Headers()
  const query = new URLSearchParams()
  let path = form.dataset.path
  for (const { name, value, dataset } of all('[data-in]', form)) {
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
    else if (value !== '' && dataset.in === 'query') query.set(name, value)
    else if (value !== '') headers.set(name, value)
  }
  if (token.value) headers.set('Authorization', `Bearer ${token.value}`)
  const field = form.elements.namedItem('body')
  const body = field?.files ? field.files[0] : field?.value || undefined
  if (body) headers.set('Content-Type', field.dataset.type ?? body.type)
  return new Request(`${path}${query.size > 0 ? `?${query}` : ''}`, { method: form.dataset.method, headers, body })
}

const SHOWN = ['content-type', 'location', 'etag', 'retry-after', 'x-request-id']

async function textOf(response) {
  const type = response.headers.get('content-type') ?? ''
  if (/^image\//.test(type)) return `${(await response.blob()).size} bytes`
  const text = await response.text()
  if (!/json/.test(type) || text === '') return text
  const value = JSON.parse(text)
  if (value?.access_token) {
    token.value = value.access_token
    keepToken()
  }
  return JSON.stringify(value, null, 2)
}

async function send(form) {
  const output = find('output', form)
  const shown = document.createElement('pre')
  output.replaceChildren(shown)
  shown.textContent = 'Sending …'
  try {
    const response = await fetch(requestOf(form))
    const head = `${response.status} ${response.statusText}`
    const headers = SHOWN.filter((name) => response.headers.has(name)).map((name) => `${name}: ${response.headers.get(name)}`)
    if (/^text\/event-stream/.test(response.headers.get('content-type') ?? '')) {
      shown.textContent = [head, ...headers, '', 'A stream: read it with a client.'].join('\n')
      await response.body.cancel()
    } else shown.textContent = [head, ...headers, '', await textOf(response)].join('\n')
  } catch (error) {
    shown.textContent = `The request failed: ${error.message}`
  }
}

for (const form of all('form[data-method]')) {
  find('button', form).hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send(form)
  })
}

openTarget()
