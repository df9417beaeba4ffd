-- What the documents of a project say about its releases, and about where to get help.

alter table projects
  -- How the release that a published changelog makes is named.
  add column version_scheme text not null default 'numbered' check (version_scheme in ('numbered', 'calver', 'semver')),
  -- A URL or an e-mail address.
  add column support text check (length(support) between 1 and 200);

create trigger projects_touch_documents before update of version_scheme, support on projects
  for each row execute function touch();
