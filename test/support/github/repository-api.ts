/** Repositories, their environments and custom deployment protection rules. */
import { installationJson, repositoryJson } from './accounts-json.ts'
import { notFound, validationFailed } from './problems.ts'
import { type Api, type Call, paged } from './routing.ts'
import { environmentJson, ruleJson } from './runs-json.ts'
import type { Environment, Repository } from './world.ts'

/** @throws Refusal 404 */
export function environmentOf({ environments }: Repository, name: string | undefined): Environment {
  const found = environments.find((each) => each.name.toLowerCase() === name?.toLowerCase())
  if (!found) throw notFound()
  return found
}

/** The apps that can guard an environment: installed on the repository, and subscribed to the event. */
const guardsOf = ({ world }: Pick<Call, 'world'>, repository: Repository) =>
  world.apps.filter((app) => world.installationOf(app, repository)?.events.includes('deployment_protection_rule'))

/** An environment takes so many custom rules. */
const MOST_RULES = 6

export const repositoryApi = {
  '/repos/{owner}/{repo}': {
    get: {
      by: 'repository',
      needs: { metadata: 'read' },
      answer: ({ world, repository }) => ({ status: 200, body: repositoryJson(world, repository) }),
    },
  },
  '/repos/{owner}/{repo}/installation': {
    get: {
      by: 'app',
      answer: ({ world, app, repository }) => {
        const installation = repository && world.installationOf(app, repository)
        if (!installation) throw notFound()
        return { status: 200, body: installationJson(world, installation) }
      },
    },
  },
  '/repos/{owner}/{repo}/environments': {
    get: {
      by: 'repository',
      needs: { actions: 'read' },
      answer: ({ world, repository, ...call }) => {
        const { items, headers } = paged(call, repository.environments)
        const environments = items.map((each) => environmentJson(world, repository, each))
        return { status: 200, body: { total_count: repository.environments.length, environments }, headers }
      },
    },
  },
  '/repos/{owner}/{repo}/environments/{environment_name}': {
    get: {
      by: 'repository',
      needs: { actions: 'read' },
      answer: ({ world, repository, parameters }) => {
        const environment = environmentOf(repository, parameters.environment_name)
        return { status: 200, body: environmentJson(world, repository, environment) }
      },
    },
  },
  '/repos/{owner}/{repo}/environments/{environment_name}/deployment_protection_rules': {
    get: {
      by: 'repository',
      needs: { actions: 'read' },
      answer: ({ world, repository, parameters }) => {
        const rules = environmentOf(repository, parameters.environment_name).rules.map((rule) => ruleJson(world, rule))
        return { status: 200, body: { total_count: rules.length, custom_deployment_protection_rules: rules } }
      },
    },
    post: {
      by: 'repository',
      needs: { administration: 'write' },
      takes: { integration_id: { type: 'integer', required: false } },
      answer: ({ world, repository, parameters, body }) => {
        const environment = environmentOf(repository, parameters.environment_name)
        const app = guardsOf({ world }, repository).find(({ id }) => id === Number(body?.integration_id))
        const problem = { resource: 'Gate', field: 'integration_id' }
        if (!app) throw validationFailed({ ...problem, code: 'invalid' })
        if (environment.rules.some((rule) => rule.app === app)) throw validationFailed({ ...problem, code: 'already_exists' })
        if (environment.rules.length >= MOST_RULES) throw validationFailed({ ...problem, code: 'unprocessable' })
        const rule = { id: world.nextId(), app }
        environment.rules.push(rule)
        return { status: 201, body: ruleJson(world, rule) }
      },
    },
  },
  '/repos/{owner}/{repo}/environments/{environment_name}/deployment_protection_rules/apps': {
    get: {
      by: 'repository',
      needs: { actions: 'read' },
      answer: ({ world, repository, parameters, ...call }) => {
        environmentOf(repository, parameters.environment_name)
        const all = guardsOf({ world }, repository)
        const { items, headers } = paged(call, all)
        const apps = items.map((app) => ruleJson(world, { id: 0, app }).app)
        return {
          status: 200,
          body: { total_count: all.length, available_custom_deployment_protection_rule_integrations: apps },
          headers,
        }
      },
    },
  },
  '/repos/{owner}/{repo}/environments/{environment_name}/deployment_protection_rules/{protection_rule_id}': {
    get: {
      by: 'repository',
      needs: { actions: 'read' },
      answer: ({ world, repository, parameters }) => {
        const { rules } = environmentOf(repository, parameters.environment_name)
        const rule = rules.find(({ id }) => String(id) === parameters.protection_rule_id)
        if (!rule) throw notFound()
        return { status: 200, body: ruleJson(world, rule) }
      },
    },
    delete: {
      by: 'repository',
      needs: { administration: 'write' },
      answer: ({ repository, parameters }) => {
        const environment = environmentOf(repository, parameters.environment_name)
        const left = environment.rules.filter(({ id }) => String(id) !== parameters.protection_rule_id)
        if (left.length === environment.rules.length) throw notFound()
        environment.rules = left
        return { status: 204, body: undefined }
      },
    },
  },
} satisfies Api
