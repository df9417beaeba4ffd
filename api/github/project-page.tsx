/** The repository of a project: the link, and the repositories to choose from. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Text } from '../../core/values/schema.ts'
import { Button, Field, Form, Select, Submit } from '../pages/components/forms.tsx'
import { Filters } from '../pages/components/lists.tsx'
import { Facts, Rows, Section } from '../pages/components/structure.tsx'
import { Notice, State } from '../pages/components/text.tsx'
import type { View } from '../pages/layout.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { projectPath, tabCrumb } from '../projects/tabs.tsx'
import { hasAtLeast } from '../roles.ts'
import { requireApp } from './authorizations.ts'
import {
  findRepositoryLink,
  LinkInput,
  linkRepository,
  type Offered,
  offerRepositories,
  type RepositoryLink,
  reach,
  unlinkRepository,
} from './links.ts'

const TEXTS: Record<RepositoryLink['status'], string | null> = {
  active: null,
  suspended: 'The installation is suspended at GitHub. Runs that wait are answered once it is not.',
  lost: 'The installation does not reach the repository any more. Give the app access to it at GitHub, or link another one.',
}

function Linked({ of, url, path, mayUnlink }: { of: RepositoryLink; url: string; path: string; mayUnlink: boolean }) {
  const { repository, status, commit_statuses } = of
  const text = TEXTS[status]
  return (
    <Section title="Repository">
      <Facts
        of={[
          ['Repository', <a href={`${url}/${repository.full_name}`}>{repository.full_name}</a>],
          ['State', <State of={status} tone={status === 'active' ? 'good' : 'bad'} />],
          ['Visibility', repository.private ? 'private' : 'public'],
          ['Commit statuses', commit_statuses ? 'shown' : 'not shown'],
        ]}
      />
      {text !== null && <Notice tone="warn">{text}</Notice>}
      <p class="hint">
        An environment waits for gates once its protection rules at GitHub name the app:{' '}
        <a href={`${url}/${repository.full_name}/settings/environments`}>environments of the repository</a>.{' '}
        <a href="/docs/github">How it works</a>
      </p>
      {mayUnlink && (
        <Button action={`${path}/unlink`} kind="danger" confirm="Unlink the repository? Workflow runs that wait are rejected.">
          Unlink
        </Button>
      )}
    </Section>
  )
}

const ON_OFF = [
  ['true', 'Show the state of gates'],
  ['false', 'Show nothing'],
] satisfies [string, string][]

function Choices({ offered, path, url }: { offered: Offered; path: string; url: URL }) {
  return (
    <Section title="Choose a repository">
      <Filters url={url} fields={[{ name: 'query', label: 'Name', type: 'search' }]} button="Search" />
      {offered.problem !== null && <Notice tone="warn">GitHub did not list its repositories. {offered.problem}</Notice>}
      <Rows
        label="Repositories"
        of={offered.names}
        row={(name) => ({
          what: name,
          actions: (
            <Form action={path} inline>
              <input type="hidden" name="repository" value={name} />
              <Submit kind="quiet">
                Link<span class="unseen">: {name}</span>
              </Submit>
            </Form>
          ),
        })}
      >
        The connected installations reach no repository with this name.
      </Rows>
      {offered.isCut && <p class="hint">There are more. Search for a part of the name, or type it below.</p>}
    </Section>
  )
}

const ByName = ({ of, path }: { of: RepositoryLink | null; path: string }) => (
  <Section title={of ? 'Change the link' : 'Link by name'}>
    <Form card action={path}>
      <Field
        name="repository"
        label="Repository"
        required
        maxLength={201}
        value={of?.repository.full_name}
        hint="Owner and name, such as acme/checkout."
      />
      <Select name="commit_statuses" label="On commits" options={ON_OFF} value={String(of?.commit_statuses ?? true)} />
      <Submit>{of ? 'Save' : 'Link'}</Submit>
    </Form>
  </Section>
)

const linkPage = page(
  '/app/projects/:project_id/github',
  { project: 'member' },
  async ({ project, url, query }): Promise<View> => {
    const isAdmin = hasAtLeast(project.organization_role, 'admin')
    const [app, link] = await Promise.all([requireApp(), findRepositoryLink(sql, project)])
    const offered = isAdmin && (!link || query.query !== undefined) ? await offerRepositories(project, query.query ?? '') : null
    const path = `${projectPath(project.id)}/github`
    return {
      title: 'GitHub',
      crumbs: [tabCrumb(project.id, 'settings')],
      main: (
        <>
          {link && <Linked of={link} url={app.url} path={path} mayUnlink={project.role === 'admin'} />}
          {!link && !isAdmin && (
            <p class="empty">The project is linked to no repository. An admin of the organization can link one.</p>
          )}
          {offered && <Choices offered={offered} path={path} url={url} />}
          {isAdmin && <ByName of={link} path={path} />}
          {isAdmin && (
            <p class="hint">
              <a href={`/app/organizations/${project.organization_id}/github`}>Installations of the organization</a>
            </p>
          )}
        </>
      ),
    }
  },
  Shape({ query: Maybe(Text(200)) }),
)

const link = actionOn(
  linkPage,
  '',
  { project: 'organization admin' },
  LinkInput,
  async ({ caller, project, change, request }, body) => {
    const reached = await reach(project, body.repository)
    const { repository } = await change((tx) => linkRepository(tx, caller, project, body, reached, request))
    return { notice: `The project is linked to ${repository.full_name}.` }
  },
)

const unlink = actionOn(linkPage, '/unlink', { project: 'admin' }, Nothing, async ({ caller, project, change, request }) => {
  await change((tx) => unlinkRepository(tx, caller, project, request))
  return { notice: 'The repository was unlinked.' }
})

export const githubProjectPages = pageRoutes('github-project-pages', linkPage, link, unlink)
