/** The jobs of a workflow run, and who guards their environment. */
import type { Deployment } from './deployments.ts'
import type { WorkflowRun } from './runs.ts'
import type { App, CheckRun, Environment, Person } from './world.ts'

export type Conclusion = 'success' | 'failure' | 'cancelled'
/** What one app was asked about one job. */
export interface Gate {
  app: App
  state: 'pending' | 'approved' | 'rejected' | 'bypassed'
  comment: string | null
  /** The comments of its status reports, at most ten. */
  reports: string[]
  answeredAt: number | null
}

export interface Job {
  id: number
  run: WorkflowRun
  attempt: number
  name: string
  needs: string[]
  environment: Environment | null
  status: 'pending' | 'waiting' | 'in_progress' | 'completed'
  conclusion: Conclusion | 'skipped' | null
  gates: Gate[]
  /** Whether a person of GitHub's own rule must review, and has. */
  review: { state: 'pending' | 'approved' | 'rejected'; by: Person | null; comment: string } | null
  deployment: Deployment | null
  checkRun: CheckRun
  since: number
}

export interface JobPlan {
  name?: string
  environment?: string
  /** The names of jobs that must succeed first. */
  needs?: string[]
}
