-- Text that fits in a terminal of 120 columns.

-- Chinese, Japanese and Korean characters and emoji are two columns wide.
create or replace function ops.cut(words text, columns integer) returns text
  language sql immutable parallel safe
  as $$
    select case
      when length(plain.words) + length(wide.words) <= columns then plain.words
      when wide.words = '' then left(plain.words, columns - 1) || '…'
      else left(plain.words, columns / 2 - 1) || '…'
    end
    from (select regexp_replace(cut.words, '[[:cntrl:]]+', ' ', 'g') as words) as plain
    cross join lateral (
      select regexp_replace(
        plain.words,
        '[^\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6'
          '\U0001F300-\U0001FAFF\U00020000-\U0003FFFD]',
        '',
        'g'
      ) as words
    ) as wide
  $$;

comment on function ops.cut(text, integer) is 'The text, truncated to a number of terminal columns and ended by an ellipsis.';

create or replace function ops.wrapped(words text, columns integer) returns text
  language sql immutable parallel safe
  as $$
    select rtrim(
      regexp_replace(
        -- A word that is longer than a line is broken.
        regexp_replace(wrapped.words, format('(\S{%s})(?=\S)', columns), '\1 ', 'g'),
        format('(.{1,%s})(\s+|$)', columns), E'\\1\n', 'g'
      ),
      E'\n '
    )
  $$;

comment on function ops.wrapped(text, integer) is 'The text, wrapped into lines of a number of characters.';
