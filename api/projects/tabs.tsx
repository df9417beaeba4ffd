/** The pages of a project, and links between them. */
import type { ComponentChildren } from 'preact'
import { Tabs } from '../pages/components/lists.tsx'
import type { View } from '../pages/layout.tsx'

/** By what their paths end with. */
const NAMES = {
  '': 'Overview',
  gates: 'Gates',
  requirements: 'Requirements',
  environments: 'Environments',
  'deployment-hooks': 'Hooks',
  deliverables: 'Documents',
  'dual-track': 'Comparisons',
  settings: 'Settings',
}
type ProjectTab = keyof typeof NAMES

export const projectPath = (project_id: string, tab: ProjectTab = ''): string =>
  tab === '' ? `/app/projects/${project_id}` : `/app/projects/${project_id}/${tab}`

/** The way back from a page that is below a tab. */
export const tabCrumb = (project_id: string, tab: Exclude<ProjectTab, ''>) => ({
  href: projectPath(project_id, tab),
  text: NAMES[tab],
})

type TabParts = { aside?: ComponentChildren; main: ComponentChildren; title?: string }

/** The page of a tab. @param title instead of the name of the tab */
export const tabView = ({ id }: { id: string }, tab: ProjectTab, { aside, main, title = NAMES[tab] }: TabParts): View => ({
  title,
  aside: aside && <div class="buttons">{aside}</div>,
  main: (
    <>
      <Tabs
        label="Project"
        path={projectPath(id, tab)}
        tabs={Object.entries(NAMES).map(([each, text]) => [projectPath(id, each as ProjectTab), text])}
      />
      {main}
    </>
  ),
})
