/** Where a person signs in a device: types in the code that it shows, then allows or denies what it asks for. */
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { OneOf, Shape, Text } from '../../core/values/schema.ts'
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { Facts } from '../pages/components/structure.tsx'
import { Notice, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import type { SignedIn } from '../plugins/request-context.ts'
import { decideDevice, findDevice, shownUserCode, type WaitingDevice } from './device-authorizations.ts'

const UserCode = Text(40)

const devicePage = page('/device', { signedIn: true }, () => ({
  title: 'Sign in a device',
  narrow: true,
  main: (
    <Form action="/device">
      <Field
        name="user_code"
        label="Code"
        hint="The 8 letters that the device shows."
        autocomplete="off"
        maxLength={40}
        required
        autofocus
      />
      <Submit>Continue</Submit>
    </Form>
  ),
}))

const ALLOWS = {
  read: 'read everything that you can read',
  write: 'read and change everything that you can, save deciding gates',
}

/** What the device asks for. None of it is proven: someone else may have sent the code. */
const consent = ({ name, email }: SignedIn, device: WaitingDevice) => ({
  title: 'Allow this device?',
  narrow: true,
  main: (
    <>
      <Notice tone="warn">
        Allow only what you have started yourself, just now. Did someone send you this code? Then deny it: they would act as you.
      </Notice>
      <Facts
        of={[
          ['Code', <code>{shownUserCode(device.user_code)}</code>],
          ['Client', device.client_id],
          ['Device', device.device],
          ['Address', device.ip_address],
          ['Asked', <Time at={device.created_at} />],
          ['Signs in as', `${name} (${email})`],
          ['May', ALLOWS[device.scope]],
          ['At', new URL(config.PUBLIC_URL).host],
        ]}
      />
      <Form action="/device/decision">
        <input type="hidden" name="user_code" value={device.user_code} />
        <Submit name="decision" value="allow">
          Allow
        </Submit>
        <Submit kind="danger" name="decision" value="deny">
          Deny
        </Submit>
      </Form>
    </>
  ),
})

const enterCode = actionOn(
  devicePage,
  '',
  { signedIn: true },
  Shape({ user_code: UserCode }),
  async ({ caller }, { user_code }) => consent(caller, await findDevice(sql, caller, user_code)),
)

const decide = actionOn(
  devicePage,
  '/decision',
  { signedIn: true },
  Shape({ user_code: UserCode, decision: OneOf(['allow', 'deny']) }),
  async ({ caller, change }, body) => {
    // Counts as a code that was typed in: this form can be sent with any.
    const { user_code, client_id } = await findDevice(sql, caller, body.user_code)
    const isAllowed = body.decision === 'allow'
    await change((tx) => decideDevice(tx, caller, user_code, isAllowed ? 'allowed' : 'denied'))
    const notice = isAllowed
      ? `${client_id} is signed in. Go back to your device; its token is listed here, where you can revoke it.`
      : `${client_id} was denied.`
    return { to: isAllowed ? '/app/account/tokens' : '/device', notice }
  },
)

export const devicePages = pageRoutes('device-pages', devicePage, enterCode, decide)
