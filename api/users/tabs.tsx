import { Tabs } from '../pages/components/lists.tsx'

const TABS: [string, string][] = [
  ['/app/account', 'Profile and sessions'],
  ['/app/account/security', 'Second factors'],
  ['/app/account/passkeys', 'Passkeys'],
  ['/app/account/tokens', 'Personal tokens'],
  ['/app/account/notifications', 'Notifications'],
  ['/app/account/security-log', 'Security log'],
]

export const AccountTabs = ({ path }: { path: string }) => <Tabs label="Account" path={path} tabs={TABS} />
