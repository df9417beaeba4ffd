-- Columns of milliseconds round what they are given, to the nearest; `updated_at` was cut off instead, and so could
-- be a millisecond older than the `started_at` of the same change. It is rounded as they are.
create or replace function touch() returns trigger
  language plpgsql
  as $$
    begin
      new.updated_at := greatest(clock_timestamp()::timestamptz(3), old.updated_at + interval '1 millisecond');
      return new;
    end
  $$;
