-- How the request of an entry came, if not to the API or a page: by a tool of an agent. It is sealed with the entry.
alter table audit_log_entries add column via text check (via in ('mcp'));
