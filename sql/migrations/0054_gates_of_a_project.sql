-- The gates of a project in any state, newest first, part by part: without it each part sorted all of them.
create index gates_newest on gates (project_id, created_at desc, id desc);
