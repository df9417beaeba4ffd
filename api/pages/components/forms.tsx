/** Forms. Inside `Form`, a field shows by itself what was entered before, and what was wrong with it. */
import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { version } from '../../plugins/responses.ts'
import { ACCOUNT_ID, KEPT, MADE_FROM, type Refused } from '../forms.ts'
import { Notice, Prose } from './text.tsx'

interface AccountOfPage {
  id: string
  /** Where its person confirms that it is they, if it has no password. */
  confirm: string | null
}

/** The account that the page is made for; null where the page does not depend on it. */
export const Account = createContext<AccountOfPage | null>(null)

/** Names the user that a form was made for: meanwhile another person may have signed in in this browser. */
export function AccountField() {
  const account = useContext(Account)
  return account === null ? null : <input type="hidden" name={ACCOUNT_ID} value={account.id} />
}

/** A form that waits until the person has signed in; null outside of the pages for that. */
export const Kept = createContext<string | null>(null)

/** The form that was refused, on the page that is shown. */
export const RefusedForm = createContext<Refused | null>(null)

/** The refused form, inside the form that it concerns. */
export const CurrentForm = createContext<Refused | null>(null)

interface FormProps {
  action: string
  /** The paths of further buttons of the form (`SubmitTo`). */
  others?: string[]
  /** Of the record that the form changes: it is refused if the record was changed meanwhile. */
  updated_at?: string
  /** The action is the URL of the page, which contains a secret: the HTML does not repeat it. */
  here?: boolean
  inline?: boolean
  upload?: boolean
  /** In a frame of its own. */
  card?: boolean | 'wide'
  children: ComponentChildren
}

/** A form that posts to an action. */
export function Form({ action, others = [], updated_at, here, inline, upload, card, children }: FormProps) {
  const refused = useContext(RefusedForm)
  const kept = useContext(Kept)
  const own = refused && [action, ...others].includes(refused.action) ? refused : null
  if (own) own.isShown = true
  // What is shown was entered into the form of that version, unless the page shows what has changed since.
  const made_from = (own?.isOutdated ? null : own?.made_from) ?? (updated_at === undefined ? null : version(updated_at))
  const form = (
    <form
      method="post"
      action={here ? undefined : action}
      enctype={upload ? 'multipart/form-data' : undefined}
      class={inline ? 'inline' : undefined}
    >
      <AccountField />
      {kept !== null && <input type="hidden" name={KEPT} value={kept} />}
      {updated_at !== undefined && <input type="hidden" name={MADE_FROM} value={made_from ?? undefined} />}
      <CurrentForm.Provider value={own}>
        {own?.message && (
          <div role="alert">
            <Notice tone="bad">{own.message}</Notice>
          </div>
        )}
        {children}
      </CurrentForm.Provider>
    </form>
  )
  return card ? <div class={card === 'wide' ? 'card wide' : 'card'}>{form}</div> : form
}

export type Options = [value: string, text: string][]

interface FieldProps {
  /** The name of the field in the body of the API route. */
  name: string
  label: string
  hint?: ComponentChildren
  required?: boolean
  /** Another field can hide it: whether it is required is left to the script and the server, as browsers require hidden fields, too. */
  hideable?: boolean
  maxLength?: number
  /** What the field holds when the page is opened. */
  value?: string
  class?: string
  autofocus?: boolean
}

function useField({ name, label, hint, value = '', autofocus }: FieldProps) {
  const refused = useContext(CurrentForm)
  const error = refused?.errors[name] ?? null
  const [firstWrong] = Object.keys(refused?.errors ?? {})
  const described = [hint !== undefined && `${name}-hint`, error !== null && `${name}-error`].filter(Boolean).join(' ')
  const attributes = {
    id: name,
    name,
    'aria-describedby': described || undefined,
    'aria-invalid': error !== null || undefined,
    // The first field that is wrong, or the browser starts at the top of the page.
    autofocus: (firstWrong === undefined ? autofocus : firstWrong === name) || undefined,
  }
  const entered = refused?.values.get(name) ?? value
  const stored = refused?.isOutdated && entered !== value ? value : null
  return { attributes, entered, stored, message: error && `${label} ${error}.` }
}

/** What is stored in a field that another person has changed meanwhile; `null` where it is what was entered. */
export function Stored({ text }: { text: string | null }) {
  if (text === null) return null
  return <div class="hint stored">Stored now: {text === '' ? 'nothing' : <Prose>{text}</Prose>}</div>
}

export const Wrong = ({ id, text }: { id: string; text: string }) => (
  <p class="wrong" id={`${id}-error`}>
    {text}
  </p>
)

type LabelledProps = { of: FieldProps; message: string | null; stored: string | null; children: ComponentChildren }

function Labelled({ of, message, stored, children }: LabelledProps) {
  return (
    <div class={of.class ? `field ${of.class}` : 'field'}>
      <label for={of.name}>
        {of.label}
        {!of.required && !of.hideable && <span class="hint"> (optional)</span>}
      </label>
      {children}
      {of.hint !== undefined && (
        <p class="hint" id={`${of.name}-hint`}>
          {of.hint}
        </p>
      )}
      {message && <Wrong id={of.name} text={message} />}
      <Stored text={stored} />
    </div>
  )
}

const Again = ({ children }: { children: ComponentChildren }) => (
  <>
    {children} <span class="wrong">Enter it again: secrets are never shown.</span>
  </>
)

interface InputProps extends FieldProps {
  accept?: string
  inputMode?: 'decimal'
  list?: string
  type?: 'text' | 'email' | 'password' | 'number' | 'url' | 'date' | 'datetime-local' | 'file'
  autocomplete?: string
  minLength?: number
  readOnly?: boolean
}

/** A field of one line. A password is never shown again. */
export function Field({ type = 'text', autocomplete, minLength, readOnly, inputMode, list, accept, ...field }: InputProps) {
  const refused = useContext(CurrentForm)
  // Browsers ask for a required one by themselves.
  const isLost = type === 'password' && !field.required && Boolean(refused?.values.get(field.name))
  const shown = isLost ? { ...field, hint: <Again>{field.hint}</Again> } : field
  const { attributes, entered, stored, message } = useField(shown)
  return (
    <Labelled of={shown} message={message} stored={type === 'password' ? null : stored}>
      <input
        {...attributes}
        // The types of preact want one kind of input in each place.
        type={type as 'text'}
        autocomplete={autocomplete}
        required={field.required}
        minLength={minLength}
        maxLength={field.maxLength}
        readOnly={readOnly}
        inputMode={inputMode}
        list={list}
        accept={accept}
        // Times may have seconds.
        step={type === 'datetime-local' ? 'any' : undefined}
        value={type === 'password' || type === 'file' ? undefined : entered}
      />
    </Labelled>
  )
}

/** A field of several lines. @param secret it is never shown again */
export function TextArea({ rows = 3, secret = false, ...field }: FieldProps & { rows?: number; secret?: boolean }) {
  const { attributes, entered, stored, message } = useField(field)
  return (
    <Labelled of={field} message={message} stored={stored}>
      <textarea
        {...attributes}
        rows={rows}
        required={field.required}
        maxLength={field.maxLength}
        value={secret ? undefined : entered}
      />
    </Labelled>
  )
}

const textOf = (options: Options, stored: string | null): string | null =>
  stored === null ? null : (options.find(([value]) => value === stored)?.[1] ?? stored)

/** One of several values. It always has one, so it is never `required`: browsers would then refuse an empty first option. */
export function Select({ options, ...field }: FieldProps & { options: Options }) {
  const { attributes, entered, stored, message } = useField(field)
  return (
    <Labelled of={field} message={message} stored={textOf(options, stored)}>
      <select {...attributes}>
        {options.map(([value, text]) => (
          <option value={value} selected={value === entered}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

export function Choice({ options, ...field }: FieldProps & { options: Options }) {
  const { name, label } = field
  const { attributes, entered, stored, message } = useField(field)
  return (
    <fieldset aria-describedby={attributes['aria-describedby']}>
      <legend>{label}</legend>
      {options.map(([each, text]) => (
        <label>
          <input type="radio" name={name} value={each} required={field.required} checked={each === entered} /> {text}
        </label>
      ))}
      {message && <Wrong id={name} text={message} />}
      <Stored text={textOf(options, stored)} />
    </fieldset>
  )
}

interface ButtonProps {
  kind?: 'primary' | 'danger' | 'quiet'
  /** A question that the script asks before it sends the form. */
  confirm?: string
  /** Sends the form without what its fields require. */
  bare?: boolean
  /** A path that answers with options for a passkey: the script asks for one before it sends the form, which has a `PasskeyField`. */
  passkey?: string
  /** A field that the form has only if this button sends it. */
  name?: string
  value?: string
  /** If it is another one than that of the form. */
  action?: string
  children: ComponentChildren
}

/** The button of a form. */
export function Submit({ kind = 'primary', confirm, bare = false, passkey, name, value, action, children }: ButtonProps) {
  return (
    <button
      type="submit"
      formaction={action}
      name={name}
      value={value}
      class={kind === 'primary' ? undefined : kind}
      formNoValidate={bare}
      data-confirm={confirm}
      data-passkey={passkey}
    >
      {children}
    </button>
  )
}

export const SubmitTo = ({ kind = 'quiet', ...button }: ButtonProps & { action: string }) => <Submit kind={kind} {...button} />

export function Button({ action, ...button }: ButtonProps & { action: string }) {
  return (
    <Form action={action} inline>
      <Submit kind="quiet" {...button} />
    </Form>
  )
}
