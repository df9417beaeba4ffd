-- Redeliveries that operators made with an earlier version lack what they come from: a revocation did not find them, nor does who sends
-- them again learn of it.
update dispatches as copy
set gate_id  = original.gate_id,
    graph_id = original.graph_id
from dispatches as original
where copy.redelivery_of is not null
  and copy.gate_id is null
  and copy.graph_id is null
  and original.id = copy.redelivery_of
  and original.organization_id = copy.organization_id
  and (original.gate_id is not null or original.graph_id is not null);

-- The name of a release, as it was when its changelog was published. Storing it makes no new version of the document.
alter table deliverables add column release_name text check (length(release_name) <= 200);
drop trigger deliverables_touch on deliverables;
create trigger deliverables_touch before update on deliverables
  for each row when (new.release_name is not distinct from old.release_name) execute function touch();
