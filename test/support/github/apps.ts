/** Apps and their installations, as their owners make and change them. */
import { Activity } from './activity.ts'
import { removeInstallation, setSuspension } from './app-api.ts'
import { revokeTokens } from './credentials.ts'
import { type AppCredentials, addClientSecret, addKey, type Manifest, problemOfManifest, register } from './registration.ts'
import type { Permissions } from './shapes.ts'
import type { Account, App, Installation, Person, Repository } from './world.ts'

export class Apps extends Activity {
  /**
   * Registers an app, as a person does on GitHub's pages. @returns it, and what GitHub shows once
   *
   * @throws Error when GitHub refuses the manifest
   */
  registerApp(owner: Account, manifest: Manifest): { app: App; credentials: AppCredentials } {
    const problem = problemOfManifest(this.world, { ...manifest })
    if (problem) throw new Error(problem)
    const registered = register(this.world, owner, manifest)
    this.events.ping(registered.app)
    return registered
  }

  /** The app with a slug or client id. @throws Error without one */
  app(name: string): App {
    const found = this.world.apps.find(({ slug, clientId }) => slug === name || clientId === name)
    if (!found) throw new Error(`No app ${name}`)
    return found
  }

  /** Generates another private key. @returns it in PKCS#1 */
  addPrivateKey = (app: App): string => addKey(this.world, app)

  /** Deletes all private keys but the latest. */
  keepLatestKey(app: App): void {
    app.keys.splice(0, app.keys.length - 1)
  }

  /** Generates another client secret. */
  addClientSecret = (app: App): string => addClientSecret(app)

  /** Installs an app. @param repositories all by default, those of the future included */
  install(
    app: App,
    account: Account,
    { by = this.someoneOf(account), repositories = 'all' }: { by?: Person; repositories?: 'all' | Repository[] } = {},
  ): Installation {
    const at = this.clock.now()
    const installation: Installation = {
      ...{ id: this.world.nextId(), app, account, permissions: { ...app.permissions }, events: [...app.events] },
      selected: repositories === 'all' ? null : new Set(repositories),
      ...{ suspendedBy: null, suspendedAt: null, createdAt: at, updatedAt: at },
    }
    this.world.installations.push(installation)
    this.events.installation(installation, 'created', by)
    return installation
  }

  uninstall(installation: Installation, by = this.someoneOf(installation.account)): void {
    removeInstallation(this, installation, by)
  }

  suspend(installation: Installation, by = this.someoneOf(installation.account)): void {
    setSuspension(this, installation, by)
  }

  unsuspend(installation: Installation): void {
    setSuspension(this, installation, null)
  }

  /** Chooses the repositories that an installation reaches. */
  selectRepositories(
    installation: Installation,
    repositories: 'all' | Repository[],
    by = this.someoneOf(installation.account),
  ): void {
    const before = this.world.repositoriesOf(installation)
    installation.selected = repositories === 'all' ? null : new Set(repositories)
    const after = this.world.repositoriesOf(installation)
    const added = after.filter((each) => !before.includes(each))
    const removed = before.filter((each) => !after.includes(each))
    if (added.length > 0) this.events.installationRepositories(installation, by, added, [])
    if (removed.length > 0) this.events.installationRepositories(installation, by, [], removed)
  }

  /** The app asks for other permissions and events; installations keep theirs until an owner accepts. */
  changePermissions(app: App, permissions: Permissions, events = app.events): void {
    app.permissions = { metadata: 'read', ...permissions }
    app.events = events
  }

  /** An owner accepts the permissions that the app asks for now. */
  acceptPermissions(installation: Installation, by = this.someoneOf(installation.account)): void {
    installation.permissions = { ...installation.app.permissions }
    installation.events = [...installation.app.events]
    this.events.installation(installation, 'new_permissions_accepted', by)
  }

  /** A person revokes their authorization of an app. */
  revokeAuthorization(app: App, person: Person): void {
    app.authorizedBy.delete(person)
    revokeTokens(this.world, (token) => token.kind === 'user' && token.app === app && token.person === person)
    this.events.authorizationRevoked(app, person)
  }
}
