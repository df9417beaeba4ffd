-- GitHub: an app of the service, whose installations let workflows wait for gates.

-- One row is the GitHub App of the service, of which there is one at most.
create table github_apps (
  id                      uuid primary key default uuidv7(),
  is_only                 boolean not null default true unique check (is_only),
  -- The origin of GitHub, such as https://github.com.
  url                     text not null check (length(url) between 1 and 2048),
  app_id                  bigint not null check (app_id > 0),
  slug                    text not null check (length(slug) between 1 and 255),
  client_id               text not null check (length(client_id) between 1 and 255),
  -- Its page at GitHub, below which it is installed.
  html_url                text not null check (length(html_url) between 1 and 2048),
  private_key             bytea not null,
  client_secret           bytea not null,
  webhook_secret          bytea not null,
  -- The secret before, which deliveries may still be signed with: until a time, or until GitHub has confirmed the new one.
  previous_webhook_secret bytea,
  previous_until          timestamptz(3),
  private_key_at          timestamptz(3) not null default now(),
  client_secret_at        timestamptz(3) not null default now(),
  webhook_secret_at       timestamptz(3) not null default now(),
  -- Of a deletion and a creation meanwhile, `If-Match` must see the difference.
  created_at              timestamptz(3) not null default now(),
  updated_at              timestamptz(3) not null default now()
);

-- Encrypting the secrets anew changes nothing that a response shows.
create trigger github_apps_touch
  before update of url, app_id, slug, client_id, html_url, private_key_at, client_secret_at, webhook_secret_at, previous_until on github_apps
  for each row execute function touch();

-- One row says which organization an installation is bound to: one, in the whole service. It is how deliveries find their tenant. Without a
-- foreign key: on a cluster, organizations are on other machines. Unbinding, and deleting the organization, delete it.
create table github_bindings (
  installation_id bigint primary key,
  organization_id uuid not null
);

-- One row is an installation of the app that an organization has bound. It is the target of a lane, in which requests wait to be answered.
create table github_installations (
  id              uuid not null default uuidv7(),
  organization_id uuid not null references organizations on delete cascade,
  -- GitHub's id.
  installation_id bigint not null,
  account_id      bigint not null,
  account_login   text not null check (length(account_login) between 1 and 255),
  account_type    text not null check (length(account_type) between 1 and 64),
  status          text not null default 'active' check (status in ('active', 'suspended', 'removed')),
  -- What GitHub says that the app may do there.
  permissions     jsonb not null default '{}' check (jsonb_typeof(permissions) = 'object'),
  -- Since when no organization has it any more: it stays until its requests are answered.
  unbound_at      timestamptz(3),
  created_by      uuid not null,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (id, organization_id)
);

-- The installations of an organization, and the one that a delivery names.
create unique index github_installations_bound on github_installations (organization_id, installation_id) where unbound_at is null;

-- Those that can be forgotten.
create index github_installations_unbound on github_installations (unbound_at) where unbound_at is not null;

create trigger github_installations_touch before update of account_login, account_type, status, permissions on github_installations
  for each row execute function touch();

-- One row links a project to a repository. Repositories are known by id; their names change.
create table github_repositories (
  project_id      uuid not null,
  organization_id uuid not null,
  workspace_id    uuid not null,
  lane_id         uuid not null,
  repository_id   bigint not null,
  full_name       text not null check (length(full_name) between 3 and 255),
  -- As it was when it was linked: subjects of gates keep it.
  linked_name     text not null check (length(linked_name) between 3 and 255),
  is_private      boolean not null,
  -- The installation does not reach it any more.
  is_lost         boolean not null default false,
  commit_statuses boolean not null default true,
  created_by      uuid not null,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (project_id, organization_id),
  constraint github_repositories_key unique (organization_id, repository_id),
  constraint github_repositories_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade,
  constraint github_repositories_installation foreign key (lane_id, organization_id)
    references github_installations (id, organization_id) on delete cascade
);

-- The repositories of an installation.
create index github_repositories_lane on github_repositories (lane_id);

create trigger github_repositories_touch
  before update of lane_id, repository_id, full_name, is_private, is_lost, commit_statuses on github_repositories
  for each row execute function touch();

-- One row is a workflow run that waits at an environment, until it is answered. Further jobs of the run join it while it is open; after its
-- answer, they get another one. It outlives the link and the project, because GitHub must be answered.
create table github_requests (
  id               uuid not null default uuidv7(),
  organization_id  uuid not null,
  workspace_id     uuid not null,
  project_id       uuid not null,
  lane_id          uuid not null,
  repository_id    bigint not null,
  full_name        text not null check (length(full_name) between 3 and 255),
  is_private       boolean not null,
  run_id           bigint not null,
  -- As GitHub writes it; and as the project does, once that is known.
  environment      text not null check (length(environment) between 1 and 64),
  gate_environment text,
  commit           text not null check (commit ~ '^([0-9a-f]{40}|[0-9a-f]{64})$'),
  ref              text not null check (length(ref) between 1 and 255),
  run_url          text not null check (length(run_url) <= 2048),
  -- Who sent, started or re-ran it: [{ "id": 1, "login": "octocat" }].
  asked_by         jsonb not null default '[]' check (jsonb_typeof(asked_by) = 'array'),
  -- How many jobs asked, and their deployments, as far as GitHub named them. A job that asks while the answer is on its way needs another one.
  jobs             integer not null default 1,
  deployment_ids   bigint[] not null default '{}',
  state            text not null default 'open' check (state in ('open', 'held', 'answered', 'closed')),
  gate_id          uuid,
  -- Why it is rejected without a gate.
  refusal          text,
  -- The answer, written down before it is sent for the first time: GitHub may take it although no response comes back.
  answer           text check (answer in ('approved', 'rejected')),
  answered_at      timestamptz(3),
  held_until       timestamptz(3),
  -- When there is something to do next; null: when something changes.
  due_at           timestamptz(3) default now(),
  -- Failed attempts since the last success, the last error, and since when.
  attempt_count    integer not null default 0,
  error            jsonb check (jsonb_typeof(error) = 'object'),
  failing_since    timestamptz(3),
  -- When github.unanswered was emitted; once.
  unanswered_at    timestamptz(3),
  -- Reports of how it stands, and what the last one said.
  report_count     integer not null default 0,
  reported         text,
  -- The commit status that was set last, and how often setting another one has failed.
  commit_status    text check (commit_status in ('pending', 'success', 'failure', 'error')),
  status_failures  integer not null default 0,
  -- Since when it is open: evidence that cannot be read is left out after some minutes, and running checks are awaited for some hours.
  opened_at        timestamptz(3) not null default now(),
  -- Rises with each change of what it asks or gets, so that what was read before it is recognized.
  revision         bigint not null default 0,
  created_at       timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint github_requests_installation foreign key (lane_id, organization_id)
    references github_installations (id, organization_id) on delete cascade,
  constraint github_requests_answered check ((state = 'answered') <= (answer is not null and answered_at is not null)),
  constraint github_requests_held check ((state = 'held') <= (held_until is not null and gate_id is not null))
) with (fillfactor = 70);

-- One at a time per run and environment.
create unique index github_requests_asked on github_requests (organization_id, repository_id, run_id, environment)
  where state in ('open', 'held');

-- What a lane has to do, in the order in which it is due.
create index github_requests_due on github_requests (lane_id, due_at, id) where due_at is not null;

-- The requests of a gate.
create index github_requests_gate on github_requests (gate_id) where gate_id is not null;

-- The requests of a run.
create index github_requests_run on github_requests (repository_id, run_id);

-- What a project has open.
create index github_requests_open on github_requests (project_id) where state in ('open', 'held');

-- Those that are old enough to be forgotten.
create index github_requests_opened on github_requests (opened_at) where state in ('answered', 'closed');

-- One row is a delivery that was processed: GitHub may send it again.
create table github_deliveries (
  guid            uuid not null,
  organization_id uuid not null references organizations on delete cascade,
  received_at     timestamptz(3) not null default now(),
  primary key (guid, organization_id)
);

create index github_deliveries_received on github_deliveries (received_at);

-- Lanes of installations. They are deleted with them.
alter table lanes
  drop constraint lanes_kind_check,
  add constraint lanes_kind_check check (kind in ('hook', 'channel', 'github'));

create function delete_lane() returns trigger
  language plpgsql
  as $$
    begin
      delete from lanes where id = old.id and organization_id = old.organization_id;
      return null;
    end
  $$;

create trigger github_installations_lane after delete on github_installations for each row execute function delete_lane();

alter table gates
  -- Where a gate comes from, if no person or program opened it here: { "type": "github", … }. How its requests stand is in
  -- `github_requests`.
  add column source jsonb check (jsonb_typeof(source) = 'object');

-- A rollout that GitHub reported comes from no hook.
alter table rollouts alter column hook_id drop not null;

-- A person at GitHub: the team is its host.
alter table user_identities
  drop constraint user_identities_provider_check,
  add constraint user_identities_provider_check check (provider in ('slack', 'github')),
  drop constraint user_identities_team_id_check,
  add constraint user_identities_team_id_check check (length(team_id) between 1 and 255);
