-- What a view may show of an error: the first line, without whatever may be a payload, an address or a secret. Errors
-- quote what they stumbled over.
create or replace function ops.shown_error(message text) returns text
  language sql immutable parallel safe
  as $$
    select left(
      regexp_replace(
        regexp_replace(
          regexp_replace(
            split_part(left(message, 2000), E'\n', 1),
            -- Whatever stands in quotes, braces or brackets, addresses of the web and of people, paths.
            '"[^"]*("|$)|''[^'']*(''|$)|`[^`]*(`|$)|[{[(].*[])}]|[{[].*$|[a-z][a-z0-9+.-]*://\S*|\S+@\S+|\S*/\S*', '…', 'gi'
          ),
          -- What is assigned.
          '[=:]\s*\S*[^\s[:alpha:]]\S*', ': …', 'g'
        ),
        -- Long words, but for the names of errors.
        '\m(?![A-Z_0-9]+\M)\S{16,}', '…', 'g'
      ),
      200
    )
  $$;

comment on function ops.shown_error(text) is 'First line of an error, without whatever may be a payload, an address or a secret. The views use it; the log of the worker has the whole.';

-- A flag as the id of its tenant; null where it is none.
create or replace function ops.tenant_of(flag text) returns uuid
  language sql immutable parallel safe
  as $$
    select case when flag ~ '^org:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(flag, 5)::uuid end
  $$;

comment on function ops.tenant_of(text) is 'The organization that a flag names; null where it names none.';

-- A path or a query may be a secret, and so may be what stands before an @.
create or replace function ops.origin(url text) returns text
  language sql immutable parallel safe
  as $$
    select substring(url from '^[a-z]+://') || substring(url from '^[a-z]+://(?:[^/?#]*@)?([^/?#@]+)')
  $$;

comment on function ops.origin(text) is 'Scheme, host and port of a URL.';
