-- A partial index of what is not over may be read from end to end to find one row by its id: while a table is small that
-- costs no more, and the plan is kept while it grows. A whole index is used for what it begins with alone.
--
-- `owner_role` is null of an organization that is deleted, and nulls are never the same: the names of deleted ones stay free.
create unique index organizations_living_org_key on organizations (org_key, owner_role);
create unique index organizations_living_slug on organizations (slug, owner_role);
drop index organizations_org_key_key;
drop index organizations_slug_key;
alter index organizations_living_org_key rename to organizations_org_key_key;
alter index organizations_living_slug rename to organizations_slug_key;

-- "My sessions", newest first; and one of them.
drop index sessions_user;
create index sessions_user on sessions (user_id, id);
