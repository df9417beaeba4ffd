-- What every later table leans on: ids that sort by time, and a row version that only moves forward.

-- PostgreSQL 18 has uuidv7(); 15 to 17 do not. The stand-in puts the microseconds of the
-- clock into the 12 bits after the milliseconds (RFC 9562, section 6.2, method 3), so that two ids of one
-- connection sort in the order in which they were made, as the built-in ones do.
do $$
begin
  if to_regproc('pg_catalog.uuidv7') is null then
    create function uuidv7() returns uuid
      language sql volatile parallel safe
      as $body$
        select encode(
          substring(int8send(floor(micros / 1000)::bigint) from 3)
          || int2send((28672 + floor((micros % 1000) * 4.096))::int2)
          || substring(uuid_send(gen_random_uuid()) from 9),
          'hex'
        )::uuid
        from (select floor(extract(epoch from clock_timestamp()) * 1000000) as micros) as clock
      $body$;
  end if;
end
$$;

-- `updated_at` is the version of a row: the entity tag of every answer is made from it. Two changes
-- within one millisecond must still differ, so it never stands still.
create function touch() returns trigger
  language plpgsql
  as $$
    begin
      new.updated_at := greatest(date_trunc('milliseconds', clock_timestamp()), old.updated_at + interval '1 millisecond');
      return new;
    end
  $$;

-- For tables whose rows, once written, are evidence.
create function refuse_change() returns trigger
  language plpgsql
  as $$
    begin
      raise exception '% of % is refused: its rows are evidence', tg_op, tg_table_name
        using errcode = 'restrict_violation';
    end
  $$;
