-- What views may show of an error: its first line, without anything that may be a payload, an address or a secret, because
-- errors quote values.
create or replace function ops.shown_error(message text) returns text
  language sql immutable parallel safe
  as $$
    select left(
      regexp_replace(
        regexp_replace(
          regexp_replace(
            split_part(left(message, 2000), E'\n', 1),
            -- Anything in quotes, braces or brackets; URLs, e-mail addresses and paths.
            '"[^"]*("|$)|''[^'']*(''|$)|`[^`]*(`|$)|[{[(].*[])}]|[{[].*$|[a-z][a-z0-9+.-]*://\S*|\S+@\S+|\S*/\S*', '…', 'gi'
          ),
          -- Assigned values.
          '[=:]\s*\S*[^\s[:alpha:]]\S*', ': …', 'g'
        ),
        -- Long words, except the names of errors.
        '\m(?![A-Z_0-9]+\M)\S{16,}', '…', 'g'
      ),
      200
    )
  $$;

comment on function ops.shown_error(text) is 'The first line of an error, without anything that may be a payload, an address or a secret. The views use it; the log of the worker has the whole error.';

-- The organization id in a flag; null for any other text.
create or replace function ops.tenant_of(flag text) returns uuid
  language sql immutable parallel safe
  as $$
    select case when flag ~ '^org:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(flag, 5)::uuid end
  $$;

comment on function ops.tenant_of(text) is 'The organization that a flag names; null if it names none.';

-- Path, query and user info of a URL may be secrets.
create or replace function ops.origin(url text) returns text
  language sql immutable parallel safe
  as $$
    select substring(url from '^[a-z]+://') || substring(url from '^[a-z]+://(?:[^/?#]*@)?([^/?#@]+)')
  $$;

comment on function ops.origin(text) is 'Scheme, host and port of a URL.';
