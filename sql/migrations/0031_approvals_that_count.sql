-- Which approvals of a gate count, and whether they are enough.

-- An approval of someone who has lost the role, or left the group or the organization, stays on record and does not count. That is found
-- with the people of today while the gate is pending, and kept when it is decided. Null until then.
alter table gate_approvals
  add column counted boolean;

-- Whether the approvals of a gate that count now are enough: as many as required and, where the gate names groups, so many members of
-- each, of whom each counts for one group alone.
create function has_enough_approvals(
  of_gate uuid, in_organization uuid, in_workspace uuid, approvers jsonb, required_approvals integer
) returns boolean
  language sql
  as $$
    with rule as (
      -- A rule is a bit, and a set of rules the sum of their bits.
      select (value ->> 'group_id')::uuid as group_id, (value ->> 'count')::integer as count, 1 << (position::integer - 1) as bit
      from jsonb_array_elements(approvers) with ordinality as listed (value, position)
    ),
    approver as (
      select
        approval.user_id,
        -- The rules for which this person can count.
        coalesce(
          (
            select bit_or(rule.bit)
            from rule
            join group_members as grouped
              on grouped.group_id = rule.group_id
              and grouped.organization_id = in_organization
              and grouped.user_id = approval.user_id
          ),
          0
        ) as rules
      from gate_approvals as approval
      join organization_members as member
        on member.organization_id = in_organization
        and member.user_id = approval.user_id
      left join workspace_members as inside
        on inside.workspace_id = in_workspace
        and inside.organization_id = in_organization
        and inside.user_id = approval.user_id
      where approval.gate_id = of_gate
        and approval.organization_id = in_organization
        and (
          member.role in ('owner', 'admin')
          or inside.role = 'admin'
          or (approvers <> '[]' and inside.user_id is not null)
        )
    )
    select
      required_approvals <= (select count(*) from approver where approvers = '[]' or rules <> 0)
      -- Hall's theorem: people can be assigned to all rules if and only if no set of rules needs more people than there are who fit one of
      -- them. There are at most 6 rules, so at most 63 sets.
      and not exists (
        select 1
        from generate_series(1, (1 << jsonb_array_length(approvers)) - 1) as rule_set
        where (select sum(count) from rule where bit & rule_set <> 0)
          > (select count(*) from approver where rules & rule_set <> 0)
      )
  $$;

-- As before, with the approvals that count instead of all.
create or replace function check_gate_decision() returns trigger
  language plpgsql as $$
begin
  if old.status <> 'pending' then
    raise exception 'violated constraint "gates_decided_once": the gate was decided before'
      using errcode = 'check_violation', constraint = 'gates_decided_once';
  end if;
  if new.status = 'expired' and (old.expires_at is null or old.expires_at > clock_timestamp()) then
    raise exception 'violated constraint "gates_not_expired": the gate has not expired'
      using errcode = 'check_violation', constraint = 'gates_not_expired';
  end if;
  if new.status in ('approved', 'rejected', 'changes_requested') then
    if not gate_is_open(old.status, old.expires_at) then
      raise exception 'violated constraint "gates_expired": the gate has expired'
        using errcode = 'check_violation', constraint = 'gates_expired';
    end if;
    if new.decided_via is null or not (new.decided_via = 'override' or new.decided_via = any (old.decide_via)) then
      raise exception 'violated constraint "gates_decided_via": the gate cannot be decided this way'
        using errcode = 'check_violation', constraint = 'gates_decided_via';
    end if;
  end if;
  if new.status = 'approved'
    and new.decided_via <> 'override'
    and not has_enough_approvals(new.id, new.organization_id, new.workspace_id, new.approvers, new.required_approvals)
  then
    raise exception 'violated constraint "gates_approvals_missing": approvals are missing'
      using errcode = 'check_violation', constraint = 'gates_approvals_missing';
  end if;
  return new;
end $$;
