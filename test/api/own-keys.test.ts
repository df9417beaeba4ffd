/** Names that every object inherits, as names of fields: they are refused as any other unknown name, or are names as any other. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
/** Values that could be taken for nothing, or for what is inherited. */
const VALUES = ['null', '{}', '"x"', '{"toString":1}']

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

/** JSON text with one more field: written by hand, because `JSON.stringify` leaves `__proto__` out. */
const withField = (object: object, name: string, value: string): string => {
  const text = JSON.stringify(object)
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"${name}":${value}}`
}

const json = { 'Content-Type': 'application/json' }
const CONFIG = { url: 'https://example.com/' }

describe('An unknown field is refused:', () => {
  for (const name of INHERITED) {
    test(`${name} in the config of a channel, also next to what is stored`, async () => {
      const path = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
      const { id } = await ada.make(path, { name: 'Ops', channel_type: 'webhook', config: CONFIG })
      for (const value of VALUES) {
        const config = withField(CONFIG, name, value)
        const created = await ada.post(path, `{"name":"Ops","channel_type":"webhook","config":${config}}`, json)
        const changed = await ada.put(`${path}/${id}`, `{"config":${withField({}, name, value)}}`, json)
        for (const { status, body } of [created, changed]) {
          expect([value, status, body.errors]).toEqual([
            value,
            422,
            [{ pointer: `/config/${name}`, code: 'unknown_field', detail: expect.any(String) }],
          ])
        }
      }
    })

    test(`${name} in a body, at any depth, and in a query`, async () => {
      for (const [path, text] of [
        [`/api/v1/organizations`, withField({ name: 'Acme' }, name, '"x"')],
        [`/api/v1/projects/${site.project.id}/requirements`, withField({ title: 'Pay' }, name, 'null')],
        [
          `/api/v1/projects/${site.project.id}/deployment-hooks`,
          `{"name":"H","url":"https://example.com/","trigger_on":"gate_approved","filter":${withField({}, name, '{}')}}`,
        ],
      ] as const) {
        const { status, body } = await ada.post(path, text, json)
        expect([path, status, body.code]).toEqual([path, 422, 'validation_failed'])
      }
      const workspace = await ada.put(
        `/api/v1/workspaces/${site.workspace.id}`,
        `{"gate_policy":${withField({}, name, '1')}}`,
        json,
      )
      expect(workspace.status).toBe(422)
      const { status, body } = await ada.get(`/api/v1/projects/${site.project.id}/gates?${name}=1`)
      expect([status, body.errors?.[0]?.pointer]).toEqual([422, `/${name}`])
    })
  }
})

test('a channel type without a field refuses it, also when it is null', async () => {
  const path = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
  const config = { ...CONFIG, webhok_url: null }
  const { status, body } = await ada.post(path, { name: 'Ops', channel_type: 'webhook', config })
  expect([status, body.errors?.[0]]).toMatchObject([422, { pointer: '/config/webhok_url', code: 'unknown_field' }])
})

test('names of headers and template secrets are names as any other', async () => {
  const path = `/api/v1/projects/${site.project.id}/deployment-hooks`
  const named = `{"constructor":"a","__proto__":"b"}`
  const { status, body } = await ada.post(
    path,
    `{"name":"H","url":"https://example.com/","trigger_on":"gate_approved","headers":${named},"template_secrets":${named}}`,
    json,
  )
  expect([status, Object.keys(body.headers).sort(), Object.keys(body.template_secrets).sort()]).toEqual([
    201,
    ['__proto__', 'constructor'],
    ['__proto__', 'constructor'],
  ])
  const hook = `/api/v1/deployment-hooks/${body.id}`
  expect((await ada.put(hook, { headers: {}, template_secrets: {} })).body).toMatchObject({ headers: {}, template_secrets: {} })
  await ada.put(hook, `{"headers":${named}}`, json)
  const { items } = (await ada.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=deployment_hook.updated`))
    .body
  const details = items.map(({ detail }: { detail: string }) => detail)
  expect(details[0]).toContain('headers.constructor added; headers.__proto__ added')
  expect(details[1]).toContain('headers.constructor removed; headers.__proto__ removed')
})
