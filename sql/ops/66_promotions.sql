create view ops.blocked_promotions_detail as
  select
    promotion.organization_id,
    organization.slug          as organization,
    promotion.project_id,
    project.name               as project,
    promotion.environment,
    policy.promotes_from,
    promotion.ready_digest     as digest,
    promotion.ready_since      as since,
    promotion.obstacle
  from promotions as promotion
  join organizations as organization on organization.id = promotion.organization_id
  join projects as project on project.id = promotion.project_id and project.organization_id = promotion.organization_id
  join environment_policies as policy
    on policy.project_id = promotion.project_id
    and policy.environment = promotion.environment
    and policy.organization_id = promotion.organization_id
  where promotion.obstacle is not null
  order by organization.slug, project.name, promotion.environment;

comment on view ops.blocked_promotions_detail is 'Environments whose next gate should open by itself (open_gate) and cannot. Each is tried again when its policy, its project''s gates or what runs there changes, not before.';
comment on column ops.blocked_promotions_detail.organization_id is 'The tenant.';
comment on column ops.blocked_promotions_detail.organization is 'The slug of the tenant.';
comment on column ops.blocked_promotions_detail.project_id is 'The project.';
comment on column ops.blocked_promotions_detail.project is 'The name of the project.';
comment on column ops.blocked_promotions_detail.environment is 'The environment that the gate is for.';
comment on column ops.blocked_promotions_detail.promotes_from is 'The environment before.';
comment on column ops.blocked_promotions_detail.digest is 'What has run there long enough.';
comment on column ops.blocked_promotions_detail.since is 'Since when it has run there.';
comment on column ops.blocked_promotions_detail.obstacle is 'What forbids the gate: a rule of the policy that the evidence does not fulfil, or a limit.';
