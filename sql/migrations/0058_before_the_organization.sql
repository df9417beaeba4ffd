-- What is looked up before an organization is known. A cluster keeps the first on its coordinator, and answers the second on all nodes.

create or replace view member_organizations as
  select user_id, organization_id, role, second_factor_required, setup_until from organization_members;

comment on view member_organizations is 'The organizations of each user.';

create or replace function decision_link_recipient(of_gate uuid, link_hash bytea) returns table (user_id uuid, organization_id uuid)
  language sql stable
  as $$
    select link.user_id, link.organization_id
    from decision_links as link
    join people as recipient
      on recipient.id = link.user_id
      and recipient.email = link.email
    where link.gate_id = of_gate
      and link.hash = link_hash
  $$;

comment on function decision_link_recipient is
  'To whom a link that decides a gate was mailed. None if the user has another address since then.';

-- Functions that read tables of tenants are in PL/pgSQL: a cluster finds the node by the values of their parameters, which it does not know in SQL.

create or replace function actor_of(actor_id uuid, in_organization uuid) returns jsonb
  language plpgsql stable
  as $$
    begin
      return (
        select case when actor_id is null then jsonb_build_object('type', 'system', 'id', null, 'name', 'Signalbox') else coalesce(
          (
            select jsonb_build_object('type', 'user', 'id', person.id, 'name', person.name)
            from people as person
            where person.id = actor_id
          ),
          (
            select jsonb_build_object('type', 'service_account', 'id', account.id, 'name', account.name)
            from service_accounts as account
            where account.id = actor_id
              and account.organization_id = in_organization
          ),
          jsonb_build_object('type', 'service_account', 'id', actor_id, 'name', 'Deleted service account')
        ) end
      );
    end
  $$;

create or replace function has_enough_approvals(of_gate uuid, in_organization uuid, in_workspace uuid, approvers jsonb, required_approvals integer) returns boolean
  language plpgsql
  as $$
    begin
      return (
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
      );
    end
  $$;

create or replace function usage_of(of_execution uuid, in_organization uuid) returns jsonb
  language plpgsql stable
  as $$
    begin
      return (
        select coalesce(jsonb_agg(to_jsonb(used) order by used.cost_usd desc nulls last, used.model, used.source), '[]')
        from (
          select
            model, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
            tally.cost_usd, tally.source
          from execution_usage as tally
          where tally.organization_id = in_organization
            and tally.execution_id = of_execution
          order by tally.cost_usd desc nulls last, tally.model, tally.source
          limit 100
        ) as used
      );
    end
  $$;
