import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { normalize, richProject } from './fixture.ts'

const TYPES = ['changelog', 'project_summary', 'deployment_guide', 'api_docs', 'user_manual'] as const
const golden = (type: string) => Bun.file(`${import.meta.dir}/golden/${type}.md`)

let box: Box
let ada: Actor
let site: Site
const documents: Record<string, { id: string; content: string }> = {}

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ada = await box.user('Ada')
  site = await richProject(box, ada)
  for (const deliverable_type of TYPES) {
    const path = `/api/v1/projects/${site.project.id}/deliverables/generate`
    documents[deliverable_type] = (await ada.post(path, { deliverable_type }, { Prefer: 'wait=20' })).body
  }
})
afterAll(() => box.close())

describe('The documents of a varied project equal the reviewed ones:', () => {
  for (const type of TYPES) {
    test(type, async () => {
      const content = normalize(documents[type]?.content ?? '')
      // Review the difference before accepting it.
      if (process.env.UPDATE_GOLDEN) await Bun.write(golden(type), content)
      expect(content).toBe(await golden(type).text())
    })
  }
})

describe('In the HTML page, no data is markup:', () => {
  for (const type of TYPES) {
    test(type, async () => {
      const { body, headers } = await ada.get(`/api/v1/deliverables/${documents[type]?.id}`, { Accept: 'text/html' })
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(body).not.toMatch(/<script|<img|<[^>]*\son\w+=|href="javascript:/i)
      expect(body).toContain('<h1>')
    })
  }
})

test('secret parts of hooks appear in no document', () => {
  const all = Object.values(documents)
    .map(({ content }) => content)
    .join('\n')
  expect(all).toContain('https://ci.example.com')
  expect(all).not.toContain('a-token-of-theirs')
  expect(all).not.toContain('not to be seen')
})
