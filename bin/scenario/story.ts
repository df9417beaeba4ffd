/** The fields of story.yaml, which has what the scenario tells. */
import type { Person } from './stage.ts'

export type ProjectName = 'checkout' | 'identity' | 'vision'
type Agent = 'claude-code' | 'codex'
type Metrics = [tests_passed: number, tests_failed: number, lines_added: number, lines_removed: number]

export interface Task {
  project: ProjectName
  title: string
  kind?: string
  description?: string
  criteria?: string[]
  failed?: [Agent, cost_usd: number, error: string]
  agent: Agent
  cost_usd: number
  /** `open`: no execution yet. `waiting`: its gate is pending. `rejected`: its gate was rejected, so the execution failed. */
  outcome?: 'failed' | 'rejected' | 'waiting' | 'running' | 'open'
  gate?: string
  /** What the gate is about, where it names something to deploy: the one after what runs by then. */
  version?: string
  /** What the reviewer wanted to be changed first. */
  changes?: string
  comment?: string
  metrics?: Metrics
  error?: string
  /** Documents that are published afterwards. */
  publish?: string[]
  /** Another agent that does the same task. */
  rival?: { agent: Agent; cost_usd: number; metrics: Metrics }
}

/** Other fields are those of the API. */
interface OfProject {
  project: ProjectName
  environment: string
}

export type Hook = OfProject & { name: string; path?: string }
export type Pipeline = OfProject & { name: string }

interface Story {
  workspaces: { workspace: { name: string }; members: Person[]; projects: Partial<Record<ProjectName, { name: string }>> }[]
  groups: { name: string; members: Person[] }[]
  hooks: Hook[]
  models: Record<Agent, Record<string, number>>
  evidence: { summary: string; checks: object[]; links: object[] }
  load_tests: Record<'passed' | 'failed', object>
  release: Task
  fix: { version: string; summary: string; soak_seconds: number }
  tasks: Task[]
  unfinished: Task[]
  fields_of_hooks: Record<string, object>
  other_hooks: Hook[]
  pull_hook: Hook
  channels: { name: string; channel_type: string; field: string; path: string; patterns: string[] }[]
  policies: (OfProject & { by_groups?: true })[]
  agent_limits: object[]
  accounts: object[]
  pipelines: Pipeline[]
  api_description: object
}

export const STORY = Bun.YAML.parse(await Bun.file(`${import.meta.dir}/story.yaml`).text()) as Story

export const PRODUCTION = 'production'
export const STAGING = 'staging'
