-- Statements of tenants also ask whether a user has a second factor, which organizations may require.
create or replace view people as
select id, email, email_verified, name, deleted_at, second_factors > 0 as has_second_factor
from users;
