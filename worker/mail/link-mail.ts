/** Mails that ask their reader to open one link: the same words as text and as HTML. */
import { aside, button, escaped, link, mailHtml, paragraph } from './html.ts'

const ACCENT = '#3b6fb6'

interface LinkMail {
  subject: string
  /** Why this mail comes, and until when the link works. */
  why: string
  url: string
  /** What the link does, in a few words. */
  action: string
  /** What happens if the link is not opened. */
  otherwise: string
}

/** The subject and both forms of such a mail. */
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
    aside(`If the button does not work, open this address: ${link(url, url)}`),
    aside(escaped(otherwise)),
  ]),
})
