-- Only the owner may change anything, until a role is granted the function.
revoke execute on all functions in schema ops from public;

-- The role may be missing, as not every account may create roles.
do $$
  begin
    if not exists (select from pg_roles where rolname = 'signalbox_ops') then return; end if;
    execute 'grant usage on schema ops to signalbox_ops';
    execute (
      select format('grant select on %s to signalbox_ops', string_agg(oid::regclass::text, ', '))
      from pg_class
      where relnamespace = 'ops'::regnamespace
        and relkind = 'v'
    );
    -- Functions that the views call; none of them reads a table of tenants.
    execute
      'grant execute on function ops.shown_error(text), ops.tenant_of(text), ops.origin(text), ops.cut(text, integer), '
      'ops.wrapped(text, integer), ops.short_id(text, text), ops.lane_task(text), ops.vacuum_holders(), '
      'ops.nodes(), ops.moving_shards(), queue.tenant_flag(jsonb) to signalbox_ops';
  end
$$;

comment on schema ops is 'Views and functions for operators, who need nothing but psql: start with table ops.health. The output of each view fits in 120 columns; ops.<view>_detail has every column in full (\x auto). docs/operating.md is the manual; every view, column and function has a comment (\d+ ops.<view>, \df+ ops.<function>). Views show no payload and no secret. Changes are made by ops.pause, ops.resume, ops.retry, ops.retry_failed, ops.discard, ops.unlock_dead_workers and ops.wake_stranded, which record who, what and why in ops.actions.';
