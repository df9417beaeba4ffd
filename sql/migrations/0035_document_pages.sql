-- The document as HTML, in parts that follow each other: rendering takes long, and is done once. Null until then, for documents of
-- processes that do not render.
alter table deliverables add column html text[];

-- "Which documents are not rendered?"
create index deliverables_unrendered on deliverables (id) where content is not null and html is null;

-- Rendering what is generated already changes nothing that its reader sees.
drop trigger deliverables_touch on deliverables;
create trigger deliverables_touch before update on deliverables
  for each row
  when (old.html is not distinct from new.html or old.status <> new.status)
  execute function touch();
