/**
 * One stream of changes for all windows of a browser: over HTTP/1.1, browsers open only six connections to a server.
 *
 * A window posts the page that it shows with its version, or null when it is hidden. It gets `change` when the page has changed, or why it no
 * longer follows changes.
 */

const MAX_PAGES = 20
/** After a refused connection, such as during a deployment. */
const RETRY_MS = 10_000

/** The page of each visible window, by its port. */
const windows = new Map()
/** The latest version of each page that the stream follows. */
const versions = new Map()
let source = null
let retry

function tell(page, message) {
  for (const [port, shown] of windows) if (shown === page) port.postMessage(message)
}

/** Tells windows why they no longer follow their page. */
function end(page, why) {
  tell(page, why)
  for (const [port, shown] of windows) if (shown === page) windows.delete(port)
}

/** Connects, if the stream does not follow the pages of the windows. */
function follow() {
  clearTimeout(retry)
  const pages = [...new Set(windows.values())].slice(-MAX_PAGES).toSorted()
  const url = new URL(`/app/live?pages=${pages.join()}`, location.href).href
  for (const page of versions.keys()) if (!pages.includes(page)) versions.delete(page)
  if (source?.url === url) return
  source?.close()
  source = null
  if (pages.length > 0) source = connect(url)
}

function connect(url) {
  const stream = new EventSource(url)
  stream.addEventListener('change', ({ data }) => {
    const [page, version] = data.split(' ')
    // The first version is news too, unless the page was rendered with it.
    if (versions.get(page) === version) return
    versions.set(page, version)
    tell(page, 'change')
  })
  stream.addEventListener('lost', ({ data }) => {
    end(data, 'access')
    // The server leaves the page out of this stream by itself.
    versions.delete(data)
  })
  stream.addEventListener('ended', ({ data }) => {
    stream.close()
    source = null
    for (const page of new Set(windows.values())) end(page, data)
  })
  stream.addEventListener('error', () => {
    if (stream.readyState !== EventSource.CLOSED) return
    source = null
    retry = setTimeout(follow, RETRY_MS)
    // Each window finds out whether it still has access.
    for (const page of new Set(windows.values())) tell(page, 'change')
  })
  return stream
}

function serve(port) {
  port.onmessage = ({ data }) => {
    windows.delete(port)
    if (data !== null) {
      const { page, version } = data
      windows.set(port, page)
      if (!versions.has(page)) versions.set(page, version)
      else if (versions.get(page) !== version) port.postMessage('change')
    }
    follow()
  }
}

// In browsers without shared workers, each window has a worker of its own.
if ('onconnect' in self) self.onconnect = ({ ports: [port] }) => serve(port)
else serve(self)
