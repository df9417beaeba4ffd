/** Reports by hand what became of a deployment, on the page of its dispatch. */
import { action, pageRoutes } from '../pages/page.tsx'
import { dispatchPage } from './dispatch-page.tsx'
import { ReportForm, reportIn } from './report-form.tsx'
import { reportRollout } from './reports.ts'

const report = action(
  '/app/dispatches/:dispatch_id/report',
  { dispatch: 'member' },
  { on: dispatchPage, body: ReportForm },
  async ({ caller, dispatch, change }, form) => {
    const input = reportIn(form)
    await change((tx) => reportRollout(tx, caller, dispatch, input, null))
    return { notice: 'The report was recorded.' }
  },
)

export const reportPages = pageRoutes('report-pages', report)
