/**
 * An admission check for Kubernetes: admits pods only with images that Signalbox allows. For Node 18 or newer; no dependencies.
 * kubernetes.yaml deploys it.
 *
 * SIGNALBOX_URL, SIGNALBOX_TOKEN, PROJECT_ID, ENVIRONMENT: what is asked. UNCHECKED: prefixes of images that are not checked, separated
 * by commas, such as `registry.k8s.io/`. TLS_CERT, TLS_KEY: files. PORT: default 8443.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'

const { SIGNALBOX_URL, SIGNALBOX_TOKEN, PROJECT_ID, ENVIRONMENT, UNCHECKED = '', TLS_CERT, TLS_KEY, PORT = '8443' } = process.env
const unchecked = UNCHECKED.split(',').filter(Boolean)
const MAX_BYTES = 3_145_728

/** Why an image must not run; null if it may. Whatever goes wrong is a reason. */
async function refusal(image) {
  if (unchecked.some((prefix) => image.startsWith(prefix))) return null
  const [, hex] = /@sha256:([0-9a-f]{64})$/.exec(image) ?? []
  if (!hex) return `${image} has no digest: write it as name@sha256:…`
  try {
    const response = await fetch(`${SIGNALBOX_URL.replace(/\/$/, '')}/api/v1/projects/${PROJECT_ID}/verify`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${SIGNALBOX_TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ environment: ENVIRONMENT, digest: `sha256:${hex}` }),
      signal: AbortSignal.timeout(8_000),
    })
    const { allowed, reasons, detail } = await response.json()
    return response.ok && allowed === true ? null : `${image}: ${reasons?.join(' ') ?? detail}`
  } catch (error) {
    return `${image}: Signalbox did not answer (${error.message})`
  }
}

function imagesOf(pod) {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod?.spec ?? {}
  return [...containers, ...initContainers, ...ephemeralContainers].map(({ image }) => String(image))
}

/** Checks the images that a pod did not have before: what runs already can still be labelled and deleted. */
async function review({ uid, object, oldObject }) {
  const images = imagesOf(object).filter((image) => !imagesOf(oldObject).includes(image))
  const reasons = (await Promise.all([...new Set(images)].map(refusal))).filter(Boolean)
  if (!Array.isArray(object?.spec?.containers)) reasons.push('This is not a pod')
  return reasons.length === 0
    ? { uid, allowed: true }
    : { uid, allowed: false, status: { code: 403, message: reasons.join('; ') } }
}

const server = createServer({ cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) }, async (request, response) => {
  const answer = (status, body) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  if (request.method === 'GET') return answer(200, { ready: true })
  try {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) {
      text += chunk
      if (text.length > MAX_BYTES) return request.destroy()
    }
    const { apiVersion, kind, request: asked } = JSON.parse(text)
    answer(200, { apiVersion, kind, response: await review(asked) })
  } catch {
    answer(400, { error: 'not an AdmissionReview' })
  }
})
server.listen(Number(PORT), () => console.log(`listening on port ${server.address().port}`))
process.on('SIGTERM', () => server.close(() => process.exit()))
