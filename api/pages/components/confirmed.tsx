/** A form for what cannot be undone: it asks for the exact name. */
import type { ComponentChildren } from 'preact'
import { Shape, type Static, Text } from '../../../core/values/schema.ts'
import { invalidField } from '../../problems.ts'
import { Folded } from './folded.tsx'
import { Field, Form, Submit } from './forms.tsx'

const confirmation = { confirm_name: Text(1_000) }

/** The body of such a form. */
export const Confirmation = Shape(confirmation)

/** The same with further fields. */
export const ConfirmationWith = <Fields extends Parameters<typeof Shape>[0]>(fields: Fields) =>
  Shape({ ...fields, ...confirmation })

/** @throws Problem 422 at the field unless it has the exact name */
export function requireConfirmed({ confirm_name }: Static<typeof Confirmation>, name: string): void {
  if (confirm_name !== name) throw invalidField('/confirm_name', 'mismatch', `must be exactly: ${name}`)
}

/**
 * @param name what has to be typed
 * @param button what happens, such as `Delete the project`
 * @param children what it means, and further fields
 */
export function ConfirmedForm({
  action,
  name,
  button,
  label = 'Name',
  updated_at,
  children,
}: {
  action: string
  name: string
  /** What the name is. */
  label?: string
  button: string
  updated_at?: string
  children: ComponentChildren
}) {
  return (
    <Folded action={action} title={`${button}…`}>
      <Form action={action} updated_at={updated_at}>
        {children}
        <Field
          name="confirm_name"
          label={label}
          hint={
            <>
              Type <strong>{name}</strong> to confirm.
            </>
          }
          required
          autocomplete="off"
        />
        <Submit kind="danger">{button}</Submit>
      </Form>
    </Folded>
  )
}
