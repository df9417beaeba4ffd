/** A form for what cannot be undone: it asks for the exact name. */
import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { Shape, type Static, Text } from '../../../core/values/schema.ts'
import { invalidField } from '../../problems.ts'
import { Field, Form, RefusedForm, Submit } from './forms.tsx'

export function Folded({ action, title, children }: { action: string; title: string; children: ComponentChildren }) {
  return (
    <details class="change" open={useContext(RefusedForm)?.action === action}>
      <summary>{title}</summary>
      <div class="card">{children}</div>
    </details>
  )
}

const confirmation = { confirm_name: Text(1_000) }

export const Confirmation = Shape(confirmation)

export const ConfirmationWith = <Fields extends Parameters<typeof Shape>[0]>(fields: Fields) =>
  Shape({ ...fields, ...confirmation })

export function requireConfirmed({ confirm_name }: Static<typeof Confirmation>, name: string): void {
  if (confirm_name !== name) throw invalidField('/confirm_name', 'mismatch', `must be exactly: ${name}`)
}

interface ConfirmedFormProps {
  action: string
  name: string
  label?: string
  /** What happens, such as `Delete the project`. */
  button: string
  updated_at?: string
  /** What it means, and further fields. */
  children: ComponentChildren
}

export function ConfirmedForm({ action, name, button, label = 'Name', updated_at, children }: ConfirmedFormProps) {
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
