/** A form that most readers do not need; open if it was refused. */
import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { RefusedForm } from './forms.tsx'

export function Folded({ action, title, children }: { action: string; title: string; children: ComponentChildren }) {
  return (
    <details class="change" open={useContext(RefusedForm)?.action === action}>
      <summary>{title}</summary>
      <div class="card">{children}</div>
    </details>
  )
}
