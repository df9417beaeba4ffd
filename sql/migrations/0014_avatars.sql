-- One row is the picture that a user uploaded; who has none is shown by a pattern made from the id.
create table user_avatars (
  user_id      uuid primary key references users on delete cascade,
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- Pictures are compressed already.
  bytes        bytea not null check (length(bytes) <= 1048576),
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now()
);

alter table user_avatars alter column bytes set storage external;

create trigger user_avatars_touch before update on user_avatars
  for each row execute function touch();
