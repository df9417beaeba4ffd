-- Search finds names by the beginnings of their words, whatever their case and accents. What it finds is what a person may see, so the
-- words of a name are indexed with the workspace that it is in: one lexeme of a `tsvector` is the id of the workspace and a word. A search
-- in one workspace then reads nothing of any other, neither to find something nor to leave it out. All of this is built into PostgreSQL:
-- not every managed one offers pg_trgm.

-- Names are searched without case and accents, in every database alike: `lower` follows the locale of the database, in which "C" knows
-- only the letters of ASCII. Built-in collations know all: of PostgreSQL from 17 on, or else of ICU, which nearly every server has.
do $migration$
  declare
    locale text := (
      select collname
      from pg_collation
      where collname in ('pg_c_utf8', 'und-x-icu')
      order by collname
      limit 1
    );
  begin
    -- A text without case, accents, vowel points and compatibility forms. Latin letters that have no decomposition become those of
    -- ASCII, as in slugs (api/organizations/keys.ts), and apostrophes that are letters go, as in Hawaiʻi.
    execute format(
      $create$
        create function folded(text) returns text
          language plpgsql immutable strict parallel safe
          as $$
            declare
              plain text;
            begin
              -- Most names are ASCII, and search ranks a thousand of each kind.
              if octet_length($1) = length($1) then
                return lower($1 collate "C");
              end if;
              plain := regexp_replace(
                normalize($1, NFKD) collate "C",
                '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u0640\u064b-\u065f\u0670\ufe00-\ufe0f]+', '', 'g'
              );
              plain := lower(plain collate %I);
              plain := replace(replace(replace(replace(replace(plain, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'l·', 'l');
              return translate(
                plain,
                'ⱥɐᴀᶏɑƀɓƃʙᵬᶀꞗƈȼɕᴄↄꜿꞓꞔđɖɗƌȡᴅᵭᶁᶑꝺðǝɛɇɘᴇᶒᶓⱸꬲꬴəƒᵮᶂꜰꝼꞙɠǥɡɢʛᵷᵹᶃꞡꬶɣħ'
                'ɥɦʜʮʯⱨⱶꞕıɨɪᴉᶖɩȷɉɟʄʝᴊƙʞᴋᶄⱪꝁꝃꝅꞣĸłƚȴɫɬɭʟᴌᶅⱡꝇꝉꞁꞎꬷꬸꬹɯɰɱᴍᵯᶆꬺɲƞȵɳɴᵰ'
                'ᶇꞑꞥꬻŋøɔᴏᴑᴓᶗⱺꝋꝍꬽꬾꬿƥᴘᵱᵽᶈꝑꝓꝕɋʠꝗꝙʀɍɹɺɻɼɽɾɿᵲᵳᶉⱹꞃꞧꭅꭆꭉꭋꭌȿʂᵴᶊẜẝꜱꞅꞩʃŧ'
                'ƫƭʈȶⱦʇᴛᵵꞇᴜᴝᶙꞹꭎꭒʊʋʌᴠᶌⱱⱴꝟʍᴡⱳᶍꭖꭗꭘꭙƴɏʎʏỿꭚƶȥɀʐʑᴢᵶᶎⱬꝣʒςʻʼʽʾʿ',
                'aaaaabbbbbbbccccccccdddddddddddeeeeeeeeeeeffffffgggggggggggh'
                'hhhhhhhhiiiiiijjjjjjkkkkkkkkkklllllllllllllllllmmmmmmmnnnnnn'
                'nnnnnooooooooooooppppppppqqqqrrrrrrrrrrrrrrrrrrrrsssssssssst'
                'tttttttttuuuuuuuvvvvvvvwwwxxxxxyyyyyyzzzzzzzzzzzσ'
              );
            end
          $$
      $create$,
      coalesce(locale, 'default')
    );
  end
$migration$;

-- The words of a text, split at spaces and punctuation of all scripts.
create function search_words(text) returns text[]
  language plpgsql immutable strict parallel safe
  as $$
    begin
      -- In "C" a range is of code points.
      return string_to_array(
        regexp_replace(
          public.folded($1) collate "C",
          '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u206f\u2190-\u22ff\u2e00-\u2e7f\u3000-\u3004\u3008-\u303f]+',
          ' ', 'g'
        ),
        ' '
      );
    end
  $$;

-- The lexemes of a name. A word in a script without spaces is found from each of its characters on, and a version such as v1.2.3 also
-- without its letter. Longer words are found by their first 40 characters. A number is found as it is, not by its first digits. In loops: a
-- query would take ten times as long for each name. The schema is named because statistics of indexes are made without a search path.
create function search_terms(scope uuid, name text, number integer default null) returns tsvector
  language plpgsql immutable parallel safe cost 1000
  as $$
    declare
      place text := scope::text;
      terms text[] := case when number is null then '{}' else array[place || '#' || number] end;
      word text;
    begin
      foreach word in array public.search_words(name) loop
        continue when word = '';
        terms := terms || (place || left(word, 40));
        if word collate "C" ~ '^v[0-9]' then
          terms := terms || (place || substr(word, 2, 40));
        end if;
        if word collate "C" ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]' then
          for start in 2 .. length(word) loop
            terms := terms || (place || substr(word, start, 40));
          end loop;
        end if;
      end loop;
      return array_to_tsvector(terms);
    end
  $$;

-- What `search_terms` of a scope must match: each of the words, and a word of digits also as a number. Null if the text has no words.
create function search_query(scope uuid, typed text) returns tsquery
  language plpgsql immutable strict parallel safe
  as $$
    declare
      place text := scope::text;
      wanted text;
      word text;
    begin
      foreach word in array public.search_words(typed) loop
        continue when word = '';
        -- A word contains neither quotes nor backslashes: they separate words.
        wanted := coalesce(wanted || ' & ', '')
          || case
               when word collate "C" ~ '^[0-9]{1,10}$' then format('(''%s%s'':* | ''%s#%s'')', place, word, place, word::bigint)
               when word collate "C" ~ '^v[0-9]' then format('(''%s%s'':* | ''%s%s'':*)', place, left(word, 40), place, substr(word, 2, 40))
               else format('''%s%s'':*', place, left(word, 40))
             end;
      end loop;
      return wanted::tsquery;
    end
  $$;

-- Search, in the workspaces of a person. Without a list of pending entries, which each search would read.
create index projects_search on projects using gin (search_terms(workspace_id, name)) with (fastupdate = off);
create index requirements_search on requirements using gin (search_terms(workspace_id, title, number)) with (fastupdate = off);
create index gates_search on gates using gin (search_terms(workspace_id, name)) with (fastupdate = off);
create index deployment_hooks_search on deployment_hooks using gin (search_terms(workspace_id, name)) with (fastupdate = off);
