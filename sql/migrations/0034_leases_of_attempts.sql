-- The lease that an attempt was; null for a request, and for attempts of earlier versions. Whoever acknowledges a lease again, because
-- the response was lost, is recognized by it.
alter table dispatch_attempts add column lease_until timestamptz(3);
