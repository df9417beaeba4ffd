/** Mails with one link, as text and HTML. */
import { aside, button, link, mailHtml, paragraph } from './html.tsx'

const ACCENT = '#3b6fb6'

interface LinkMail {
  subject: string
  /** Why the mail was sent, and how long the link is valid. */
  why: string
  url: string
  /** The label of the button. */
  action: string
  /** What to do if the mail is not wanted. */
  otherwise: string
}

export const linkMail = ({ subject, why, url, action, otherwise }: LinkMail) => ({
  subject,
  text: `Hello,

${why}

${url}

${otherwise}
`,
  html: mailHtml(subject, subject, ACCENT, [
    paragraph('Hello,'),
    paragraph(why),
    button(url, action),
    aside('If the button does not work, open this address: ', link(url, url)),
    aside(otherwise),
  ]),
})
