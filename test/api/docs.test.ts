import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { PROBLEMS } from '../../api/problems.ts'
import { DIRECT_EVENTS, EVENTS, HOOK_EVENTS } from '../../core/events/catalogue.ts'
import type { Operation } from '../support/openapi.ts'
import { type Box, signalbox } from '../support/signalbox.ts'

let box: Box
let operations: { name: string; method: string; path: string; operation: Operation }[]

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  operations = Object.entries(box.contract.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
})
afterAll(() => box.close())

/** The routes in the source, to find any that is registered and not documented. */
async function routesInSource(): Promise<string[]> {
  const routes: string[] = []
  for await (const file of new Bun.Glob('api/*/*routes.ts').scan(`${import.meta.dir}/../..`)) {
    const text = await Bun.file(`${import.meta.dir}/../../${file}`).text()
    for (const instance of text.split('new Elysia(').slice(1)) {
      const [, prefix = ''] = /^[^)]*prefix: '([^']+)'/.exec(instance) ?? []
      for (const [line, method = '', path = ''] of instance.matchAll(
        /^ {2}\.(get|post|put|delete|patch)\(\s*'(\/[^']*)'[^\n]*/gm,
      )) {
        if (line.includes('hide: true')) continue
        const fullPath = (prefix + path).replace(/(.)\/$/, '$1').replaceAll(/:(\w+)/g, '{$1}')
        routes.push(`${method.toUpperCase()} ${fullPath}`)
      }
    }
  }
  return routes.sort()
}

describe('The OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(box.contract.document) as never)
    expect(errors ?? []).toEqual([])
    expect([valid, validator.version]).toEqual([true, '3.1'])
  })

  test('lists exactly the routes in the source', async () => {
    const routes = await routesInSource()
    expect(routes.length).toBeGreaterThan(40)
    expect(operations.map(({ name }) => name).sort()).toEqual(routes)
  })

  test('gives every operation a summary, a tag, a unique id and its required access', () => {
    const summaries = new Set<string>()
    const operationIds = new Set<string>()
    for (const { name, path, operation } of operations) {
      expect([name, operation.summary]).toEqual([name, expect.stringMatching(/^[A-Z].{4,}[^.]$/)])
      expect([name, operation.tags]).toEqual([name, [expect.stringMatching(/^[A-Z]/)]])
      const open = operation['x-signalbox-access']?.kind === 'open'
      expect([name, operation.security]).toEqual([name, open ? [] : [{ bearer: [] }]])
      expect(operation.description).toMatch(/Requires|No token required/)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param)
      const documented = operation.parameters?.filter((each) => each.in === 'path').map((each) => each.name)
      expect([name, documented]).toEqual([name, inPath])
      summaries.add(`${operation.tags}: ${operation.summary}`)
      // Generated clients use it as the method name.
      expect([name, operation.operationId]).toEqual([name, expect.stringMatching(/^[a-z]+[a-zA-Z]*$/)])
      operationIds.add(operation.operationId ?? '')
    }
    expect(summaries.size).toBe(operations.length)
    expect(operationIds.size).toBe(operations.length)
  })

  test('lists the responses and errors of every operation', () => {
    for (const { name, method, path, operation } of operations) {
      // Their errors are those of OAuth, which refuses a wrong parameter with 400.
      const isOAuth = path.startsWith('/oauth/')
      const statuses = Object.keys(operation.responses)
      expect([name, statuses.some((status) => status.startsWith('2'))]).toEqual([name, true])
      const open = operation['x-signalbox-access']?.kind === 'open'
      const needed = ['400', ...(isOAuth ? [] : ['422']), '429', '500', '503', ...(open ? [] : ['401'])]
      if (operation['x-signalbox-access']?.role) needed.push('404')
      if (['admin', 'decider'].includes(operation['x-signalbox-access']?.role ?? '')) needed.push('403')
      if (operation.requestBody) needed.push('413', '415')
      if (method === 'PUT' || method === 'DELETE') needed.push('412')
      expect([name, needed.filter((status) => !statuses.includes(status))]).toEqual([name, []])
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        expect(description.length).toBeGreaterThan(3)
        if (Number(status) >= 400)
          expect(Object.keys(content ?? {})).toEqual([isOAuth ? 'application/json' : 'application/problem+json'])
        else if (status !== '204')
          expect([name, status, content === undefined]).toEqual([name, status, status === '202' && !content])
      }
    }
  })

  test('has only examples that match their schemas, for requests and responses', () => {
    let examples = 0
    for (const { name, operation } of operations) {
      const media = [
        ...Object.values(operation.requestBody?.content ?? {}),
        ...Object.values(operation.responses).flatMap(({ content }) => Object.values(content ?? {})),
      ]
      for (const { schema, example } of media) {
        if (example === undefined) continue
        examples += 1
        expect([name, box.contract.faults(schema, example)]).toEqual([name, null])
      }
      const json = operation.requestBody?.content['application/json']
      if (json) expect([name, json.example === undefined]).toEqual([name, false])
    }
    expect(examples).toBeGreaterThan(operations.length)
  })

  test('lists every problem code', () => {
    const { Problem } = box.contract.document.components.schemas as { Problem?: { properties: { code: { enum: string[] } } } }
    expect(Problem?.properties.code.enum).toEqual(Object.keys(PROBLEMS))
  })

  test('has examples that the API accepts unchanged', async () => {
    const ada = await box.user('Ada')
    const site = await box.site(ada)
    const example = (name: string) =>
      operations.find((each) => each.name === name)?.operation.requestBody?.content['application/json']?.example
    const made: [string, string][] = [
      ['POST /api/v1/auth/register', '/api/v1/auth/register'],
      ['POST /api/v1/organizations', '/api/v1/organizations'],
      ['POST /api/v1/organizations/{org_id}/workspaces', `/api/v1/organizations/${site.organization.id}/workspaces`],
      ['POST /api/v1/workspaces/{workspace_id}/projects', `/api/v1/workspaces/${site.workspace.id}/projects`],
      ['POST /api/v1/projects/{project_id}/requirements', `/api/v1/projects/${site.project.id}/requirements`],
    ]
    for (const [name, path] of made) expect([name, (await ada.post(path, example(name))).status]).toEqual([name, 201])
  })
})

describe('The HTML pages', () => {
  const page = async (path: string) => {
    const response = await fetch(box.base + path)
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      text: await response.text(),
      headers: response.headers,
    }
  }

  test('load everything from this server only', async () => {
    const seen = new Set<string>()
    const waiting = ['/docs', '/docs/problems', '/docs/events']
    for (let path = waiting.pop(); path; path = waiting.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      const { status, type, text, headers } = await page(path)
      expect([path, status]).toEqual([path, 200])
      if (!type.startsWith('text/html')) continue
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('content-security-policy')).not.toMatch(/https?:|\*/)
      for (const [, element, target = ''] of text.matchAll(/<(\w+) [^>]*(?:src|href)="([^"]+)"/g)) {
        // Links may lead elsewhere, loaded resources may not.
        if (element === 'a' && /^(#|https:)/.test(target)) continue
        expect(target).toMatch(/^\/(?!\/)/)
        waiting.push(target.replace(/#.*/, ''))
      }
      expect(text).not.toMatch(/@import|url\(\s*['"]?https?:/)
    }
    for (const needed of [
      '/docs/assets/docs.css',
      '/docs/assets/reference.js',
      '/docs/json',
      '/docs/quickstart',
      '/docs/clients',
      '/docs/receivers',
      '/favicon.svg',
    ]) {
      expect([...seen]).toContain(needed)
    }
  })

  test('list every problem and every event', async () => {
    const problems = await page('/docs/problems')
    for (const code of Object.keys(PROBLEMS)) expect(problems.text).toContain(`id="${code}"`)
    const events = await page('/docs/events')
    const sections = events.text.split('<section ').slice(1)
    expect(sections.map((section) => /^id="([^"]+)"/.exec(section)?.[1])).toEqual(Object.keys({ ...EVENTS, ...DIRECT_EVENTS }))
    for (const section of sections) {
      const [, name = '', payload = ''] = /^id="([^"]+)"[\s\S]*<pre><code>([\s\S]*?)<\/code>/.exec(section) ?? []
      expect(JSON.parse(payload.replaceAll('&quot;', '"').replaceAll('&#x27;', "'"))).toMatchObject({ event: name })
    }
    const marked = sections.flatMap((section) =>
      section.includes('>hooks</span>') ? (/^id="([^"]+)"/.exec(section)?.[1] ?? []) : [],
    )
    expect(marked.sort()).toEqual(HOOK_EVENTS.toSorted())
  })

  test('show every operation and every schema once, on one page', async () => {
    const { text } = await page('/docs')
    const ids = [...text.matchAll(/<details class="operation" id="([^"]+)"/g)].map(([, id = '']) => id)
    const schemas = Object.keys(box.contract.document.components.schemas).map((name) => `schema-${name}`)
    expect(ids.sort()).toEqual([...operations.map(({ operation }) => operation.operationId ?? ''), ...schemas].sort())
    const links = [...text.matchAll(/href="(?:\/docs)?#([^"]+)"/g)].map(([, id = '']) => id)
    expect(links.filter((id) => !text.includes(`id="${id}"`))).toEqual([])
  })

  test('are the only documents: no other file and no page of the plugin is served', async () => {
    for (const path of ['/docs/assets/package.json', '/docs/assets/..%2f..%2fpackage.json', '/docs/plugin', '/docs/assets/']) {
      expect([path, (await page(path)).status]).toEqual([path, 404])
    }
  })
})
