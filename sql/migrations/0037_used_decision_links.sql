-- A mailed link that was used, or whose recipient was removed, says so instead of that it never existed: its row stays for a week.
-- A used link expires at once. Whoever decides checks the expiry and the role.
alter table decision_links drop constraint decision_links_member;

create or replace function decision_link_recipient(of_gate uuid, link_hash bytea) returns table (user_id uuid, organization_id uuid)
  language sql stable
  as $$
    select link.user_id, link.organization_id
    from decision_links as link
    join people as recipient
      on recipient.id = link.user_id
      and recipient.email = link.email
    where link.gate_id = of_gate
      and link.hash = link_hash
  $$;
