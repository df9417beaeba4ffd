import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { SETTINGS } from '../core/settings.ts'

const root = `${import.meta.dir}/..`
const file = (name: string) => Bun.file(`${root}/${name}`).text()

test('.env.example names every setting, with its default, and says what it is for', async () => {
  const said = [...(await file('.env.example')).matchAll(/^# (.+)\n(#?)(\w+)=(.*)$/gm)].map(
    ([, about, comment, name, value]) => ({
      about,
      name,
      required: comment === '',
      fallback: comment === '' ? '' : value,
    }),
  )
  expect(said).toEqual(
    Object.entries<{ about: string; required?: boolean; fallback?: string }>(SETTINGS).map(([name, setting]) => ({
      about: setting.about.replaceAll('`', ''),
      name,
      required: setting.required ?? false,
      fallback: setting.fallback ?? '',
    })),
  )
})

test('every platform is told the same processes and the same Bun', async () => {
  const processes = [...(await file('Procfile')).matchAll(/^(\w+): (?:env [A-Z_]+=\d+ )?bun (\S+)$/gm)]
  expect(processes.map(([, name]) => name)).toEqual(['release', 'web', 'worker'])
  for (const [, , script] of processes) expect(existsSync(`${root}/${script}`)).toBe(true)

  const version = (await file('.bun-version')).trim()
  const dockerfile = await file('Dockerfile')
  expect(dockerfile).toContain(`FROM oven/bun:${version}-slim`)
  expect(dockerfile).toContain('USER bun')
  for (const [, folder] of dockerfile.matchAll(/^COPY (\w+) \1$/gm)) expect(existsSync(`${root}/${folder}`)).toBe(true)
  expect((await file('package.json')).match(/"bun-types": "([\d.]+)"/)?.[1]).toBe(version)
})

test('what the processes import is installed where development is left out', async () => {
  const { dependencies } = JSON.parse(await file('package.json'))
  const missing: string[] = []
  for await (const path of new Bun.Glob('{api,core,sql,worker}/**/*.ts').scan(root)) {
    for (const [, name = ''] of (await file(path)).matchAll(/(?:^import|\bfrom|\bimport\()\s*'((?:@[\w-]+\/)?[\w-][\w.-]*)/gm)) {
      const found = /^(bun|node)$/.test(name) || name in dependencies
      if (!found) missing.push(`${path} → ${name}`)
    }
  }
  expect(missing).toEqual([])
})

test('app.json asks for nothing that the service does not know', async () => {
  const { env, formation } = JSON.parse(await file('app.json'))
  for (const name of Object.keys(env)) expect(Object.keys(SETTINGS)).toContain(name)
  for (const [name, { required }] of Object.entries<{ about: string; required?: boolean }>(SETTINGS)) {
    // The platform's own database comes with it.
    if (required && name !== 'DATABASE_URL') expect(Object.keys(env)).toContain(name)
  }
  expect(Object.keys(formation)).toEqual(['web', 'worker'])
})

test('the runbook has a place for every alert, and no link in it leads nowhere', async () => {
  const runbook = await file('docs/operating.md')
  const anchors = [...runbook.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  const alerts =
    `no-live-worker queue-waits jobs-failed outbox-lag dispatches-failing channels-failing api-errors api-slow api-away
    database-away hook-disabled`.split(/\s+/)
  const linked = [...runbook.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor = '']) => anchor)
  expect([...alerts, ...linked].filter((anchor) => !anchors.includes(anchor))).toEqual([])
})
