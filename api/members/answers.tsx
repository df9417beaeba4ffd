/** The buttons that answer an invitation. */
import { Submit } from '../pages/components/forms.tsx'

/** @param to the name of the organization */
export const Answers = ({ to }: { to: string }) => (
  <div class="buttons">
    <Submit name="answer" value="accept">
      Accept<span class="unseen"> the invitation to {to}</span>
    </Submit>
    <Submit kind="quiet" name="answer" value="decline" bare>
      Decline<span class="unseen"> the invitation to {to}</span>
    </Submit>
  </div>
)
