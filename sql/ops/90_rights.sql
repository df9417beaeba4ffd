-- Nobody but the owner changes anything, until they are granted the function that does.
revoke execute on all functions in schema ops from public;

-- The role may be missing: not every account may create roles.
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
    -- What the views work with; none of them reads anything.
    execute 'grant execute on function ops.shown_error(text), ops.tenant_of(text), ops.origin(text), ops.cut(text, integer), ops.wrapped(text, integer), ops.short_id(text, text), ops.lane_task(text) to signalbox_ops';
  end
$$;

comment on schema ops is 'For those who run the service, with nothing but psql: begin with table ops.health. Views fit 120 columns; ops.<view>_detail has every column in full (\x auto). docs/operating.md is the manual; every view, column and function has a comment (\d+ ops.<view>, \df+ ops.<function>). Views show no payload and no secret. What is to be changed is changed by ops.pause, ops.resume, ops.retry, ops.retry_failed, ops.discard, ops.unlock_dead_workers and ops.wake_stranded, which write down who, what and why in ops.actions.';
