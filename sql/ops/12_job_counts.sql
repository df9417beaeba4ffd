create view ops.job_counts as
  select task, tenant, ready, retrying, scheduled, estimated from queue.job_counts;

comment on view ops.job_counts is 'How many jobs of the queue wait, by task and tenant. Exact while the queue is small (about 10,000 jobs), and an estimate from a sample beyond, so that reading it always costs the same. A few jobs among a million may be missed; ops.backlog names everybody for whom something waits.';
comment on column ops.job_counts.task is 'What kind of work it is.';
comment on column ops.job_counts.tenant is 'The flag of the tenant, org:<id>; empty for work on behalf of all, or of one user.';
comment on column ops.job_counts.ready is 'How many are due now.';
comment on column ops.job_counts.retrying is 'How many failed before, and are due later.';
comment on column ops.job_counts.scheduled is 'How many are due later for the first time.';
comment on column ops.job_counts.estimated is 'Whether the numbers are estimates.';
