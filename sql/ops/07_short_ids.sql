-- The last digits of an id are random; the first ones are its time. The letter distinguishes it from the number of a job.
create or replace function ops.short_id(kind text, id text) returns text
  language sql immutable parallel safe
  as $$
    select case when kind = 'job' then id else left(kind, 1) || right(id, 6) end
  $$;

comment on function ops.short_id(text, text) is 'The id that ops.jobs and ops.failed_jobs show: the number of a job; otherwise the first letter of event, dispatch or message, and the last six digits of its id.';

create or replace function ops.full_ids(ids text[]) returns text[]
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  as $$
    declare
      short text[] := array(select distinct lower(given) from unnest(ids) as given where given ~* '^[dem][0-9a-f]{6}$');
      found jsonb;
      twice text;
    begin
      if short = '{}' then return ids; end if;
      select jsonb_object_agg(match.short_id, match.ids) into found
      from (
        select ops.short_id(job.kind, job.id) as short_id, array_agg(job.id) as ids
        from ops.jobs_detail as job
        where job.kind <> 'job'
          and ops.short_id(job.kind, job.id) = any(short)
        group by 1
      ) as match;
      select key into twice from jsonb_each(found) where jsonb_array_length(value) > 1 limit 1;
      if twice is not null then
        raise exception 'The short id % is ambiguous.', twice
          using errcode = 'invalid_parameter_value', hint = format('Use the full id, one of: %s.', found ->> twice);
      end if;
      return array(
        select coalesce(found -> lower(given) ->> 0, given)
        from unnest(ids) with ordinality as list (given, place)
        order by place
      );
    end
  $$;

comment on function ops.full_ids(text[]) is 'The ids, with each short id of ops.jobs replaced by its full id. Raises an error for an ambiguous one. ops.retry and ops.discard use it.';
