import { Tabs } from '../pages/components/lists.tsx'
import { organizationPages } from '../pages/organization-pages.ts'
import type { OrganizationRole } from '../roles.ts'

/** Links between pages that the side bar has as one. */
export function OrganizationTabs({ of, path }: { of: { id: string; role: OrganizationRole }; path: string }) {
  const shown = organizationPages(of).find(({ tabs }) => tabs.some(([href]) => path.startsWith(href)))
  return shown && shown.tabs.length > 1 ? <Tabs label={shown.text} path={path} tabs={shown.tabs} /> : null
}
