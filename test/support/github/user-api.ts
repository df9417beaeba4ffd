/** What an app does for a person who authorized it. */
import { installationJson, organizationJson, repositoryJson, signedInUserJson, userJson } from './accounts-json.ts'
import { explicitRoleIn } from './credentials.ts'
import { notAccessible, notFound, Refusal } from './problems.ts'
import { type Api, paged } from './routing.ts'
import type { App, Installation, Person, World } from './world.ts'

/** GitHub lists an installation to everyone who can read one of its repositories, not to its owners alone. */
function isListedTo(world: World, installation: Installation, person: Person): boolean {
  const { account } = installation
  if (account === person || (account.kind === 'Organization' && account.members.has(person))) return true
  return world.repositoriesOf(installation).some((repository) => explicitRoleIn(repository, person) !== null)
}

const listedTo = (world: World, app: App, person: Person): Installation[] =>
  world.installations.filter((each) => each.app === app && isListedTo(world, each, person))

export const userApi = {
  '/rate_limit': {
    get: {
      by: 'anyone',
      answer: ({ limits, caller }) => {
        const rate = limits.stateOf(caller)
        if (!rate) throw new Refusal(404, 'Rate limiting is not enabled.')
        return { status: 200, body: { rate, resources: { core: rate, search: { ...rate, limit: 30, used: 0, remaining: 30 } } } }
      },
    },
  },
  '/user': {
    get: { by: 'user', answer: ({ world, token }) => ({ status: 200, body: signedInUserJson(world, token.person) }) },
  },
  '/user/installations': {
    get: {
      by: 'user',
      answer: ({ world, token, ...call }) => {
        const all = listedTo(world, token.app, token.person)
        const { items, headers } = paged(call, all)
        return {
          status: 200,
          body: { total_count: all.length, installations: items.map((each) => installationJson(world, each)) },
          headers,
        }
      },
    },
  },
  '/user/installations/{installation_id}/repositories': {
    get: {
      by: 'user',
      answer: ({ world, token, parameters, ...call }) => {
        const found = listedTo(world, token.app, token.person).find(({ id }) => String(id) === parameters.installation_id)
        if (!found) throw notFound()
        const all = world.repositoriesOf(found).filter((each) => explicitRoleIn(each, token.person) !== null)
        const { items, headers } = paged(call, all)
        const repositories = items.map((each) => {
          const role = explicitRoleIn(each, token.person)
          const isWriter = role === 'admin' || role === 'write'
          const permissions = {
            admin: role === 'admin',
            maintain: role === 'admin',
            push: isWriter,
            triage: isWriter,
            pull: true,
          }
          return { ...repositoryJson(world, each), permissions }
        })
        return { status: 200, body: { total_count: all.length, repositories }, headers }
      },
    },
  },
  '/user/memberships/orgs/{org}': {
    get: {
      by: 'user',
      answer: ({ world, token, parameters: { org = '' } }) => {
        const organization = world.accountOf(org)
        const role = organization?.kind === 'Organization' ? organization.members.get(token.person) : undefined
        if (organization?.kind !== 'Organization' || role === undefined) throw notFound()
        // Read by the permission `members`, which the app has where it is installed with it.
        const installation = world.installations.find((each) => each.app === token.app && each.account === organization)
        if (!installation?.permissions.members || installation.suspendedAt !== null) throw notAccessible('members=read')
        const url = `${world.api}/orgs/${organization.login}`
        const body = {
          url: `${url}/memberships/${token.person.login}`,
          state: 'active' as const,
          role,
          organization_url: url,
          organization: organizationJson(world, organization),
          user: userJson(world, token.person),
        }
        return { status: 200, body }
      },
    },
  },
} satisfies Api
