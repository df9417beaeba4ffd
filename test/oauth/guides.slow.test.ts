/** The workflows of the page about machines, run as the CI systems run them, against an OpenID provider with their claims. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { Machines } from './machine.ts'
import { OpenIdProvider } from './openid-provider.ts'

const page = await Bun.file(join(import.meta.dir, '../../docs/machines.md')).text()

let machines: Machines
let provider: OpenIdProvider
let folder: string

beforeAll(async () => {
  machines = await Machines.open()
  provider = await OpenIdProvider.open(machines.audience, 'https://other.example')
  folder = await mkdtemp(join(tmpdir(), 'signalbox-guides-'))
  const program = join(import.meta.dir, '../../cli/signalbox.js')
  const npx = `#!/bin/sh\n[ "$1 $2" = "--yes $SIGNALBOX_URL/cli.tgz" ] || exit 9\nshift 2\nexec '${process.execPath}' '${program}' "$@"\n`
  await writeFile(join(folder, 'npx'), npx)
  await chmod(join(folder, 'npx'), 0o755)
})
afterAll(async () => {
  await machines.box.close()
  await provider.close()
  await rm(folder, { recursive: true })
})

/** The blocks of code in a section of the page. */
function blocks(heading: string, language: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text)
}

interface System {
  /** How it runs the commands of a step. */
  shell: string[]
  /** The claims of its tokens (from its documentation). */
  claims: Record<string, string>
  /** The scripts of the workflow, and the variables that it sets. */
  // biome-ignore lint/suspicious/noExplicitAny: a workflow has the form of its system
  read(workflow: any): { scripts: string[]; variables: Record<string, string> }
  /** The variables that the system sets, whose token is at a URL. */
  arrange(url: string): Promise<Record<string, string>>
}

const tokenAt = async (url: string): Promise<string> =>
  (await fetch(`${url}&as=text&audience=${encodeURIComponent(machines.audience)}`)).text()

const SYSTEMS: Record<string, System> = {
  'GitHub Actions': {
    claims: {
      sub: 'repo:acme/checkout:ref:refs/heads/main',
      repository: 'acme/checkout',
      repository_id: '123456789',
      repository_owner: 'acme',
      ref: 'refs/heads/main',
      sha: '4f0c9b7d',
      workflow: 'Deploy',
      job_workflow_ref: 'acme/checkout/.github/workflows/deploy.yml@refs/heads/main',
      runner_environment: 'github-hosted',
    },
    // As the runner does without `shell`, so that a pipeline does not end the step.
    shell: ['bash', '-e', '-c'],
    read: ({ jobs, permissions }) => {
      expect(permissions['id-token']).toBe('write')
      return { scripts: jobs.deploy.steps.map(({ run }: { run: string }) => run), variables: jobs.deploy.env }
    },
    arrange: async (url) => ({
      ACTIONS_ID_TOKEN_REQUEST_URL: url,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job',
      GITHUB_ENV: join(folder, 'github-env'),
    }),
  },
  GitLab: {
    claims: {
      sub: 'project_path:acme/checkout:ref_type:branch:ref:main',
      project_path: 'acme/checkout',
      project_id: '123456',
      namespace_id: '72',
      ref: 'main',
      ref_type: 'branch',
      ref_protected: 'true',
      pipeline_source: 'push',
    },
    shell: ['sh', '-e', '-c'],
    read: ({ deploy }) => {
      expect(deploy.id_tokens.SIGNALBOX_ID_TOKEN.aud).toBe(deploy.variables.SIGNALBOX_URL)
      return { scripts: deploy.script, variables: deploy.variables }
    },
    arrange: async (url) => ({ SIGNALBOX_ID_TOKEN: await tokenAt(url) }),
  },
  Buildkite: {
    claims: {
      sub: 'organization:acme:pipeline:checkout:ref:refs/heads/main:commit:4f0c9b7d:step:deploy',
      organization_slug: 'acme',
      pipeline_slug: 'checkout',
      build_branch: 'main',
      step_key: 'deploy',
    },
    shell: ['bash', '-e', '-c'],
    read: ({ env, steps }) => ({ scripts: [steps[0].command.replaceAll('$$', '$')], variables: env }),
    arrange: async (url) => {
      const agent = join(folder, 'buildkite-agent')
      await writeFile(
        agent,
        `#!/bin/sh\n[ "$1 $2 $3" = "oidc request-token --audience" ] && curl -sf "${url}&as=text&audience=$4"\n`,
      )
      await chmod(agent, 0o755)
      return { PATH: `${folder}:${process.env.PATH}` }
    },
  },
  Kubernetes: {
    claims: { sub: 'system:serviceaccount:deploy:signalbox' },
    shell: ['sh', '-c'],
    read: ({ spec }) => {
      const [container] = spec.template.spec.containers
      const [source] = spec.template.spec.volumes[0].projected.sources
      const variables = Object.fromEntries(container.env.map(({ name, value }: Record<string, string>) => [name, value]))
      expect(source.serviceAccountToken.audience).toBe(variables.SIGNALBOX_URL)
      return { scripts: container.args, variables }
    },
    arrange: async (url) => {
      await writeFile(join(folder, 'token'), await tokenAt(url))
      return { TOKEN_FILE: join(folder, 'token') }
    },
  },
}

const WORKFLOWS = Object.entries(SYSTEMS).flatMap(([heading, system]) =>
  blocks(heading, 'yaml').map((yaml, index) => [heading, index + 1, { ...system, ...system.read(parse(yaml)) }] as const),
)

describe.each(WORKFLOWS)('Workflow for %s, %d', (heading, _, { claims, arrange, shell, scripts, variables }) => {
  const [json = ''] = blocks(heading, 'json')
  const trust = JSON.parse(json)

  /** @param end of the URL of the service */
  async function run(given: Record<string, string>, end = '') {
    const account = await machines.account([{ issuer: provider.url, claims: trust.claims }])
    // Those of the workflow, with this service in place of the example.
    const own = { ...variables, SIGNALBOX_URL: machines.audience + end, SIGNALBOX_SERVICE_ACCOUNT: account }
    const arranged = { PATH: process.env.PATH ?? '', ...(await arrange(provider.requestUrl(given))) }
    const environment = { HOME: folder, ...own, ...arranged, PATH: `${folder}:${arranged.PATH}` }
    await writeFile(join(folder, 'github-env'), '')
    let printed = ''
    for (const script of scripts) {
      // As GitHub sets for the next step what a step writes to that file.
      const exported = Object.fromEntries(
        (await Bun.file(join(folder, 'github-env')).text())
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split(/=(.*)/s).slice(0, 2)),
      )
      const step = Bun.spawn([...shell, `exec 2>&1\n${script}`], { env: { ...environment, ...exported } })
      printed = await new Response(step.stdout).text()
      if ((await step.exited) !== 0) return { isDone: false, printed, account }
    }
    return { isDone: true, printed, account }
  }

  test('signs a job in with the trust next to it', async () => {
    const { status } = await machines.ada.post(`/api/v1/service-accounts/${await machines.account([])}/trusts`, trust)
    expect(status).toBe(201)
    for (const end of ['', '/']) {
      const { isDone, printed, account } = await run(claims, end)
      expect(isDone).toBe(true)
      expect(JSON.parse(printed)).toMatchObject({ type: 'service_account', name: 'Release pipeline', id: account })
    }
  })

  test('fails for a job that has another value of any claim of the trust, and says that it was refused', async () => {
    for (const name of Object.keys(trust.claims)) {
      const { isDone, printed } = await run({ ...claims, [name]: `${claims[name]}x` })
      expect([name, isDone, printed]).toEqual([name, false, expect.stringMatching(/invalid_grant/)])
    }
  })
})
