-- Links in mails about a pending gate, each of which lets one person decide it once.

-- One row is a link that was mailed. A repeated mail adds another link, as mail servers may drop the repetition. A link that was
-- used expires at once, with all of that person's links for the gate. An expired one stays for a week, also if its recipient was
-- removed: it says what was decided, instead of that it never existed. Whoever decides checks the expiry and the role.
create table decision_links (
  -- The SHA-256 of the token.
  hash            bytea not null,
  organization_id uuid not null,
  gate_id         uuid not null,
  user_id         uuid not null,
  -- The address that the link was mailed to. The link is void once the user has another.
  email           email_address not null,
  expires_at      timestamptz(3) not null,
  primary key (gate_id, organization_id, user_id, hash),
  constraint decision_links_gate foreign key (gate_id, organization_id)
    references gates (id, organization_id) on delete cascade
);

-- The links of a membership that ends.
create index decision_links_member on decision_links (organization_id, user_id);

-- Links that have expired.
create index decision_links_expires_at on decision_links (expires_at);
