import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { parse } from 'yaml'
import { SETTINGS } from '../core/platform/settings.ts'

const root = `${import.meta.dir}/..`
const file = (name: string) => Bun.file(`${root}/${name}`).text()

test('.env.example lists every setting with its default and description', async () => {
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

test('every platform uses the same processes and the same version of Bun', async () => {
  const processes = [...(await file('Procfile')).matchAll(/^(\w+): (?:env [A-Z_]+=\d+ )?bun (\S+)$/gm)]
  expect(processes.map(([, name]) => name)).toEqual(['release', 'web', 'worker'])
  for (const [, , script] of processes) expect(existsSync(`${root}/${script}`)).toBe(true)

  const version = (await file('.bun-version')).trim()
  const dockerfile = await file('Dockerfile')
  expect(dockerfile).toContain(`FROM oven/bun:${version}-slim`)
  expect(dockerfile).toContain('USER bun')
  const copied = [...dockerfile.matchAll(/^COPY (\w+) \1$/gm)].map(([, folder]) => folder)
  expect(copied).toContain('api')
  for (const folder of copied) expect([folder, existsSync(`${root}/${folder}`)]).toEqual([folder, true])
  expect((await file('package.json')).match(/"bun-types": "([\d.]+)"/)?.[1]).toBe(version)
})

interface Service {
  image: string
  command?: string[]
  environment: Record<string, string>
  healthcheck?: { disable?: boolean; test?: string[] }
  depends_on?: Record<string, { condition: string }>
  ports?: string[]
  stop_grace_period?: string
}

test('compose.yaml runs the processes of the Procfile once the database is ready and migrated', async () => {
  const { services, volumes } = parse(await file('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    volumes: object
  }
  const { postgres, ...processes } = services
  const commands = Object.entries(processes).map(([name, { command }]) => `${name}: ${command?.join(' ')}`)
  expect(commands).toEqual(
    (await file('Procfile'))
      .replaceAll(/env [A-Z_]+=\d+ /g, '')
      .trim()
      .split('\n'),
  )
  expect([postgres?.image, Object.keys(volumes)]).toEqual(['postgres:18', ['postgres']])
  expect(postgres?.healthcheck?.test?.slice(0, 2)).toEqual(['CMD', 'pg_isready'])
  for (const [name, { environment, healthcheck, depends_on, stop_grace_period }] of Object.entries(processes)) {
    expect([name, Object.keys(environment).filter((setting) => !(setting in SETTINGS))]).toEqual([name, []])
    for (const [setting, { required }] of Object.entries<{ about: string; required?: boolean }>(SETTINGS)) {
      if (required) expect(Object.keys(environment)).toContain(setting)
    }
    // The image's health check calls the API.
    expect([name, healthcheck?.disable ?? false]).toEqual([name, name !== 'web'])
    const awaited = name === 'release' ? { postgres: 'service_healthy' } : { release: 'service_completed_successfully' }
    const conditions = Object.entries(depends_on ?? {}).map(([each, { condition }]) => [each, condition])
    expect(Object.fromEntries(conditions)).toEqual(awaited)
    expect(stop_grace_period).toBe('30s')
  }
  expect(processes.web?.ports).toEqual([`127.0.0.1:8080:${processes.web?.environment.PORT}`])
})

test('the health check of the image passes while the API responds where HOST says, and fails otherwise', async () => {
  const [, command = ''] = /^HEALTHCHECK [^[]*CMD (\[.*\])$/m.exec(await file('Dockerfile')) ?? []
  const [program, ...args]: string[] = JSON.parse(command)
  expect(program).toBe('bun')
  const check = async (environment: Record<string, string>): Promise<number> =>
    Bun.spawn([process.execPath, ...args], { env: environment, stdout: 'ignore', stderr: 'ignore' }).exited
  const paths: string[] = []
  let status = 200
  const answer = (request: Request): Response => {
    paths.push(new URL(request.url).pathname)
    return new Response(null, { status })
  }
  using server = Bun.serve({ port: 0, hostname: '127.0.0.2', fetch: answer })
  using open = Bun.serve({ port: 0, hostname: '::', fetch: answer })
  const at = (HOST: string, { port }: { port?: number } = server) => ({ HOST, PORT: String(port) })
  expect(await check(at('127.0.0.2'))).toBe(0)
  expect(await check({ ...at('127.0.0.2'), HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1' })).toBe(0)
  for (const host of ['', '0.0.0.0', '::', '::1', '[::1]', 'localhost'])
    expect([host, await check(at(host, open))]).toEqual([host, 0])
  expect(await check(at(''))).not.toBe(0)
  status = 503
  expect(await check(at('127.0.0.2'))).not.toBe(0)
  expect(paths).toEqual(Array.from({ length: 9 }, () => '/livez'))
  await server.stop(true)
  expect(await check(at('127.0.0.2'))).not.toBe(0)
})

test('the imports of all processes are installed without development dependencies', async () => {
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

test('app.json uses only known settings', async () => {
  const { env, formation } = JSON.parse(await file('app.json'))
  expect(env.METRICS_TOKEN).toMatchObject({ generator: 'secret' })
  for (const name of Object.keys(env)) expect(Object.keys(SETTINGS)).toContain(name)
  for (const [name, { required }] of Object.entries<{ about: string; required?: boolean }>(SETTINGS)) {
    // The platform sets the URL of its own database.
    if (required && name !== 'DATABASE_URL') expect(Object.keys(env)).toContain(name)
  }
  expect(Object.keys(formation)).toEqual(['web', 'worker'])
  for (const [name, { value }] of Object.entries<{ value?: string }>(env)) {
    if (value) expect(() => SETTINGS[name as keyof typeof SETTINGS].read(value)).not.toThrow()
  }
})

/** The block in the operating manual that contains a text. */
async function documented(text: string): Promise<string> {
  const blocks = [...(await file('docs/operating.md')).matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  return blocks.find((block) => block.includes(text)) ?? ''
}

/** Throws if a setting does not exist, or would refuse the value. */
const expectSettings = (values: Record<string, string>): void => {
  for (const [name, value] of Object.entries(values)) {
    expect(Object.keys(SETTINGS)).toContain(name)
    expect(() => SETTINGS[name as keyof typeof SETTINGS].read(value)).not.toThrow()
  }
}

test('the steps for Heroku set what is required, as app.json does', async () => {
  const steps = (await documented('heroku create')).replaceAll(/\$\(openssl rand -base64 (\d+)\)/g, (_, bytes) =>
    Buffer.alloc(Number(bytes), 1).toString('base64'),
  )
  const [, set = ''] = /config:set ((?:.*\\\n)*.*)/.exec(steps) ?? []
  const values = Object.fromEntries(
    [...set.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, bare]) => [name, quoted ?? bare]),
  )
  expectSettings(values)
  const { env, buildpacks, formation } = JSON.parse(await file('app.json'))
  for (const [name, { value, generator }] of Object.entries<{ value?: string; generator?: string }>(env)) {
    if (value) expect([name, values[name]]).toEqual([name, value])
    else if (!generator) expect(Object.keys(values)).toContain(name)
  }
  expect(steps).toContain(buildpacks[0].url)
  expect(steps).toContain(
    `ps:scale ${Object.keys(formation)
      .map((name) => `${name}=1`)
      .join(' ')}`,
  )
})

test('the settings of Fly run the processes of the Procfile', async () => {
  const fly = Bun.TOML.parse(await documented('kill_signal')) as {
    kill_timeout: number
    deploy: { release_command: string }
    processes: Record<string, string>
    env: Record<string, string>
    http_service: { processes: string[]; internal_port: number; checks: { path: string }[] }
  }
  const { release_command: release } = fly.deploy
  const lines = Object.entries({ release, ...fly.processes }).map(([name, command]) => `${name}: ${command}`)
  expect(lines.join('\n')).toBe((await file('Procfile')).trim())
  expectSettings(fly.env)
  expect([fly.http_service.processes, String(fly.http_service.internal_port)]).toEqual([['web'], SETTINGS.PORT.fallback])
  expect([fly.kill_timeout, fly.http_service.checks.map(({ path }) => path)]).toEqual([30, ['/readyz']])
})

test('the documented numbers of connections are those of the settings', async () => {
  const manual = await file('docs/operating.md')
  const uses = (pool: number, concurrency: number) => ({ web: pool + 1, worker: pool + 1 + Math.max(2, concurrency) })
  const byDefault = uses(Number(SETTINGS.DATABASE_POOL.fallback), Number(SETTINGS.WORKER_CONCURRENCY.fallback))
  expect(manual).toContain(`| ${byDefault.web} to ${byDefault.web + 4} |`)
  expect(manual).toContain(`| ${byDefault.worker} |`)
  expect(manual).toContain(`use up to ${byDefault.web + 4 + byDefault.worker}, and twice as many`)
  const rows = [...manual.matchAll(/^\| 20 \|.*`DATABASE_POOL=(\d+)` `WORKER_CONCURRENCY=(\d+)` \| (.*) = (\d+) \|$/gm)]
  expect(rows.length).toBe(2)
  for (const [, pool, concurrency, sum = '', total] of rows) {
    const { web, worker } = uses(Number(pool), Number(concurrency))
    expect(sum).toContain(String(web))
    expect(sum).toContain(String(worker))
    const figures = sum.replaceAll(' for exports', '').replaceAll('×', '*')
    expect(figures).toMatch(/^[\d+*() ]+$/)
    expect([figures, Number(new Function(`return ${figures}`)())]).toEqual([figures, Number(total)])
    expect(Number(total)).toBeLessThanOrEqual(20)
  }
})

test('the runbook has a section for every alert, and no broken anchors', async () => {
  const runbook = await file('docs/operating.md')
  const anchors = [...runbook.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  const alerts =
    `no-live-worker queue-waits jobs-failed outbox-lag dispatches-failing channels-failing api-errors api-slow api-down
    database-down hook-disabled`.split(/\s+/)
  const linked = [...runbook.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor = '']) => anchor)
  expect([...alerts, ...linked].filter((anchor) => !anchors.includes(anchor))).toEqual([])
})
