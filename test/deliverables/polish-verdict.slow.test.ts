import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { completion, ModelServer, settingsFor } from '../support/model-server.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

const server = new ModelServer()
let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ own: true, environment: { ...settingsFor(server), AI_POLISH: 'on', AI_TIMEOUT_SECONDS: '5' } })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(async () => {
  await box.close()
  await server.stop()
})

interface Given {
  index: number
  text: string
}

const generate = async (deliverable_type: string): Promise<Answer['body']> => {
  const path = `/api/v1/projects/${site.project.id}/deliverables/generate`
  return (await ada.post(path, { deliverable_type }, { Prefer: 'wait=25' })).body
}

/** Makes the model write anew what it may. */
const written = (to: (text: string) => string) =>
  server.reset(({ data }) => {
    const paragraphs = data.map(({ index, text, write }: Given & { write?: true }) => ({ index, text: write ? to(text) : text }))
    return completion(JSON.stringify({ paragraphs }))
  })

describe('The verdict of a summary is written by the model,', () => {
  const verdictOf = (content: string) => content.split('\n\n')[1]?.replaceAll('\\', '') ?? ''
  const summary = async () => {
    const { id } = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay' })
    await ada.put(`/api/v1/requirements/${id}`, { status: 'done' })
    return verdictOf((await generate('project_summary')).content)
  }

  test('in other words', async () => {
    written((text) => text)
    const plain = await summary()
    expect(plain).toContain('Checkout has 1 of 1 requirement done (100%)')
    const better = (text: string) =>
      text.replace('No risks are known', 'No risks are known here').replace(' has 1 of', ' now has 1 of')
    written(better)
    const { content, generator, source } = await generate('project_summary')
    expect([generator, source.polish.reason]).toEqual(['model:judge-large', null])
    expect(verdictOf(content)).toBe(better(plain))
    const [asked] = server.asked
    expect(asked?.data.filter(({ write }: { write?: true }) => write)).toHaveLength(1)
  })

  test('but with no fact added, changed or left out', async () => {
    written((text) => text)
    const plain = await summary()
    const changes: ((text: string) => string)[] = [
      (text) => text.replace('2 of 2', '3 of 3'),
      (text) => text.replace('done', 'done by Mallory'),
      (text) => text.replace('done', 'done in v2.0'),
      (text) => text.replace('done', 'done, see https://evil.example/'),
      (text) => text.replace('No risks are known', 'Everything is at risk'),
      (text) => text.replace('$', '€'),
      () => 'Checkout is doing very well, and everybody is happy with it.',
    ]
    for (const change of changes) {
      written(change)
      const { content, source } = await generate('project_summary')
      expect([change(plain), verdictOf(content)]).toEqual([change(plain), plain])
      expect(source.polish.reason).toContain('1 paragraph left unchanged')
    }
  })
})

test('the steps of a manual are written by the model, with no fact added', async () => {
  const requirements = `/api/v1/projects/${site.project.id}/requirements`
  const description = 'For bookkeeping.\n\n1. Open the page Orders and wait.\n2. Choose Export within 5 minutes.'
  const { id } = await ada.make(requirements, { title: 'Export orders', description })
  await ada.put(`/api/v1/requirements/${id}`, { status: 'done' })
  written((text) => text.replace('Open the page', 'Open the page with the name').replace('5 minutes', '5 minutes of work, or 50'))
  const { content, generator, source } = await generate('user_manual')
  expect([generator, source.polish.reason]).toEqual(['model:judge-large', expect.stringContaining('1 paragraph left unchanged')])
  expect(content).toContain('1. Open the page with the name Orders and wait.\n2. Choose Export within 5 minutes.\n')
})
