-- The list of what a new organization still lacks, which the person who made it sees on the first page of the app.

-- Until when a member sees the list; null: they do not, or have dismissed it. With the membership, which every page reads anyway.
alter table organization_members add column setup_until timestamptz(3);

-- The copy of the members that a cluster has.
alter table if exists member_organizations add column setup_until timestamptz(3);
