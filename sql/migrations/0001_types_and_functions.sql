-- What the tables of the other files share: ids that sort by time, a row version that only moves forward, and domains for
-- e-mail addresses and money.

-- PostgreSQL 18 has uuidv7(); 15 to 17 do not. The substitute puts the microseconds of the clock into the 12 bits after the
-- milliseconds (RFC 9562, section 6.2, method 3), so that two ids of one connection sort in the order in which they were
-- made, as the built-in ones do. In PL/pgSQL, which plans the expression once per session.
do $$
begin
  if to_regproc('pg_catalog.uuidv7') is null then
    create function uuidv7() returns uuid
      language plpgsql volatile parallel safe
      as $body$
        declare
          micros bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
        begin
          return encode(
            substring(int8send(micros / 1000) from 3)
            || int2send((28672 + micros % 1000 * 4096 / 1000)::int2)
            || substring(uuid_send(gen_random_uuid()) from 9),
            'hex'
          )::uuid;
        end
      $body$;
  end if;
end
$$;

-- `updated_at` is the version of a row: the entity tag of every response is made from it. Two changes within one millisecond
-- must still differ, so it always moves forward. It is rounded as the other columns are, so that it is never older than a
-- `started_at` of the same change.
create function touch() returns trigger
  language plpgsql
  as $$
    begin
      -- Encrypting a secret again with another key changes nothing that its owner sees: `bun run reencrypt` keeps the version.
      if current_setting('signalbox.reencrypting', true) = 'on' then
        return new;
      end if;
      new.updated_at := greatest(clock_timestamp()::timestamptz(3), old.updated_at + interval '1 millisecond');
      return new;
    end
  $$;

-- For tables whose rows are evidence.
create function refuse_change() returns trigger
  language plpgsql
  as $$
    begin
      raise exception '% of % is refused: its rows are evidence', tg_op, tg_table_name
        using errcode = 'restrict_violation';
    end
  $$;

-- An address has one canonical form (core/values/email-addresses.ts): its domain is ASCII, and it has no ASCII capitals. So one
-- mailbox is one text: lower() would compare more as equal, as lower('İ') is i in many locales.
create function is_canonical_address(address text) returns boolean
  language sql immutable strict parallel safe
  as $$
    select
      -- In "C" a range is of code points, and classes contain ASCII alone.
      address collate "C" ~ '^[^@.A-Z[:space:][:cntrl:]]+(\.[^@.A-Z[:space:][:cntrl:]]+)*@[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*$'
      and octet_length(split_part(address, '@', 1)) <= 64
      and octet_length(address) <= 254
      and address is nfc normalized
  $$;

create domain email_address as text collate "C"
  constraint email_address_canonical check (is_canonical_address(value));

-- One type for all money. Requests carry at most 1e9. A sum may grow to 1e12; more is refused by this constraint, which the
-- API explains to the caller, before an arithmetic error occurs.
create domain usd as numeric(19, 6) constraint usd_range check (value between 0 and 1e12);

-- Adding an interval to a time counts as dependent on the time zone, because it may contain days; seconds do not depend on it.
create function seconds_after(moment timestamptz, seconds double precision) returns timestamptz
  language sql immutable strict parallel safe
  as $$ select moment + seconds * interval '1 second' $$;
